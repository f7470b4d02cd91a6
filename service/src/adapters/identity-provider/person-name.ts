const LENGTH_MAX = 100;

/**
 * Normalizes a name from an identity provider: replaces control characters and lone surrogates with spaces, and
 * truncates the result. Returns null if nothing is left.
 */
export function personName(name: string | null | undefined): string | null {
  const words = (name ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return [...words].slice(0, LENGTH_MAX).join("").trim() || null;
}
