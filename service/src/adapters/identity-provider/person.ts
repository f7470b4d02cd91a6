import { Type } from "typebox";

/** An email address as an identity provider sent it, not yet normalized. */
export const PersonAddress = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@\\p{C}]{1,64}@[^\\s@\\p{C}]{1,189}$",
});

const LENGTH_MAX = 100;

/**
 * Normalizes a name from an identity provider: replaces control characters and lone surrogates with spaces, and
 * truncates the result. Returns null if nothing is left.
 */
export function personName(name: string | null | undefined): string | null {
  const words = (name ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return [...words].slice(0, LENGTH_MAX).join("").trim() || null;
}
