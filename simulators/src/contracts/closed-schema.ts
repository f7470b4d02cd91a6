import { isRecord, mapValues } from "./records.ts";

/** Keywords below which there are values, not schemas. */
const HOLDS_VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "example"]);

/**
 * The schema with every object closed of which it does not say what else may be in it. Descriptions leave that open as a
 * rule, and vendors refuse the unknown field all the same, or ignore it to the cost of whoever sent it. References are
 * led to where `twinOf` says: the same schemas describe answers too, in which a vendor may add a field at any time.
 */
export function closedSchema(schema: unknown, twinOf: (reference: string) => string): unknown {
  const close = (member: unknown) => closedSchema(member, twinOf);
  if (Array.isArray(schema)) return schema.map(close);
  if (!isRecord(schema)) return schema;
  if (typeof schema["$ref"] === "string") return { $ref: twinOf(schema["$ref"]) };
  const closed = mapValues(schema, (member, keyword) => {
    if (HOLDS_VALUES.has(keyword)) return member;
    // The names below are the vendor's, even where one of them is called like a keyword.
    return keyword === "properties" && isRecord(member) ? mapValues(member, close) : close(member);
  });
  const isOpen = "properties" in schema && !("additionalProperties" in schema);
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}
