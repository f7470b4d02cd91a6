import canonicalize from "canonicalize";

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** RFC 8785: equal values give equal bytes, as hashing and signing need. Throws on a lone surrogate and on a number that JSON lacks. */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("The value has no JSON form.");
  return text;
}
