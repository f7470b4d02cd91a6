import { isRecord, mapValues } from "./records.ts";

/** Keywords whose members are values, not schemas. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(["enum", "const", "default", "example"]);

/**
 * Returns the schema with `additionalProperties: false` on each object that does not set it. Descriptions usually leave
 * it open, but vendors refuse or ignore unknown fields. `referenceOf` maps each reference to the closed copy of its
 * schema: the original is used for responses too, to which a vendor may add fields.
 */
export function closedSchema(schema: unknown, referenceOf: (reference: string) => string): unknown {
  const close = (member: unknown) => closedSchema(member, referenceOf);
  if (Array.isArray(schema)) return schema.map(close);
  if (!isRecord(schema)) return schema;
  if (typeof schema["$ref"] === "string") return { $ref: referenceOf(schema["$ref"]) };
  const closed = mapValues(schema, (member, keyword) => {
    if (VALUE_KEYWORDS.has(keyword)) return member;
    // Names below `properties` are field names, even if one is equal to a keyword.
    return keyword === "properties" && isRecord(member) ? mapValues(member, close) : close(member);
  });
  const isOpen = "properties" in schema && !("additionalProperties" in schema);
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}
