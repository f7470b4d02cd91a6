import canonicalize from "canonicalize";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * Serializes a value as canonical JSON (RFC 8785) for hashing and signing: equal values have equal bytes. Throws on a
 * lone surrogate and on a number that JSON cannot represent.
 */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("The value has no JSON form.");
  return text;
}
