/** Returns the token in the query string of a URL from an email, or an empty string. */
export function tokenIn(query: unknown, name = "token"): string {
  const token: unknown = typeof query === "object" && query !== null && Reflect.get(query, name);
  return typeof token === "string" ? token : "";
}
