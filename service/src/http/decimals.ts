import type { TSchema } from "typebox";
import type { StrictJson } from "../foundation/strict-json.ts";

/** The JSON Schema keywords that this module reads. */
interface SchemaNode {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
}

const searched = new WeakMap<object, boolean>();

/**
 * Returns true if the schema has a value of format `decimal`. Only then must the JSON parser preserve the source text
 * of numbers.
 */
export function hasDecimals(schema: TSchema): boolean {
  const found = searched.get(schema) ?? searchDecimal(schema as SchemaNode);
  searched.set(schema, found);
  return found;
}

function searchDecimal(schema: SchemaNode): boolean {
  const { format, properties = {}, additionalProperties, items } = schema;
  const inner = [...Object.values(properties), additionalProperties, items];
  return (
    format === "decimal" || inner.some((node) => typeof node === "object" && searchDecimal(node))
  );
}

/** Replaces each number in a decimal field with its source text, because a float could change the amount. */
export function preserveDecimals(schema: TSchema, json: StrictJson): void {
  walk(schema as SchemaNode, json.value, json);
}

function walk(schema: SchemaNode, value: unknown, json: StrictJson): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const node = childOf(schema, key);
    if (node === undefined) continue;
    const source = node.format === "decimal" ? json.numberSource(value, key) : undefined;
    if (source !== undefined) Object.assign(value, { [key]: source });
    else walk(node, inner, json);
  }
}

function childOf(schema: SchemaNode, key: string): SchemaNode | undefined {
  const { properties, additionalProperties, items } = schema;
  if (items !== undefined) return items;
  const named =
    properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (named !== undefined) return named;
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
