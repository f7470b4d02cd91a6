const LENGTH_MAX = 100;

/** A name as a vendor has it, without what no name has (line breaks, halves of characters) and cut; null where nothing is left. */
export function personName(name: string | null | undefined): string | null {
  const words = (name ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return [...words].slice(0, LENGTH_MAX).join("").trim() || null;
}
