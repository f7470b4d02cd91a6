import { describe, expect, it } from "vitest";
import { accountsOf, cookieOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";

const PATH = "/oauth/github/state";

describe("POST /developers/oauth/github/state", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  it("200: a 256-bit state and GitHub's URL; rows contain neither the state nor the cookie", async () => {
    const { status, body, headers } = await accounts.call("POST", PATH);

    expect(status).toBe(200);
    expect(body).toEqual({
      state: expect.stringMatching(/^[\w-]{43}$/),
      authorization_url: expect.any(String),
      expires_at: "2026-11-21T10:10:00.000Z",
    });
    const { searchParams } = new URL(body.authorization_url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      state: body.state,
      redirect_uri: "http://purser.test/login/github/return",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const cookie = cookieOf({ headers }, "svc_browser").replace("svc_browser=", "");
    const rows = await accounts.everyRow();
    expect(rows).toContain("login_states");
    expect(rows).not.toContain(body.state);
    expect(rows).not.toContain(cookie);
  });

  it("200: a SameSite=Lax cookie, sent on the redirect from GitHub, which scripts cannot read", async () => {
    const { headers } = await accounts.call("POST", PATH);

    expect(headers["set-cookie"]).toMatch(/^svc_browser=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("200: a second login in the same browser reuses its cookie, but a malformed cookie is replaced", async () => {
    const first = await accounts.call("POST", PATH);
    const cookie = cookieOf(first, "svc_browser");

    const second = await accounts.call("POST", PATH, undefined, { headers: { cookie } });
    expect(cookieOf(second, "svc_browser")).toBe(cookie);
    expect(second.body.state).not.toBe(first.body.state);
    const malformed = await accounts.call("POST", PATH, undefined, {
      headers: { cookie: "svc_browser=short" },
    });
    expect(cookieOf(malformed, "svc_browser")).toMatch(/^svc_browser=[\w-]{43}$/);
  });

  it("429: more than 30 calls per minute from one network", async () => {
    const from = accounts.newAddress();
    const answers = await Promise.all(
      Array.from({ length: 33 }, () => accounts.call("POST", PATH, undefined, { from })),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await accounts.call("POST", PATH)).status).toBe(200);
  });

  it("422: a body with fields", async () => {
    expect(await accounts.call("POST", PATH, { redirect_uri: "https://evil.example" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/redirect_uri" }] },
    });
  });
});

describe("POST /developers/oauth/github/state over https", () => {
  const harness = useHarness({ settings: { publicUrl: "https://purser.test" } });
  const accounts = accountsOf(harness);

  it("200: a __Host- cookie, which other hosts cannot set", async () => {
    const { headers } = await accounts.call("POST", PATH);

    expect(headers["set-cookie"]).toMatch(
      /^__Host-svc_browser=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

describe("provider logins without a GitHub or Google app", () => {
  const harness = useHarness({
    replace: () => ({ identityProviders: { github: null, google: null } }),
  });
  const accounts = accountsOf(harness);

  it.each([
    [PATH, undefined, "GitHub"],
    ["/oauth/github", { code: "c", state: "s" }, "GitHub"],
    ["/oauth/google", { id_token: "a.b.c" }, "Google"],
  ])("404: %s is not configured", async (path, body, name) => {
    expect(await accounts.call("POST", path, body)).toMatchObject({
      status: 404,
      body: {
        code: "not_found",
        detail: `Login with ${name} is not configured. Use another way to log in.`,
      },
    });
  });
});
