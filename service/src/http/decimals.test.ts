import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { AppError } from "../foundation/errors.ts";
import { parseStrictJson } from "../foundation/strict-json.ts";
import { Clearable, DecimalIn, Nullable } from "../foundation/wire/fields.ts";
import { hasDecimals, preserveDecimals } from "./decimals.ts";
import { compileValidator } from "./validation.ts";

const strict = { additionalProperties: false };
const InUnion = Type.Union([
  Type.Object({ kind: Type.Literal("fixed"), amount: DecimalIn }, strict),
  Type.Object({ kind: Type.Literal("none") }, strict),
]);

/** Parses a body and validates it, as the server does. Returns the value of its only field, or the invalid pointers. */
function read(schema: TSchema, amount: string) {
  const whole = Type.Object({ field: schema }, strict);
  const bytes = Buffer.from(`{"field":${amount}}`);
  const json = parseStrictJson(bytes, { keepNumberSources: hasDecimals(whole) });
  preserveDecimals(whole, json);
  const validate = compileValidator({ schema: whole, method: "POST", url: "/", httpPart: "body" });
  const outcome = validate(json.value) as true | { readonly error: AppError };
  if (outcome === true) return (json.value as { readonly field: unknown }).field;
  return outcome.error.errors.map(({ pointer }) => pointer);
}

const SHAPES: readonly (readonly [string, TSchema, (amount: string) => string])[] = [
  ["a field", DecimalIn, (amount) => amount],
  ["a field that can be cleared", Clearable(DecimalIn), (amount) => amount],
  ["a union with null", Nullable(DecimalIn), (amount) => amount],
  ["a union with a number", Type.Union([DecimalIn, Type.Number()]), (amount) => amount],
  ["oneOf", Type.Unsafe({ oneOf: [DecimalIn, { type: "null" }] }), (amount) => amount],
  ["allOf", Type.Unsafe({ allOf: [DecimalIn] }), (amount) => amount],
  ["an object in a union", InUnion, (amount) => `{"kind":"fixed","amount":${amount}}`],
  ["an array of arrays", Type.Array(Type.Array(Nullable(DecimalIn))), (amount) => `[[null,${amount}]]`],
  ["an array in a union", Nullable(Type.Array(DecimalIn)), (amount) => `[${amount}]`],
  [
    "nested records",
    Type.Record(Type.String(), Type.Record(Type.String(), DecimalIn)),
    (amount) => `{"a":{"b":${amount}}}`,
  ],
  [
    "a record next to a named field",
    Type.Object({ name: Type.Number() }, { additionalProperties: Nullable(DecimalIn) }),
    (amount) => `{"name":1,"other":${amount}}`,
  ],
];

describe.each(SHAPES)("a decimal in %s", (_shape, schema, bodyOf) => {
  it.each(["100.00", "9007199254740993", "0.000001"])("keeps the digits of the number %s", (amount) => {
    expect(read(schema, bodyOf(amount))).toEqual(JSON.parse(bodyOf(`"${amount}"`)));
  });

  it.each(["1e2", "-1", "-0", "0.1000000000000000055", "1E400"])("rejects the number %s", (amount) => {
    expect(read(schema, bodyOf(amount))).toContainEqual(expect.stringMatching(/^\/body\/field/));
  });
});

it("a number in another field remains a number", () => {
  const schema = Type.Object({ amount: Nullable(DecimalIn), count: Type.Integer() }, strict);

  expect(read(schema, '{"amount":1.50,"count":2}')).toEqual({ amount: "1.50", count: 2 });
});
