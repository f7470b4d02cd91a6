import { domainToASCII } from "node:url";

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
