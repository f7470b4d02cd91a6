import { invalidField } from "../../../foundation/errors.ts";

type Env = Readonly<Record<string, string>>;

/** Returns true if some readers of `.env` files read the value otherwise than it is (docs/rules/env-bundles.md). */
function isUnportable(value: string): boolean {
  return (
    // Some readers expand variables, even in single quotes.
    value.includes("$") ||
    // Some readers convert carriage returns to line feeds.
    value.includes("\r") ||
    // python-dotenv reads two backslashes in single quotes as one.
    value.includes("\\\\") ||
    value.endsWith("\\") ||
    // The value is in double quotes, and only shells remove each escape.
    (value.includes("'") && /["\\`]/.test(value))
  );
}

/**
 * Returns the names of the values that some readers of `.env` files read otherwise, sorted. After a backslash, python-dotenv
 * reads the closing quote as a part of the value, and then does not find the next variable either.
 */
export function unportableNames(env: Env): string[] {
  const names = Object.keys(env).sort();
  const values = names.map((name) => env[name] ?? "");
  return names.filter((_name, index) => isUnportable(values[index] ?? "") || values[index - 1]?.endsWith("\\"));
}

/** Throws `validation_error` for values with line breaks, because `docker --env-file` reads a variable from one line. */
export function throwIfNotOnOneLine(env: Env): void {
  const names = Object.keys(env).filter((name) => /[\n\r]/.test(env[name] ?? ""));
  if (names.length === 0) return;
  const detail = `cannot be docker, because these values have line breaks: ${names.sort().join(", ")}`;
  throw invalidField("/query/format", "line_breaks", detail);
}
