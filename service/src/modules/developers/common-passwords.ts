import { readFileSync } from "node:fs";

const passwords: ReadonlySet<string> = new Set(
  readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#")),
);

/** Whether a password is among those that are tried first, in whatever case it is written. */
export function isCommonPassword(password: string): boolean {
  return passwords.has(password.normalize("NFC").toLowerCase());
}
