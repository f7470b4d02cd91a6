import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";

describe("GET /login", () => {
  const harness = useHarness();
  const open = (query = "", method: "GET" | "HEAD" = "GET") => harness.send({ method, url: `/login${query}` });

  it("200: states that the address is verified, and how to get the first key", async () => {
    const { status, text, headers } = await open("?verified=1");

    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toContain("<h1>Your email address is verified</h1>");
    expect(text).toContain("http://purser.test/api/v1/svc/developers/login");
    expect(text).toContain("http://purser.test/api/v1/svc/developers/register");
  });

  it("200: states why the verification link does not work, and what to do next", async () => {
    const { status, text } = await open("?verify=unknown");

    expect(status).toBe(200);
    expect(text).toContain("<h1>This link does not work</h1>");
    expect(text).toContain('href="/login"');
    expect(text).toContain('href="/login/forgot"');
  });

  it.each([
    "",
    "?verified=",
    "?verified=2",
    "?verified=1&verified=1",
    "?utm_source=mail",
    "?__proto__=1",
    "?a[b]=<script>",
  ])("200: shows the login form for the query %j, without text from the query", async (query) => {
    const { status, text } = await open(query);

    expect(status).toBe(200);
    expect(text).toContain("<h1>Log in to Purser</h1>");
    expect(text).not.toContain("<script");
  });

  it("200: the policy allows only the page's own style", async () => {
    const { text, headers } = await open("?verified=1");
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? "";
    const styleHash = createHash("sha256").update(style).digest("base64");

    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
    });
    expect(text).not.toMatch(/\son\w+=|style=|src=/);
    expect(style).toContain("color-scheme: light dark");
  });

  it("200: HEAD; 405: PUT", async () => {
    expect(await open("?verified=1", "HEAD")).toMatchObject({ status: 200, text: "" });
    expect(await harness.send({ method: "PUT", url: "/login" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, POST" },
    });
  });
});
