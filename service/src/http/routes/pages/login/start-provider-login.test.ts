import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("GET /login/github and /login/google", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const browser = () => newBrowser(harness, { from: accounts.newAddress() });

  it.each([
    ["github", "/login/oauth/authorize"],
    ["google", "/o/oauth2/v2/auth"],
  ])("302: redirects to %s with a state and a browser cookie", async (provider, path) => {
    const visitor = browser();
    const { status, headers } = await visitor.open(`/login/${provider}`);

    expect(status).toBe(302);
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["set-cookie"]).toMatch(/^svc_browser=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const { pathname, searchParams } = new URL(String(headers.location));
    expect(pathname).toBe(path);
    expect(searchParams.get("redirect_uri")).toBe(`http://purser.test/login/${provider}/return`);
    expect(searchParams.get("state")).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get("code_challenge_method")).toBe("S256");
  });

  it("302: query parameters do not change the redirect", async () => {
    const visitor = browser();

    const { headers } = await visitor.open(
      "/login/github?next=https://evil.example&redirect_uri=https://evil.example&state=theirs",
    );

    expect(String(headers.location)).not.toMatch(/evil|theirs/);
  });

  it("303: leads back to the login page after too many logins from one network", async () => {
    const visitor = browser();
    for (let login = 0; login < 30; login += 1) await visitor.open("/login/github");

    const { status, headers } = await visitor.open("/login/google");

    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: "/login?provider=google&outcome=rate_limited",
    });
    expect((await browser().open("/login/google")).status).toBe(302);
  });

  it("405: HEAD", async () => {
    const { status } = await harness.send({ method: "HEAD", url: "/login/github" });

    expect(status).toBe(405);
  });
});

describe("GET /login with Google as the only identity provider", () => {
  const harness = useHarness({
    replace: ({ identityProviders }) => ({
      identityProviders: { ...identityProviders, github: null },
    }),
  });

  it("404: /login/github", async () => {
    const visitor = newBrowser(harness);

    expect((await visitor.open("/login/github")).status).toBe(404);
    expect((await visitor.open("/login/github/return?code=c&state=s")).status).toBe(404);
  });
});
