/** Returns the token in the URL of a mailed link, or an empty string. */
export function tokenIn(query: unknown): string {
  const token: unknown = typeof query === "object" && query !== null && Reflect.get(query, "token");
  return typeof token === "string" ? token : "";
}
