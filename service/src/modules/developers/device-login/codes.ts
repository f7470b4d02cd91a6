import { randomInt } from "node:crypto";
import { sha256Hex } from "../../../crypto/signing.ts";

/**
 * Consonants only, so that codes spell no words, and no letters that are easily confused (RFC 8628, section 6.1). A
 * code of eight letters has 34 bits.
 */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const HALF = LENGTH / 2;

/** Returns a code for a person to type, such as `BCDF-GHJK`. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}

/** The form of a user code as it is shown. */
export const USER_CODE_PATTERN = new RegExp(`^[${LETTERS}]{${HALF}}-[${LETTERS}]{${HALF}}$`);

/**
 * Returns the user code in the form in which it is shown. Accepts small letters and other separators. Returns undefined
 * for a text that is not a user code.
 */
export function parseUserCode(text: string): string | undefined {
  const letters = lettersOf(text);
  const userCode = `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
  return USER_CODE_PATTERN.test(userCode) ? userCode : undefined;
}

/** Returns the hash by which a user code is looked up. It is the same for small letters and without the hyphen. */
export function hashUserCode(userCode: string): string {
  return sha256Hex(lettersOf(userCode));
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, "");
}
