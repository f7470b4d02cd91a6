/**
 * The values as lines that a shell can source, sorted by name (contract, ruling 11): in double quotes, with `\`, `"`, `$`
 * and the backtick escaped by `\`, a newline as `\n`, and a line feed at the end of each line. Nothing else is escaped.
 *
 * Readers differ on the escapes. A shell undoes the first four and leaves `\n` as those two characters; `node --env-file`
 * undoes `\n` and leaves the others. A program that wants every value exactly takes the JSON format.
 */
export function formatDotenv(env: Readonly<Record<string, string>>): string {
  return lines(env, (value) => `"${escaped(value)}"`);
}

/** The names alone, as an `.env.example` has them. */
export function formatDotenvNames(env: Readonly<Record<string, string>>): string {
  return lines(env, () => "");
}

function lines(env: Readonly<Record<string, string>>, show: (value: string) => string): string {
  const sorted = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => `${name}=${show(value)}\n`).join("");
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"$`]/g, "\\$&").replaceAll("\n", "\\n");
}
