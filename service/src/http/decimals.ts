import type { TSchema } from "typebox";
import type { StrictJson } from "../foundation/strict-json.ts";

/** The JSON Schema keywords that this module reads. */
interface SchemaNode {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
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
  return membersOf(schema).some(({ format, properties, patternProperties, additionalProperties, items }) => {
    const named = Object.values({ ...properties, ...patternProperties });
    const inner = [...named, additionalProperties, items];
    return format === "decimal" || inner.some((node) => typeof node === "object" && searchDecimal(node));
  });
}

/** Returns the schema and the members of its unions and intersections. */
function membersOf(schema: SchemaNode): SchemaNode[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(membersOf)];
}

/**
 * Replaces each number in a decimal field with its source text, because a float could change the amount. In a union,
 * the number is replaced if any member has a decimal there.
 */
export function preserveDecimals(schema: TSchema, json: StrictJson): void {
  walk(membersOf(schema as SchemaNode), json.value, json);
}

function walk(schemas: readonly SchemaNode[], value: unknown, json: StrictJson): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const nodes = schemas.flatMap((schema) => childrenOf(schema, key)).flatMap(membersOf);
    const isDecimal = nodes.some(({ format }) => format === "decimal");
    const source = isDecimal ? json.numberSource(value, key) : undefined;
    if (source !== undefined) Object.assign(value, { [key]: source });
    else if (nodes.length > 0) walk(nodes, inner, json);
  }
}

function childrenOf(schema: SchemaNode, key: string): SchemaNode[] {
  const { properties = {}, patternProperties = {}, additionalProperties, items } = schema;
  if (items !== undefined) return [items];
  const named = [
    ...(Object.hasOwn(properties, key) ? [properties[key]] : []),
    ...Object.keys(patternProperties)
      .filter((pattern) => new RegExp(pattern, "u").test(key))
      .map((pattern) => patternProperties[pattern]),
  ];
  return (named.length > 0 ? named : [additionalProperties]).filter((node) => typeof node === "object");
}
