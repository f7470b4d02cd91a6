/**
 * Formats the values as lines of a `.env` file, sorted by name (docs/rules/env-bundles.md). Each line ends with a line
 * feed.
 *
 * Values are in single quotes, because most programs read what is in single quotes as it is, newlines included. No program
 * reads an escaped single quote like the others, so a value that contains one is in double quotes. `unportableNames` returns
 * the names of the values that some programs still read otherwise.
 */
export function formatDotenv(env: Readonly<Record<string, string>>): string {
  return lines(env, (value) => (value.includes("'") ? `"${escaped(value)}"` : `'${value}'`));
}

/** Formats the values as lines that `docker --env-file` reads: without quotes and escapes. */
export function formatDocker(env: Readonly<Record<string, string>>): string {
  return lines(env, (value) => value);
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
  return value.replaceAll(/[\\"$`]/g, "\\$&");
}
