import { randomInt } from "node:crypto";
import { sha256Hex } from "../../../crypto/signing.ts";

/**
 * The letters used in user codes. There are no vowels, so that codes do not spell words, and no letters that are easily
 * confused (RFC 8628, section 6.1). An eight-letter code has 34 bits of entropy.
 */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const HALF = LENGTH / 2;

/** Returns a code that a user can type, such as `BCDF-GHJK`. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}

/** The display format of user codes. */
export const USER_CODE_PATTERN = new RegExp(`^[${LETTERS}]{${HALF}}-[${LETTERS}]{${HALF}}$`);

/**
 * Converts a user code to its display format. Accepts lowercase letters and any separators. Returns undefined if the
 * text is not a user code.
 */
export function parseUserCode(text: string): string | undefined {
  const letters = lettersOf(text);
  const userCode = `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
  return USER_CODE_PATTERN.test(userCode) ? userCode : undefined;
}

/** Returns the hash used to look up a user code. Ignores case and separators. */
export function hashUserCode(userCode: string): string {
  return sha256Hex(lettersOf(userCode));
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, "");
}
