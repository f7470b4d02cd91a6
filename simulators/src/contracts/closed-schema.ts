import { isRecord, mapValues } from "./records.ts";

/** JSON Schema keywords that contain plain values instead of schemas. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(["enum", "const", "default", "example"]);

/**
 * Returns a copy of the schema in which objects reject unknown fields unless they set `additionalProperties`. Replaces
 * each reference with `referenceOf(reference)`, which must refer to the copy of the referenced schema. Responses are
 * checked against the original schemas.
 */
export function closedSchema(schema: unknown, referenceOf: (reference: string) => string): unknown {
  const close = (member: unknown) => closedSchema(member, referenceOf);
  if (Array.isArray(schema)) return schema.map(close);
  if (!isRecord(schema)) return schema;
  if (typeof schema["$ref"] === "string") return { $ref: referenceOf(schema["$ref"]) };
  const closed = mapValues(schema, (member, keyword) => {
    if (VALUE_KEYWORDS.has(keyword)) return member;
    // Keys below `properties` are field names, even if a field has the name of a keyword.
    return keyword === "properties" && isRecord(member) ? mapValues(member, close) : close(member);
  });
  const isOpen = "properties" in schema && !("additionalProperties" in schema);
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}
