import { Ajv, type ErrorObject } from "ajv";
import { describe, expect, it } from "vitest";
import { invalidFields } from "./schema-violations.ts";

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
ajv.addFormat("even", (text: string) => text.length % 2 === 0);
ajv.addFormat("lower", (text: string) => text === text.toLowerCase());

function errorsOf(schema: object, value: unknown): readonly ErrorObject[] {
  const validate = ajv.compile(schema);
  expect(validate(value)).toBe(false);
  return validate.errors ?? [];
}

const fieldsOf = (schema: object, value: unknown) =>
  invalidFields("/body", errorsOf(schema, value), { even: "must have an even length" });

describe("invalidFields", () => {
  it.each([
    [{ required: ["a/b~c"] }, {}, "/body/a~1b~0c", "required", "is required"],
    [
      { additionalProperties: false },
      { "a/b": 1 },
      "/body/a~1b",
      "additionalProperties",
      "is not a field of this request",
    ],
    [{ enum: ["a", "b"] }, "c", "/body", "enum", "must be one of a, b"],
    [{ enum: ["free"] }, "c", "/body", "enum", "must be free"],
    [{ type: ["integer", "array"] }, "a", "/body", "type", "must be a whole number or a list"],
    [{ minLength: 1 }, "", "/body", "minLength", "must have at least 1 character"],
    [{ maxItems: 2 }, [1, 2, 3], "/body", "maxItems", "must have at most 2 items"],
    [{ minProperties: 1 }, {}, "/body", "minProperties", "must have at least 1 field"],
    [{ exclusiveMaximum: 2 }, 2, "/body", "exclusiveMaximum", "must be less than 2"],
    [{ const: "a" }, "c", "/body", "const", 'must be "a"'],
    [{ type: "string" }, 1, "/body", "type", "must be a string"],
    [{ type: ["string", "null"] }, 1, "/body", "type", "must be a string or null"],
    [
      { properties: { list: { uniqueItems: true } } },
      { list: [1, 1] },
      "/body/list",
      "uniqueItems",
      "must not contain the same item twice",
    ],
    [{ format: "even" }, "abc", "/body", "format", "must have an even length"],
    [{ format: "lower" }, "ABC", "/body", "format", "does not have the required form"],
    [
      { pattern: "^a", description: "Starts with a." },
      "b",
      "/body",
      "pattern",
      "does not have the required form: Starts with a.",
    ],
    [{ pattern: "^a" }, "b", "/body", "pattern", "does not have the required form: see its schema"],
    [{ minimum: 2 }, 1, "/body", "minimum", "must be at least 2"],
  ])("describes the error in one sentence if schema %j rejects %j", (schema, value, pointer, code, detail) => {
    expect(fieldsOf(schema, value)).toEqual([{ pointer, code, detail }]);
  });

  it("returns one error for a member with a disallowed name", () => {
    const schema = { propertyNames: { maxLength: 2, pattern: "^a", description: "Short." } };

    expect(fieldsOf(schema, { abc: 1 })).toEqual([
      {
        pointer: "/body/abc",
        code: "maxLength",
        detail: "its name must have at most 2 characters",
      },
    ]);
    expect(fieldsOf(schema, { b: 1 })).toEqual([
      {
        pointer: "/body/b",
        code: "pattern",
        detail: "its name does not have the required form: Short.",
      },
    ]);
  });

  it("returns only the pattern's error if a value matches neither the pattern nor the format", () => {
    const both = { pattern: "^a", format: "even" };

    expect(fieldsOf(both, "bcd").map(({ code }) => code)).toEqual(["pattern"]);
    expect(
      fieldsOf({ properties: { x: { pattern: "^a" }, y: { format: "even" } } }, { x: "b", y: "b" })
        .map(({ pointer, code }) => `${pointer} ${code}`)
        .sort(),
    ).toEqual(["/body/x pattern", "/body/y format"]);
  });

  it("returns the pattern's error together with errors of keywords other than format", () => {
    const codes = fieldsOf({ pattern: "^a", maxLength: 1 }, "bc").map(({ code }) => code);

    expect(codes.sort()).toEqual(["maxLength", "pattern"]);
  });

  it("returns only the first 50 errors", () => {
    const schema = { items: { type: "string" } };

    expect(fieldsOf(schema, Array(50).fill(1))).toHaveLength(50);
    const fields = fieldsOf(schema, Array(60).fill(1));
    expect(fields).toHaveLength(50);
    expect(fields.at(-1)?.pointer).toBe("/body/49");
  });

  it("uses a general sentence if the error has no message", () => {
    const [error] = errorsOf({ multipleOf: 2 }, 1);
    if (error === undefined) throw new Error("The schema accepts the value.");
    const { message: _, ...silent } = error;

    expect(invalidFields("/query", [silent])).toEqual([
      { pointer: "/query", code: "multipleOf", detail: "is not valid" },
    ]);
  });

  it("uses a general sentence if a pattern's error has no schema", () => {
    const [error] = errorsOf({ pattern: "^a" }, "b");
    if (error === undefined) throw new Error("The schema accepts the value.");
    const { parentSchema: _, ...short } = error;

    expect(invalidFields("/query", [short]).map(({ detail }) => detail)).toEqual([
      "does not have the required form: see its schema",
    ]);
  });
});
