const SCHEMA_LENGTH_MAX = 8_192;
const SCHEMA_VALUES_MAX = 500;
/** References can recurse. The time of the others grows faster than the validated value. */
const SLOW_KEYWORDS = /"(?:\$\w+|pattern|patternProperties|uniqueItems)"/;

/** Returns the number of JSON values in a value, including the value. */
export function countValues(value: unknown): number {
  const members = typeof value === "object" && value !== null ? Object.values(value) : [];
  return members.reduce<number>((count, member) => count + countValues(member), 1);
}

/**
 * Returns whether a JSON Schema of a provider can be compiled and evaluated fast: the evaluated subschemas are then at
 * most the schema's values times the validated values.
 */
export function isFastSchema(schema: object): boolean {
  const text = JSON.stringify(schema);
  return text.length <= SCHEMA_LENGTH_MAX && countValues(schema) <= SCHEMA_VALUES_MAX && !SLOW_KEYWORDS.test(text);
}
