import fc from "fast-check";

/** The JSON Schema keywords that are used to generate a body. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
}

/** A request body and a description of its content. */
export interface Body {
  readonly kind: string;
  readonly text: string;
}

/** Maximum number of members of an array or object, and maximum nesting depth (docs/rules/requests.md). */
const MEMBERS_MAX = 1_000;
const DEPTH_MAX = 32;

/** Returns the largest body that the schema allows within `bytesMax` bytes. */
export function largestLegalBody(schema: Schema, resolve: Resolve, bytesMax: number): Body {
  for (let scale = 1; ; scale /= 2) {
    const text = JSON.stringify(largest(schema, { resolve, scale, salt: "" }));
    if (Buffer.byteLength(text) <= bytesMax) return { kind: "largest legal", text };
  }
}

/** Returns the schema that a `$ref` refers to, or the schema itself if it has no `$ref`. */
export type Resolve = (schema: Schema) => Schema;

interface SizeOptions {
  readonly resolve: Resolve;
  /** Fraction of each maximum that is used, from 0 to 1. Smaller values produce smaller bodies. */
  readonly scale: number;
  /** Text that makes each item of a list different. */
  readonly salt: string;
}

function largest(unresolved: Schema, options: SizeOptions): unknown {
  const schema = options.resolve(unresolved);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return longestOf(schema.enum);
  if (schema.anyOf !== undefined) {
    return longestOf(schema.anyOf.map((one) => largest(one, options)));
  }
  switch (typesOf(schema)[0]) {
    case "string":
      return longestText(schema, options);
    case "integer":
    case "number":
      return schema.maximum ?? 1;
    case "boolean":
      return false;
    case "null":
      return null;
    case "array":
      return longestList(schema, options);
    default:
      return largestObject(schema, options);
  }
}

/** Returns a schema's types, except null. */
function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat().filter((one) => one !== "null");
}

function longestText(schema: Schema, { scale, salt }: SizeOptions): string {
  const { format, pattern, maxLength = 100_000 } = schema;
  const length = Math.max(1, Math.floor(maxLength * scale));
  const known = FORMATS[format ?? ""];
  if (known !== undefined) return known(salt);
  const filled = `${salt}${"\u6f22".repeat(length)}`.slice(0, length);
  const expression = new RegExp(pattern ?? "", "u");
  if (expression.test(filled)) return filled;
  const matching = fc.stringMatching(expression, { size: "small" });
  const [sample = ""] = fc.sample(matching, { numRuns: 1, seed: Number(salt) + 1 });
  return lengthen(sample, expression, length);
}

/** Lengthens `sample` by repeating one of its characters, if the result matches the regular expression. */
function lengthen(sample: string, expression: RegExp, length: number): string {
  for (let more = length - sample.length; more >= 1; more = Math.floor(more / 2)) {
    for (let at = 0; at < sample.length; at += 1) {
      const text = sample.slice(0, at) + sample.charAt(at).repeat(more) + sample.slice(at);
      if (expression.test(text)) return text;
    }
  }
  return sample;
}

const FORMATS: Readonly<Record<string, (salt: string) => string>> = {
  email: (salt) => `${salt}${"a".repeat(50)}@${"b".repeat(60)}.${"c".repeat(60)}.example`,
  "date-time": () => "2099-12-31T23:59:59.999999999+00:00",
  totp: () => "123456",
  decimal: () => "999999999999.99",
  uri: (salt) => `https://example.com/${"a".repeat(1_500)}${salt}`,
  uuid: (salt) => `00000000-0000-4000-8000-${salt.padStart(12, "0")}`,
};

function longestList(schema: Schema, options: SizeOptions): unknown[] {
  const { items = {}, maxItems = MEMBERS_MAX } = options.resolve(schema);
  const count = Math.max(1, Math.floor(Math.min(maxItems, MEMBERS_MAX) * options.scale));
  const choices = schema.uniqueItems === true ? options.resolve(items).enum : undefined;
  if (choices !== undefined) return choices.slice(0, count);
  const values = Array.from({ length: count }, (_, index) => largest(items, { ...options, salt: String(index) }));
  return schema.uniqueItems === true ? [...new Set(values)] : values;
}

