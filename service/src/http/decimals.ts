import type { TSchema } from "typebox";
import type { StrictJson } from "../foundation/strict-json.ts";

/** What a schema says of the values inside it, as far as decimals need it. */
interface SchemaNode {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
}

const known = new WeakMap<object, boolean>();

/** Whether a body of this schema may hold a decimal, so that the digits of its numbers are needed. */
export function hasDecimals(schema: TSchema): boolean {
  const answer = known.get(schema) ?? searchDecimal(schema as SchemaNode);
  known.set(schema, answer);
  return answer;
}

function searchDecimal(schema: SchemaNode): boolean {
  const { format, properties = {}, additionalProperties, items } = schema;
  const inner = [...Object.values(properties), additionalProperties, items];
  return (
    format === "decimal" || inner.some((node) => typeof node === "object" && searchDecimal(node))
  );
}

/**
 * Turns the numbers that stand where the schema wants a decimal into the very text that was sent, so that an amount may be
 * written as a JSON number and is still never read through a float.
 */
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
