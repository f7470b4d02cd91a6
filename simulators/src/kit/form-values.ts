const NUMBER = /^-?\d+(\.\d+)?$/;

/** The parts of a JSON schema that determine how a form value is converted. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * Converts form values to the numbers and booleans that the schema expects. A value that cannot be converted stays a
 * string, which the schema check then rejects.
 * TypeBox's `Convert` is too lenient: it converts "1.5" to 1 and an empty string to 0.
 */
export function readFormValues(shape: Shape, value: unknown): unknown {
  if (shape.anyOf) return readAsOneOf(shape.anyOf, value);
  if (typeof value === "string") return readText(shape.type, value);
  if (Array.isArray(value)) return value.map((item) => readFormValues(shape.items ?? {}, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, readFormValues(shape.properties?.[name] ?? {}, member)]),
  );
}

function readText(type: string | undefined, text: string): unknown {
  if ((type === "integer" || type === "number") && NUMBER.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

// A string is not converted if any of the schemas accepts strings.
function readAsOneOf(shapes: readonly Shape[], value: unknown): unknown {
  if (typeof value !== "string") {
    const nested = shapes.find(({ type }) => type === (Array.isArray(value) ? "array" : "object"));
    return nested ? readFormValues(nested, value) : value;
  }
  if (shapes.some(({ type }) => type === "string")) return value;
  const readings = shapes.map((shape) => readFormValues(shape, value));
  return readings.find((reading) => reading !== value) ?? value;
}
