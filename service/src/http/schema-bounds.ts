/** What a schema says of the size of its values. */
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
}

/** Formats that only short texts have. */
const BOUNDED_FORMATS: ReadonlySet<string> = new Set(["uuid", "date-time"]);

/**
 * Every place in a request's schema where a caller could send as much as they like: an array without `maxItems`, a string
 * without a bound, and `uniqueItems` over items that may be objects, which are compared with one another one by one. What has
 * no type is free-form, and bounded by the size of the body and the number of its values.
 */
export function unboundedPlaces(node: SchemaNode, pointer = ""): string[] {
  const { properties, patternProperties, additionalProperties, items, anyOf = [] } = node;
  const types = [node.type].flat();
  const faults = [
    types.includes("string") && !isBoundedText(node) && "a string without a bound",
    types.includes("array") && node.maxItems === undefined && "an array without maxItems",
    node.uniqueItems === true && !isScalar(items) && "uniqueItems over items that may be objects",
  ];
  return [
    ...faults.filter((fault) => fault !== false).map((fault) => `${pointer || "/"}: ${fault}`),
    ...Object.entries({ ...properties, ...patternProperties }).flatMap(([name, inner]) =>
      unboundedPlaces(inner, `${pointer}/${name}`),
    ),
    ...(typeof additionalProperties === "object"
      ? unboundedPlaces(additionalProperties, `${pointer}/*`)
      : []),
    ...(items === undefined ? [] : unboundedPlaces(items, `${pointer}/*`)),
    ...anyOf.flatMap((inner) => unboundedPlaces(inner, pointer)),
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

/** Whether a pattern is anchored at both ends and repeats nothing without end. With alternatives it needs a `maxLength` beside it. */
function isBoundedPattern(pattern: string): boolean {
  const withoutEscapesAndClasses = pattern.replaceAll(/\\.|\[(?:\\.|[^\\\]])*\]/g, "x");
  return (
    /^\^[^|*+]*\$$/.test(withoutEscapesAndClasses) && !/\{\d+,\}/.test(withoutEscapesAndClasses)
  );
}

function isScalar({ type }: SchemaNode = {}): boolean {
  const types = [type].flat();
  return types.every((one) => one !== undefined && one !== "object" && one !== "array");
}
