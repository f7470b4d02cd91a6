import { readFile } from "node:fs/promises";
import { RE2JS } from "re2js";
import { expect, it } from "vitest";

const DOCUMENT = new URL("../../../openapi/openapi.json", import.meta.url);

/** Returns each schema that has a pattern, with its JSON pointer. */
function patternsIn(node: unknown, pointer: string): [pointer: string, schema: object][] {
  if (typeof node !== "object" || node === null) return [];
  const own = "pattern" in node && typeof node.pattern === "string" ? [node] : [];
  return [
    ...own.map((schema): [string, object] => [pointer, schema]),
    ...Object.entries(node).flatMap(([key, inner]) => patternsIn(inner, `${pointer}/${key}`)),
  ];
}

it("every pattern of the OpenAPI document compiles in RE2", async () => {
  const found = patternsIn(JSON.parse(await readFile(DOCUMENT, "utf8")), "");

  expect(found.length).toBeGreaterThan(50);
  for (const [pointer, schema] of found) {
    const pattern = "pattern" in schema ? String(schema.pattern) : "";
    expect(() => RE2JS.compile(pattern), pointer).not.toThrow();
    // If a value does not match the pattern, the validation error contains the schema's description. So every request
    // schema with a pattern needs a description.
    const isOfRequest = pointer.includes("Request/");
    if (isOfRequest) expect(schema, pointer).toHaveProperty("description");
  }
});
