import { createHash } from "node:crypto";

/** A connection holds its prepared statements until it closes, so the number of different statements is limited. */
const STATEMENTS_MAX = 400;

/**
 * Returns a function that names the prepared statements of one connection. It returns undefined for each new statement
 * above the limit, which must not be prepared.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= STATEMENTS_MAX) return undefined;
    const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
    names.set(text, name);
    return name;
  };
}
