export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * Returns the canonical form of a value (RFC 8785). Equal values have the same canonical form.
 *
 * @throws TypeError for values without a canonical form: a non-finite number, text with a lone surrogate, `undefined`,
 * or an object that is not a plain object.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return canonicalText(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isPlainObject(value)) return canonicalObject(value);
  throw new TypeError(`A value of type ${typeof value} is not JSON.`);
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("Text with a lone surrogate has no UTF-8 form.");
  return JSON.stringify(text);
}

function canonicalNumber(number: number): string {
  if (!Number.isFinite(number)) throw new TypeError(`${number} is not a JSON number.`);
  return JSON.stringify(number);
}

/** RFC 8785 sorts property names by UTF-16 code units, as JavaScript's comparison operators do. */
function canonicalObject(object: { readonly [name: string]: Json }): string {
  const members = Object.entries(object).map(
    ([name, value]) => [name, `${canonicalText(name)}:${canonicalJson(value)}`] as const,
  );
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([, member]) => member).join(",")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isPlainObject(value: unknown): value is { readonly [name: string]: Json } {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
