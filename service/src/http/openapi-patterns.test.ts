import { readFile } from "node:fs/promises";
import { RE2JS } from "re2js";
import { expect, it } from "vitest";

const DOCUMENT = new URL("../../../openapi/openapi.json", import.meta.url);

/** Every schema in the document that has a pattern, with its own place. */
function patternsIn(node: unknown, place: string): [place: string, schema: object][] {
  if (typeof node !== "object" || node === null) return [];
  const own = "pattern" in node && typeof node.pattern === "string" ? [node] : [];
  return [
    ...own.map((schema): [string, object] => [place, schema]),
    ...Object.entries(node).flatMap(([key, inner]) => patternsIn(inner, `${place}/${key}`)),
  ];
}

it("compiles in RE2: every pattern of the OpenAPI document", async () => {
  const found = patternsIn(JSON.parse(await readFile(DOCUMENT, "utf8")), "");

  expect(found.length).toBeGreaterThan(50);
  for (const [place, schema] of found) {
    const pattern = "pattern" in schema ? String(schema.pattern) : "";
    expect(() => RE2JS.compile(pattern), place).not.toThrow();
    // A value that does not match is answered with the description.
    const isOfRequest = place.includes("Request/");
    if (isOfRequest) expect(schema, place).toHaveProperty("description");
  }
});
