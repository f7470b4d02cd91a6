/**
 * Formats the values as lines that a shell can source, sorted by name (docs/api.md, section 12). Values are in double
 * quotes. `\`, `"`, `$` and the backtick are escaped with a backslash, a newline becomes `\n`, and each line ends with
 * a line feed.
 *
 * Not every program restores the exact values. A shell unescapes `\`, `"`, `$` and the backtick, but reads `\n` as two
 * characters. `node --env-file` unescapes only `\n`. The JSON format has the exact values.
 */
export function formatDotenv(env: Readonly<Record<string, string>>): string {
  return lines(env, (value) => `"${escaped(value)}"`);
}

/** Formats the names without values, as in an `.env.example` file. */
export function formatDotenvNames(env: Readonly<Record<string, string>>): string {
  return lines(env, () => "");
}

function lines(env: Readonly<Record<string, string>>, format: (value: string) => string): string {
  const sorted = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => `${name}=${format(value)}\n`).join("");
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"$`]/g, "\\$&").replaceAll("\n", "\\n");
}
