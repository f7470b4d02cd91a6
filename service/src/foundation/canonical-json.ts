import canonicalize from "canonicalize";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Serializes a value as canonical JSON (RFC 8785) for hashing and signing: equal values have equal bytes. Throws on a
 * lone surrogate and on a number that JSON cannot represent.
 */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("The value has no JSON form.");
  return text;
}
