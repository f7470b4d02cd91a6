import { domainToASCII } from "node:url";

/** Embeddings, overrides and isolates. They change the order in which the text around them is displayed. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Characters that are not displayed, such as zero-width spaces and soft hyphens. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters, digits, punctuation and symbols, without the blank Braille pattern. */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\u2800]]/v;

/** Returns true if the text cannot change how the text around it is displayed. */
export function isDisplaySafe(text: string): boolean {
  return text.search(DIRECTION_CONTROLS) === -1;
}

/** Returns true if the text shows something and is safe to display. */
export function isVisible(text: string): boolean {
  return isDisplaySafe(text) && VISIBLE.test(withoutIgnorable(text));
}

/** Returns the text as it is compared: without characters that are not displayed. */
export function withoutIgnorable(text: string): string {
  return text.replaceAll(IGNORABLE, "");
}

/** Removes the characters that `isDisplaySafe` rejects, for text that was stored before they were rejected. */
export function withoutDirectionControls(text: string): string {
  return text.replaceAll(DIRECTION_CONTROLS, "");
}

const LENGTH_MAX = 254;
/** At most 64 characters before the @, and a domain of at least two labels. */
const NORMALIZED = /^[^@]{1,64}@[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * Returns the form in which addresses are stored, compared and looked up: without surrounding spaces, with ASCII letters
 * in lowercase, and with an international domain as Punycode, as in `ada@xn--mnchen-3ya.de`.
 *
 * Other letters before the @ are not changed, because some would become ASCII letters. For example, an address with the
 * Kelvin sign (U+212A) would become another user's address with a `k`.
 */
export function normalizeEmail(text: string): string {
  const address = text.trim();
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  const ascii = /[^ -~]/.test(domain) ? domainToASCII(domain) : domain;
  return (address.slice(0, at) + (ascii === "" ? domain : ascii)).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function isEmailAddress(text: string): boolean {
  const address = normalizeEmail(text);
  return address.length <= LENGTH_MAX && NORMALIZED.test(address);
}

/**
 * Returns a code from an authenticator app without the spaces and hyphens with which it is displayed or copied, and with
 * full-width digits as ASCII digits.
 */
export function normalizeCode(text: string): string {
  return text.normalize("NFKC").replaceAll(/[\s\p{Pd}\p{Cf}]/gu, "");
}

/** Returns a pasted credential without surrounding white space and quotes. */
export function normalizeCredential(text: string): string {
  const trimmed = text.trim();
  const [, , quoted] = /^(["'`])(.*)\1$/s.exec(trimmed) ?? [];
  return quoted?.trim() ?? trimmed;
}

/**
 * Returns a pasted PEM file with one final line feed, without quotes and indentation, and with line breaks where the
 * text has the two characters `\n`, as in a JSON file or an environment variable.
 */
export function normalizePem(text: string): string {
  return normalizeCredential(text)
    .split(/\\r\\n|\\n|\r?\n/)
    .map((line) => line.trim())
    .join("\n")
    .trim()
    .concat("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Escapes text and wraps it in `<bdi>`, for text that other people or programs choose: right-to-left characters in it
 * could otherwise reorder the text around it.
 */
export function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** Returns a name in camel case, such as `agentIds`, in snake case: `agent_ids`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the value of a text in JSON. Undefined, which is no value of JSON, if the text is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
