import { readFileSync } from "node:fs";

/** One password a line. Searching the text takes less than a millisecond; a set of it would take megabytes. */
const lines = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8");

/** Whether a password is on the list, however its characters are encoded, in either case, with or without spaces around it. */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize("NFKC").toUpperCase().toLowerCase().trim();
  return lines.includes(`\n${folded}\n`);
}
