import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

const PAGE_BYTES_MAX = 100_000;
const PAGES = readdirSync("docs", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !/^(dist|node_modules)/.test(file))
  .map((file) => file.slice(0, -3));

describe("the documents", () => {
  const harness = useHarness();
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    harness.send({ method: "GET", url, headers });

  it.each(["/docs/", "/docs/quickstart", "/docs/decisions/0007-ledger"])(
    "200: %s is a page, whose policy allows only this server and the page's own inline scripts",
    async (path) => {
      const { status, headers, text } = await get(path);

      expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "text/html; charset=utf-8" });
      expect(headers["cache-control"]).toBe("no-store");
      const policy = String(headers["content-security-policy"]);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'( 'sha256-[\w+/]+=*')+; style-src 'self';/);
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(text).not.toMatch(/ style="|<style/);
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    },
  );

  it("302: /docs leads to the first page, whose links are relative", async () => {
    expect(await get("/docs")).toMatchObject({ status: 302, headers: { location: "/docs/" } });
  });

  it("200: the navigation has every page", async () => {
    const { text } = await get("/docs/");
    const linked = [...text.matchAll(/href="\/docs\/([^"#]*)"/g)].map(([, page]) => page || "index");

    expect(PAGES.length).toBeGreaterThan(30);
    expect(PAGES.filter((page) => !linked.includes(page))).toEqual([]);
  });

  it("404: an unknown page shows the site's own page", async () => {
    const { status, text } = await get("/docs/nothing");

    expect(status).toBe(404);
    expect(text).toContain("<title>404 | Purser</title>");
  });

  it("200: an asset is compressed and cached for a year", async () => {
    const file = /\/docs\/assets\/style[\w.-]+\.css/.exec((await get("/docs/")).text)?.[0] ?? "";

    const [compressed, plain] = [await get(file, { "accept-encoding": "gzip" }), await get(file)];

    expect(compressed.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "gzip",
      "content-type": "text/css; charset=utf-8",
    });
    expect(Number(compressed.headers["content-length"])).toBeLessThan(Number(plain.headers["content-length"]) / 2);
  });

  it.each([
    "index.html",
    "hashmap.json",
    "index.html.gz",
    "../package.json",
    "..%2fpackage.json",
    "%2e%2e/package.json",
    "..\\package.json",
    "assets/../../package.json",
    "assets//style.css",
    "/etc/passwd",
  ])("404: /docs/%s", async (file) => {
    expect((await get(`/docs/${file}`)).status).toBe(404);
  });

  it("a page with its scripts and styles has at most 100 kB compressed", async () => {
    for (const page of PAGES) {
      const { text } = await get(`/docs/${page}`);
      const parts = [...text.matchAll(/(?:src|href)="\/docs\/([^"]+\.(?:js|css))"/g)].map(([, file]) =>
        readFileSync(`docs/dist/${file}`),
      );
      const sizes = [Buffer.from(text), ...parts].map((part) => gzipSync(part, { level: 9 }).length);
      expect(parts.length).toBeGreaterThan(4);
      expect(
        sizes.reduce((sum, size) => sum + size, 0),
        page,
      ).toBeLessThanOrEqual(PAGE_BYTES_MAX);
    }
  });
});
