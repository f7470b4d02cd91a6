import { describe, expect, it } from "vitest";
import { urlsInEmail } from "./urls-in-email.ts";

const linksOf = (html: string, text = "") => urlsInEmail({ html, text });

describe("urlsInEmail", () => {
  it("returns URLs of the HTML's anchors first, then of the text, without duplicates", () => {
    const html = '<a class="button" href="https://a.test/verify?token=1">Verify</a>';
    const text = "Verify: https://a.test/verify?token=1\nHelp: http://b.test/help";

    expect(linksOf(html, text)).toEqual(["https://a.test/verify?token=1", "http://b.test/help"]);
  });

  it.each([
    ["double quotes", '<a href="https://a.test/x">'],
    ["single quotes", "<a href='https://a.test/x'>"],
    ["no quotes", "<A HREF=https://a.test/x>"],
    ["a line break and a second attribute", '<a\n data-href="https://no.test/" href = "https://a.test/x">'],
  ])("reads an href with %s", (_case, html) => {
    expect(linksOf(html)).toEqual(["https://a.test/x"]);
  });

  it("decodes HTML entities", () => {
    expect(linksOf('<a href="https://a.test/?a=1&amp;b=2&#38;c=&#x33;">')).toEqual(["https://a.test/?a=1&b=2&c=3"]);
    expect(linksOf('<a href="https://a.test/&#9999999;">')).toHaveLength(1);
  });

  it("ignores other protocols and other elements", () => {
    const html =
      '<link href="https://fonts.test/"><a href="javascript:alert(1)"><a href="mailto:a@b.co"><a href="/x"><a href>';

    expect(linksOf(html, "ftp://a.test and https://")).toEqual([]);
  });

  it.each([
    ["(see https://a.test/x).", "https://a.test/x"],
    ["Open https://a.test/x?y=1, then", "https://a.test/x?y=1"],
    ["<https://a.test/x>", "https://a.test/x"],
    ["https://a.test/Purser_(ship)!", "https://a.test/Purser_(ship)"],
  ])("excludes punctuation after a URL: %s", (text, link) => {
    expect(linksOf("", text)).toEqual([link]);
  });

  it.each([
    ["unclosed anchors", "<a ".repeat(300_000), ""],
    ["unclosed quotes", `<a href="${'href="'.repeat(150_000)}`, ""],
    ["white space after an href", `<a href${" ".repeat(900_000)}>`, ""],
    ["a long run of punctuation", "", `https://a.test/${"!".repeat(900_000)}x`],
    ["URLs in URLs", "", "http://".repeat(140_000)],
  ])("takes linear time for %s", (_case, html, text) => {
    const startedMs = performance.now();

    linksOf(html, text);

    // A search in quadratic time would take minutes for these inputs.
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
