import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { openapiDocument } from "../../test/every-route.ts";

/** Returns each schema that has a pattern, with its JSON pointer. */
function patternsIn(node: unknown, pointer: string): [pointer: string, schema: object][] {
  if (typeof node !== "object" || node === null) return [];
  const own = "pattern" in node && typeof node.pattern === "string" ? [node] : [];
  return [
    ...own.map((schema): [string, object] => [pointer, schema]),
    ...Object.entries(node).flatMap(([key, inner]) => patternsIn(inner, `${pointer}/${key}`)),
  ];
}

/** What RE2 can read, and Python cannot. */
const UNKNOWN_TO_PYTHON = /\\[pPzQC]|\\x\{|\[:|\(\?</;

it("every pattern of the OpenAPI document compiles in RE2 and in Python", () => {
  const found = patternsIn(openapiDocument, "");

  expect(found.length).toBeGreaterThan(50);
  for (const [pointer, schema] of found) {
    const pattern = "pattern" in schema ? String(schema.pattern) : "";
    expect(() => RE2JS.compile(pattern), pointer).not.toThrow();
    expect(pattern, pointer).not.toMatch(UNKNOWN_TO_PYTHON);
    // If a value does not match the pattern, the validation error contains the schema's description. So every request
    // schema with a pattern needs a description.
    const isOfRequest = /(Request|Input|Condition|Facts)\//.test(pointer);
    if (isOfRequest) expect(schema, pointer).toHaveProperty("description");
  }
});
