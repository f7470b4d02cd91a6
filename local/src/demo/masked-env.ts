/** Returns variables as printable text: the names, and the first two characters of each value. */
export function maskedEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value.slice(0, 2)}${"•".repeat(6)}`)
    .join(" ");
}
