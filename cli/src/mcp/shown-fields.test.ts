import { describe, expect, it } from "vitest";
import { cleanText, shownFields } from "./shown-fields.ts";

describe("the fields of an answer", () => {
  it("are only those that are listed, also in lists", () => {
    const response = { id: "a", secret: "s", data: [{ name: "n", token: "t", inner: { x: 1, y: 2 } }], left: null };
    expect(shownFields(response, ["id", "data.name", "data.inner.x", "left"])).toEqual({
      id: "a",
      data: [{ name: "n", inner: { x: 1 } }],
    });
  });

  it("are never objects where a value is listed", () => {
    expect(
      shownFields({ name: { secret: "s" }, list: [{ secret: "s" }], tags: ["a"] }, ["name", "list", "tags"]),
    ).toEqual({ tags: ["a"] });
  });

  it("are everything below a star, but cleaned", () => {
    expect(shownFields({ rule: { when: { "a\nb": ["x\u202ey"] }, none: null }, other: 1 }, ["rule.*"])).toEqual({
      rule: { when: { "a b": ["x y"] } },
    });
  });

  it("have whole URLs of the web, and no others", () => {
    const url = `https://example.com/${"a".repeat(500)}`;
    expect(shownFields({ url, approve_page_url: "javascript:alert(1)" }, ["url", "approve_page_url"])).toEqual({
      url,
      approve_page_url: null,
    });
  });
});

describe("a text of another person", () => {
  it.each([
    ["line breaks", "a\r\n\nb", "a b"],
    ["directions", "a\u202eb\u2066c", "a b c"],
    ["tags that no one sees", "a\u{e0041}\u{e0042}b", "a b"],
    ["variation selectors that can carry bytes", "a\ufe00\u{e0100}b", "a b"],
    ["spaces without width", "a\u200b\u2060b", "a b"],
    ["half characters", "a\ud800b", "a\ufffdb"],
  ])("loses %s", (_, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  it("has at most 200 characters", () => {
    expect(cleanText("😀".repeat(200))).toBe("😀".repeat(200));
    expect(cleanText("😀".repeat(201))).toBe(`${"😀".repeat(199)}…`);
  });
});