function largestObject(schema: Schema, options: SizeOptions): object {
  const { properties = {}, additionalProperties, patternProperties = {} } = schema;
  const named = Object.entries(properties).map(([name, inner]) => [name, largest(inner, options)]);
  const [pattern] = Object.values(patternProperties);
  const free = typeof additionalProperties === "object" ? additionalProperties : pattern;
  const isOpen = free !== undefined || (named.length === 0 && additionalProperties !== false);
  if (!isOpen) return Object.fromEntries(named);
  const count = Math.floor(Math.min(schema.maxProperties ?? MEMBERS_MAX, MEMBERS_MAX) * options.scale);
  const more = Array.from({ length: Math.max(1, count) }, (_, index) => [
    `m${index}`,
    free === undefined ? "x".repeat(200) : largest(free, { ...options, salt: String(index) }),
  ]);
  return Object.fromEntries([...named, ...more]);
}

function longestOf(choices: readonly unknown[]): unknown {
  const sized = choices.map((choice) => ({ choice, size: JSON.stringify(choice).length }));
  return sized.sort((a, b) => b.size - a.size)[0]?.choice;
}

/**
 * Returns bodies of `bytes` bytes that every route rejects. Each is expensive for a different part of the JSON parser.
 */
export function invalidBodies(bytes: number): readonly Body[] {
  return [
    filled("an array of numbers", '{"x":[', "1,", "1]}", bytes),
    filled("an array of objects", '{"x":[', "{},", "{}]}", bytes),
    filled("strings with escapes", '{"x":[', '"\\u0000\\"",', '""]}', bytes),
    filled("one long string", '{"x":"', "a", '"}', bytes),
    filled("one long number", '{"x":', "1", "}", bytes),
    filled("one repeated name", "{", '"x":0,', '"x":0}', bytes),
    filled("unclosed brackets", '{"x":', "[", "[", bytes),
    filled("an unclosed string", '{"x":', '"\\"', "\\", bytes),
    filled("spaces", "{", " ", "x", bytes),
    { kind: "many names", text: manyNames(bytes) },
    { kind: "many nested arrays", text: nestedArrays(bytes) },
  ];
}

/**
 * Returns bodies of `bytes` bytes in which one list or text is longer than the schema allows, so that validation can be
 * slow. `legal`, a valid body, provides the other fields if it is small enough.
 */
export function overfilledBodies(
  schema: Schema,
  resolve: Resolve,
  { legal, bytes }: { readonly legal: Body; readonly bytes: number },
): readonly Body[] {
  const { properties = {} } = resolve(schema);
  const legalBody: Record<string, unknown> = JSON.parse(legal.text);
  return Object.entries(properties).flatMap(([name, property]) =>
    overfill(resolve(property)).map(({ kind, unit, ends }) => {
      const rest = JSON.stringify({ ...legalBody, [name]: null }).slice(0, -"null}".length);
      const [open, close] = ends;
      const isSmallEnough = Buffer.byteLength(rest) < bytes / 2;
      const head = isSmallEnough ? rest : `{${JSON.stringify(name)}:`;
      return filled(`${name}: ${kind}`, `${head}${open}`, unit, `${close}}`, bytes);
    }),
  );
}

interface Overfilled {
  readonly kind: string;
  readonly unit: string;
  readonly ends: readonly [string, string];
}

function overfill(schema: Schema): readonly Overfilled[] {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(typesOf);
  const list = types.length === 0 || types.includes("array") || types.includes("object");
  return [
    ...(list
      ? [
          { kind: "objects", unit: '{"a":0},', ends: ["[", "{}]"] as const },
          { kind: "texts", unit: '"aaaa",', ends: ["[", '""]'] as const },
        ]
      : []),
    ...(types.includes("string")
      ? ["a", "0", " ", "a.", "\\ud83d\\ude00"].map((unit) => ({
          kind: `${JSON.stringify(unit)} repeated`,
          unit,
          ends: ['"', '!"'] as const,
        }))
      : []),
  ];
}

function filled(kind: string, open: string, unit: string, close: string, bytes: number): Body {
  const available = bytes - Buffer.byteLength(open) - Buffer.byteLength(close);
  const count = Math.max(0, Math.floor(available / Buffer.byteLength(unit)));
  return { kind, text: `${open}${unit.repeat(count)}${close}` };
}

function manyNames(bytes: number): string {
  const members = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"${index}":0`);
  return `{${members.join()}}`.slice(0, bytes);
}

function nestedArrays(bytes: number): string {
  const unit = "[".repeat(DEPTH_MAX - 2) + "]".repeat(DEPTH_MAX - 2);
  const count = Math.floor((bytes - 8) / (unit.length + 1));
  return `{"x":[${Array.from({ length: count }, () => unit).join()}]}`;
}
