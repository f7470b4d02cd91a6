import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson, StrictJsonError } from "./strict-json.ts";

const DIGITS = { keepNumberSources: true };
const bytes = (text: string) => new TextEncoder().encode(text);

function reasonOf(body: Uint8Array): string {
  try {
    parseStrictJson(body, DIGITS);
    return "accepted";
  } catch (thrown) {
    return thrown instanceof StrictJsonError ? thrown.reason : String(thrown);
  }
}

/** Shortens a text for use in a test title. */
const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 20)}… of ${text.length} characters` : text);

const withName = <Rest extends readonly unknown[]>([text, ...rest]: readonly [string, ...Rest]) =>
  [shown(text), text, ...rest] as const;

function errorOf(text: string): StrictJsonError {
  try {
    parseStrictJson(bytes(text), DIGITS);
  } catch (thrown) {
    if (thrown instanceof StrictJsonError) return thrown;
    throw thrown;
  }
  throw new Error(`${shown(text)} is accepted.`);
}

describe("parseStrictJson", () => {
  const REJECTED: readonly [text: string, reason: string][] = [
    ['{"a":1,"a":1}', "duplicate_key"],
    ['{"a":1,"b":{"c":1,"c":2}}', "duplicate_key"],
    ['[{"a":1},{"a":1,"\\u0061":2}]', "duplicate_key"],
    ['{"":1,"":2}', "duplicate_key"],
    ['{"a":1, "a" : [] }', "duplicate_key"],
    ['{"__proto__":1}', "forbidden_key"],
    ['{"\\u005f_proto__":{"a":1}}', "forbidden_key"],
    ['{"a":[{"__proto__":null}]}', "forbidden_key"],
    [`${"[".repeat(33)}${"]".repeat(33)}`, "too_deep"],
    [`${'{"a":'.repeat(33)}1${"}".repeat(33)}`, "too_deep"],
    ['{"a":[1,"\\ud800"]}', "lone_surrogate"],
    ['{"\\udc00":1}', "lone_surrogate"],
    [`[${"1,".repeat(1_000)}1]`, "too_many_entries"],
    [`{${Array.from({ length: 1_001 }, (_, index) => `"${index}":[]`)}}`, "too_many_entries"],
    [`[${"[]\n,".repeat(1_000)}`, "too_many_entries"],
    [`[${`[${"1,".repeat(998)}1],`.repeat(9)}[${"1,".repeat(998)}1]]`, "too_many_values"],
    ["", "not_json"],
    ["{", "not_json"],
    ["{} {}", "not_json"],
    ["{'a':1}", "not_json"],
    ['{"a":01}', "not_json"],
    ['{"a":NaN}', "not_json"],
    ['{"a":"\u0001"}', "not_json"],
    ["\ufeff{}", "not_json"],
  ];

  it.each(REJECTED.map(withName))("rejected: $0 ($2)", (_, text, reason) => {
    expect(reasonOf(bytes(text))).toBe(reason);
  });

  it("not_utf8: bytes that are not UTF-8", () => {
    for (const body of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ]) {
      expect(reasonOf(Uint8Array.from(body))).toBe("not_utf8");
    }
  });

  const ACCEPTED = [
    `${"[".repeat(32)}${"]".repeat(32)}`,
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"b\\":1,\\"b\\":2","c":"d:e","f":"\\\\"}',
    '["a","a",{"a":"a"}]',
    '"a"',
    "null",
    `[${"1,".repeat(999)}1]`,
    `[${"[],".repeat(999)}{}]`,
    `[${`[${"1,".repeat(998)}1],`.repeat(9)}[${"1,".repeat(997)}1]]`,
    // Whitespace does not count as a value. Otherwise this text would have more than 10,000 values.
    `[${Array(10).fill(`[${"[ ],".repeat(997)}[ ]]`)}]`,
    " [ ] ",
  ];

  it.each(ACCEPTED.map((text) => withName([text])))("accepts %s", (_, text) => {
    expect(parseStrictJson(bytes(text), DIGITS).value).toEqual(JSON.parse(text));
  });

  it("returns the same value as JSON.parse for JSON without strict violations", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const reason = reasonOf(bytes(text));
        if (reason === "accepted") expect(parseStrictJson(bytes(text), DIGITS).value).toEqual(JSON.parse(text));
        else expect(["duplicate_key", "forbidden_key"]).toContain(reason);
      }),
      { numRuns: 1_000 },
    );
  });

  it("counts members correctly if no object has duplicate names", () => {
    const key = fc.string().filter((name) => name !== "__proto__");
    const value = fc.letrec((tie) => ({
      any: fc.oneof(fc.string(), fc.integer(), fc.dictionary(key, tie("any")), fc.array(tie("any"))),
    })).any;
    fc.assert(
      fc.property(value, (one) => {
        expect(reasonOf(bytes(JSON.stringify(one)))).toBe("accepted");
      }),
      { numRuns: 1_000 },
    );
  });

  const BROKEN: readonly [text: string, line: number, column: number][] = [
    ["", 1, 1],
    ['{\n  "a": 1,\n  "b": tru\n}', 3, 8],
    ["{'a':1}", 1, 2],
    ['{"a":1,}', 1, 8],
    ["// why\n{}", 1, 1],
    ['"a', 1, 1],
    ["{} {}", 1, 4],
    [`${"}".repeat(250_000)}`, 1, 1],
  ];

  it.each(BROKEN.map(withName))("returns the position where %j stops being JSON", (_, text, line, column) => {
    expect(errorOf(text)).toMatchObject({ position: { line, column } });
  });

  it.each([
    ['{"a":[1,{"b/c~":"\\ud800"}]}', "lone_surrogate", "/a/1/b~1c~0"],
    ['{"a":{"\\ud800":1}}', "lone_surrogate", "/a"],
    ['"\\ud800"', "lone_surrogate", ""],
    ['[{"a":{"__proto__":1}}]', "forbidden_key", "/0/a"],
    ['{"a":1,"a":1}', "duplicate_key", ""],
  ])("the error has the location: %s is rejected", (text, reason, pointer) => {
    expect(errorOf(text)).toMatchObject({ name: "StrictJsonError", reason, pointer });
  });

  it("a pointer with the first 100 characters of a name: the name is longer", () => {
    expect(errorOf(`{"${"n".repeat(101)}":"\\ud800"}`).pointer).toBe(`/${"n".repeat(100)}`);
  });

  it("the parser's error as the cause: a body is not UTF-8 or not JSON", () => {
    expect(errorOf("{").cause).toBeInstanceOf(SyntaxError);
    expect(() => parseStrictJson(Uint8Array.of(0xff), DIGITS)).toThrow(
      expect.objectContaining({ cause: expect.any(TypeError) }),
    );
  });

  it("no position: a body is rejected for a reason other than its syntax", () => {
    expect(errorOf('{"a":1,"a":1}').position).toBeUndefined();
  });

  it("returns the digits of a number as received", () => {
    const json = parseStrictJson(bytes('{"a":12.10,"b":[9007199254740993,1e400],"c":"1"}'), DIGITS);
    const value = json.value as { b: readonly number[] };

    expect(json.numberSource(value, "a")).toBe("12.10");
    expect(json.numberSource(value.b, 0)).toBe("9007199254740993");
    expect(json.numberSource(value.b, 1)).toBe("1e400");
    expect(json.numberSource(value, "c")).toBeUndefined();
    const without = parseStrictJson(bytes('{"a":1}'), { keepNumberSources: false });
    expect(without.numberSource(without.value as object, "a")).toBeUndefined();
  });

  it("takes linear time on 256 KiB of quotes and backslashes", () => {
    const text = JSON.stringify({ a: '\\"'.repeat(60_000), b: ":".repeat(60_000) });

    expect(reasonOf(bytes(text))).toBe("accepted");
    expect(reasonOf(bytes(`"${"\\".repeat(250_000)}`))).toBe("not_json");
  });
});
