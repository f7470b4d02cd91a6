const NUMBER = /^-?\d+(\.\d+)?$/;

/** As much of a JSON schema as says how a text in a form is meant. */
interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/**
 * A form's texts read as the numbers and booleans that the schema wants. What cannot be read so stays a text, and is
 * left to the schema to refuse. (TypeBox's own `Convert` makes 1 of "1.5" and 0 of nothing.)
 */
export function readFormValues(shape: Shape, value: unknown): unknown {
  if (shape.anyOf) return readAsOneOf(shape.anyOf, value);
  if (typeof value === "string") return readText(shape.type, value);
  if (Array.isArray(value)) return value.map((item) => readFormValues(shape.items ?? {}, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      readFormValues(shape.properties?.[name] ?? {}, member),
    ]),
  );
}

function readText(type: string | undefined, text: string): unknown {
  if ((type === "integer" || type === "number") && NUMBER.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

// A text stays one where any of the shapes takes texts.
function readAsOneOf(shapes: readonly Shape[], value: unknown): unknown {
  if (typeof value !== "string") {
    const nested = shapes.find(({ type }) => type === (Array.isArray(value) ? "array" : "object"));
    return nested ? readFormValues(nested, value) : value;
  }
  if (shapes.some(({ type }) => type === "string")) return value;
  const readings = shapes.map((shape) => readFormValues(shape, value));
  return readings.find((reading) => reading !== value) ?? value;
}
