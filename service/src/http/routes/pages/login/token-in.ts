/** The token in the address of a mailed link. Empty if there is none. */
export function tokenIn(query: unknown): string {
  const token: unknown = typeof query === "object" && query !== null && Reflect.get(query, "token");
  return typeof token === "string" ? token : "";
}
