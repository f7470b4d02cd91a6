/** A value as it may be printed. */
export function mask(value: string): string {
  return `${value.slice(0, 2)}${"•".repeat(6)}`;
}

/** An environment as it may be printed. */
export function maskedEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${mask(value)}`)
    .join(" ");
}
