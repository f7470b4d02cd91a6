import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";

describe("the dashboard", () => {
  const harness = useHarness();
  const configured = useHarness({
    environment: {
      STRIPE_API_URL: "https://api.stripe.com",
      STRIPE_PUBLISHABLE_KEY: "pk_live_1",
      PLAID_CLIENT_ID: "0123456789abcdef",
      PLAID_TEST_SECRET: "0123456789abcdef01",
      PLAID_SANDBOX_API_URL: "http://127.0.0.1:9",
      PURSER_CAPTCHA: "turnstile",
      CAPTCHA_SITE_KEY: "site-key",
      CAPTCHA_SECRET_KEY: "captcha-secret",
      TURNSTILE_API_URL: "https://challenges.cloudflare.com",
    },
  });
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    harness.send({ method: "GET", url, headers });

  it.each(["/login", "/login/reset", "/signup", "/device", "/dashboard", "/dashboard/test/wallets/wal_1", "/admin"])(
    "200: %s is the app, whose policy allows only this server's scripts and styles with its nonce",
    async (path) => {
      const [first, second] = await Promise.all([get(path), get(path)]);
      const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? "";

      expect(first.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(first.headers["cache-control"]).toBe("no-store");
      const policy = String(first.headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
      expect(policy).toContain(`'nonce-${nonceOf(first.text)}'`);
      expect(nonceOf(first.text)).not.toBe(nonceOf(second.text));
      expect(first.text).not.toMatch(/<script(?![^>]* src=)|style="/);
    },
  );

  it("200: the policy has the origins of the widgets that are configured, and the page their public settings", async () => {
    const { text, headers } = await configured.send({ method: "GET", url: "/dashboard" });
    const admin = await configured.send({ method: "GET", url: "/admin" });

    const policy = String(headers["content-security-policy"]);
    const [stripe, plaid] = ["https://js.stripe.com https://*.js.stripe.com", "http://127.0.0.1:9"];
    const turnstile = "https://challenges.cloudflare.com";
    expect(policy).toContain(`script-src 'self' ${stripe} ${plaid} ${turnstile};`);
    expect(policy).toContain(`frame-src ${stripe} https://hooks.stripe.com ${plaid} ${turnstile};`);
    expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
    const settings = /<meta name="purser-widgets" content="([^"]+)">/.exec(text)?.[1] ?? "";
    expect(JSON.parse(settings.replaceAll("&quot;", '"'))).toEqual([
      { name: "stripe", mode: "live", key: "pk_live_1", script: "https://js.stripe.com/endive/stripe.js" },
      { name: "plaid", mode: "test", script: "http://127.0.0.1:9/link/v2/stable/link-initialize.js" },
      { name: "turnstile", script: `${turnstile}/turnstile/v0/api.js?render=explicit` },
    ]);
    expect(text).not.toMatch(/0123456789abcdef|captcha-secret/);
    expect(admin.headers["content-security-policy"]).toContain("script-src 'self'; ");
    const none = await get("/dashboard");
    expect(none.headers["content-security-policy"]).toContain("script-src 'self'; ");
    expect(none.headers["content-security-policy"]).toContain("frame-src 'none'");
    expect(none.text).toContain('<meta name="purser-widgets" content="[]">');
  });

  it("200: an asset is compressed and cached for a year", async () => {
    const file = /\/assets\/developers-[\w-]+\.js/.exec((await get("/dashboard")).text)?.[0] ?? "";

    const [compressed, plain] = [await get(file, { "accept-encoding": "gzip" }), await get(file)];

    expect(compressed.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "gzip",
      "content-type": "text/javascript; charset=utf-8",
    });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(Number(compressed.headers["content-length"])).toBeLessThan(Number(plain.headers["content-length"]) / 2);
  });

  it.each(["none.js", "..%2findex.html", "index.html", "developers.js.gz"])("404: /assets/%s", async (file) => {
    expect((await get(`/assets/${file}`)).status).toBe(404);
  });

  it("the scripts of the first screen have at most 260 kB compressed", async () => {
    const named = [...(await get("/dashboard")).text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)];
    const sizes = await Promise.all(
      named.map(async ([, url = ""]) =>
        Number((await get(url, { "accept-encoding": "gzip" })).headers["content-length"]),
      ),
    );

    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(260_000);
    expect(readdirSync("dashboard/dist/assets").filter((name) => name.endsWith(".map"))).toEqual([]);
  });
});
