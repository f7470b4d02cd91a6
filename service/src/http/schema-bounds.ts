/** The JSON Schema keywords that limit the size of values. */
interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
}

/** Formats that limit the length of a string. */
const BOUNDED_FORMATS: ReadonlySet<string> = new Set(["uuid", "date-time"]);

/**
 * Returns the values of a request schema that have no size limit: strings without a bound, and arrays without
 * `maxItems`. Arrays with `uniqueItems` are returned if their items can be objects, because Ajv then compares every
 * pair of items. Values without a type are not checked.
 */
export function findUnboundedValues(node: SchemaNode, pointer = ""): string[] {
  const { properties, patternProperties, additionalProperties, items } = node;
  const { anyOf = [], oneOf = [], allOf = [] } = node;
  const types = [node.type].flat();
  const problems = [
    types.includes("string") && !isBoundedText(node) && "a string without a bound",
    types.includes("array") && node.maxItems === undefined && "an array without maxItems",
    node.uniqueItems === true && !isScalar(items) && "uniqueItems over items that may be objects",
  ];
  return [
    ...problems.filter((problem) => problem !== false).map((problem) => `${pointer || "/"}: ${problem}`),
    ...Object.entries({ ...properties, ...patternProperties }).flatMap(([name, inner]) =>
      findUnboundedValues(inner, `${pointer}/${name}`),
    ),
    ...(typeof additionalProperties === "object" ? findUnboundedValues(additionalProperties, `${pointer}/*`) : []),
    ...(items === undefined ? [] : findUnboundedValues(items, `${pointer}/*`)),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((inner) => findUnboundedValues(inner, pointer)),
  ];
}

function isBoundedText({ maxLength, format = "", pattern = "", ...node }: SchemaNode): boolean {
  return (
    maxLength !== undefined ||
    node.enum !== undefined ||
    node.const !== undefined ||
    BOUNDED_FORMATS.has(format) ||
    isBoundedPattern(pattern)
  );
}

/**
 * Returns true if the pattern is anchored at both ends and has no unlimited repetition. Patterns with `|` always need a
 * `maxLength`.
 */
function isBoundedPattern(pattern: string): boolean {
  const withoutEscapesAndClasses = pattern.replaceAll(/\\.|\[(?:\\.|[^\\\]])*\]/g, "x");
  return /^\^[^|*+]*\$$/.test(withoutEscapesAndClasses) && !/\{\d+,\}/.test(withoutEscapesAndClasses);
}

function isScalar({ type }: SchemaNode = {}): boolean {
  const types = [type].flat();
  return types.every((one) => one !== undefined && one !== "object" && one !== "array");
}
