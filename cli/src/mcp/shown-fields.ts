const TEXT_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 2_048;
/** Control and format characters, line separators, variation selectors and unassigned characters: they can hide text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Variation_Selector}]+/gu;

/**
 * Returns only the shown fields of a response. A field that is not listed is never in an answer, whatever the API adds.
 * Texts can come from other people: they are cut, and lose invisible characters.
 *
 * @param paths such as `data.name`, which also reaches into lists, or `rules.*`, which shows all that is below. Null is left out
 */
export function shownFields(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes("*")) return cleanValue(value);
  if (Array.isArray(value)) return value.map((item) => shownFields(item, paths));
  if (typeof value !== "object" || value === null) return {};
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    if (inner === null) return [];
    // A listed field has no fields of its own, so that no object appears where a text was expected.
    if (paths.includes(name)) return isScalar(inner) ? [[name, cleanValue(inner, name)]] : [];
    const below = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    return below.length === 0 ? [] : [[name, shownFields(inner, below)]];
  });
  return Object.fromEntries(fields);
}

/** Returns a text on one line, without hidden characters, of at most `charactersMax` characters. */
export function cleanText(text: string, charactersMax = TEXT_CHARACTERS_MAX): string {
  const characters = [...text.replace(HIDDEN, " ").toWellFormed()];
  return characters.length > charactersMax
    ? `${characters.slice(0, charactersMax - 1).join("")}…`
    : characters.join("");
}

function isScalar(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : typeof value !== "object" || value === null;
}

function cleanValue(value: unknown, name = ""): unknown {
  if (typeof value === "string") return /(^|_)url$/.test(name) ? cleanUrl(value) : cleanText(value);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(fields.map(([key, inner]) => [cleanText(key), cleanValue(inner, key)]));
}

/** A URL that is cut does not work, so it is shown whole or not at all. Only the server makes URLs. */
function cleanUrl(text: string): string | null {
  const url = text.length <= URL_CHARACTERS_MAX && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : null;
}
