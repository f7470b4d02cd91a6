import { readFileSync } from "node:fs";

/**
 * The list of common passwords as text, one per line. Searching the text takes less than a millisecond; a `Set` would
 * need megabytes of memory.
 */
const lines = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8");

/**
 * Returns true if the password is in the list. Ignores case and surrounding whitespace, and applies NFKC normalization.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize("NFKC").toUpperCase().toLowerCase().trim();
  return lines.includes(`\n${folded}\n`);
}
