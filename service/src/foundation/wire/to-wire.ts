import type { Static, TObject, TProperties } from "typebox";

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type OnWire<Value> = Value extends Date ? string : Value;

type Immutable<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** The properties of `Wire` that a row does not have under the same name in camel case, or has with another type. */
type Unlike<Wire, Row> = {
  [Name in keyof Wire as Name extends "object"
    ? never
    : CamelCase<Name & string> extends keyof Row
      ? [OnWire<Row[CamelCase<Name & string>]>] extends [Immutable<Wire[Name]>]
        ? never
        : Name
      : Name]: Immutable<Wire[Name]>;
};

/**
 * Returns the API representation of a row: each property of the schema has the value of the row's property with this name in
 * camel case, and dates are texts in ISO 8601. `overrides` has the properties for which this is not so; a property that is
 * missing is an error of the type check. Nothing else of the row is returned. `object` is the constant in the schema.
 */
export function toWire<Properties extends TProperties, Row extends object>(
  schema: TObject<Properties>,
  row: Row,
  ...[overrides = {}]: object extends Unlike<Static<TObject<Properties>>, Row>
    ? [overrides?: Partial<ReadonlyWire<Properties>>]
    : [overrides: Unlike<Static<TObject<Properties>>, Row> & Partial<ReadonlyWire<Properties>>]
): Static<TObject<Properties>> {
  const wire: Record<string, unknown> = {};
  for (const { name, source, constant } of fieldsOf(schema)) {
    const value = Object.hasOwn(overrides, name)
      ? Reflect.get(overrides, name)
      : (constant ?? Reflect.get(row, source));
    if (value !== undefined) wire[name] = value instanceof Date ? value.toISOString() : value;
  }
  return wire as Static<TObject<Properties>>;
}

type ReadonlyWire<Properties extends TProperties> = {
  [Name in keyof Static<TObject<Properties>>]: Immutable<Static<TObject<Properties>>[Name]>;
};

interface Field {
  readonly name: string;
  /** The name in camel case. */
  readonly source: string;
  readonly constant: unknown;
}

const fields = new WeakMap<TObject, readonly Field[]>();

function fieldsOf(schema: TObject): readonly Field[] {
  const known = fields.get(schema);
  if (known !== undefined) return known;
  const found = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    source: name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()),
    constant: name === "object" ? Reflect.get(property, "const") : undefined,
  }));
  fields.set(schema, found);
  return found;
}
