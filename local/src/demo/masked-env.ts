/** Returns variables as printable text. Only the first two characters of each value are shown. */
export function maskedEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value.slice(0, 2)}${"•".repeat(6)}`)
    .join(" ");
}
