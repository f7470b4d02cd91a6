import canonicalize from "canonicalize";

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * RFC 8785: equal values have equal bytes, for hashing and signing. Throws on a lone surrogate and on a number that
 * JSON cannot represent.
 */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("The value has no JSON form.");
  return text;
}
