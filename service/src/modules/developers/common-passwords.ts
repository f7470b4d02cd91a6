import { readFileSync } from "node:fs";

/** One password on each line. Searching the text takes less than a millisecond; a `Set` would need megabytes. */
const lines = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8");

/** Whether a password is on the list, after NFKC normalization and without case and surrounding spaces. */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize("NFKC").toUpperCase().toLowerCase().trim();
  return lines.includes(`\n${folded}\n`);
}
