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

/** The hash under which a user code is looked up. However people type it: in small letters, without the hyphen. */
export function hashUserCode(userCode: string): string {
  return sha256Hex(userCode.toUpperCase().replaceAll(/[^A-Z]/g, ""));
}
