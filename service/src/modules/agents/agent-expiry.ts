/** Returns the earlier of two expiries. Null means that something never expires. */
export function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
