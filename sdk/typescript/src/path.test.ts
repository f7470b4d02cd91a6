import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PurserError } from "./errors.ts";
import { path } from "./path.ts";

describe("path", () => {
  it("one segment that decodes to the ID: any ID", () => {
    const id = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(id, (text) => {
        const segments = path`/projects/${text}/env`.split("/");
        expect(segments).toHaveLength(4);
        expect(decodeURIComponent(segments[2] ?? "")).toBe(text);
      }),
    );
  });

  it("each ID in its segment: a path has two IDs", () => {
    expect(path`/projects/${"a"}/services/${"..."}`).toBe("/projects/a/services/...");
  });

  it.each(["", ".", "..", undefined, 7])("an error: the ID is %j", (id) => {
    expect(() => path`/projects/${id as string}`).toThrow(PurserError);
    expect(() => path`/projects/${id as string}`).toThrow(`${JSON.stringify(id)} is not an id.`);
  });
});
