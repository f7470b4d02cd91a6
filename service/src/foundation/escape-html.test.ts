import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHtml } from "./text.ts";

const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" } as const;

/** Decodes the five entities that an escaped text may contain, as a browser does. */
function unescapeHtml(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof CHARACTERS) => CHARACTERS[name]);
}

const text = fc.string({ unit: fc.oneof(fc.constantFrom(..."&<>\"';#39amplt"), fc.string()) });

describe("escapeHtml", () => {
  it("escaped text is displayed unchanged in a browser", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(unescapeHtml(escapeHtml(any))).toBe(any);
      }),
    );
  });

  it("escaped text starts no tag, attribute or entity", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(escapeHtml(any)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it("unchanged: text without special characters", () => {
    expect(escapeHtml("naïve 漢字 1/2; #39")).toBe("naïve 漢字 1/2; #39");
  });
});
