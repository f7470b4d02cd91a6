import { randomInt } from "node:crypto";
import { sha256Hex } from "../../../crypto/signing.ts";

/** Letters that make no words and are taken for no others (RFC 8628, section 6.1): eight of them are 34 bits. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const HALF = LENGTH / 2;

/** A code for a person to type: `BCDF-GHJK`. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}

/** The form of a user code. */
export const USER_CODE_PATTERN = new RegExp(`^[${LETTERS}]{${HALF}}-[${LETTERS}]{${HALF}}$`);

/** A user code in the form that it was shown in, however people type it. Undefined: the text is no code. */
export function parseUserCode(text: string): string | undefined {
  const letters = lettersOf(text);
  const userCode = `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
  return USER_CODE_PATTERN.test(userCode) ? userCode : undefined;
}

/** The hash under which a user code is looked up. However people type it: in small letters, without the hyphen. */
export function hashUserCode(userCode: string): string {
  return sha256Hex(lettersOf(userCode));
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, "");
}
