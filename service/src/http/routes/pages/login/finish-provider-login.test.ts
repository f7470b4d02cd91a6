import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { type Consent, providerLoginsOf } from "../../../../../test/vendors/provider-logins.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import type { RedirectLogin } from "../../../../ports/identity-provider.ts";
import { VendorError } from "../../../../ports/vendor-error.ts";

describe.each(IDENTITY_PROVIDERS)("GET /login/%s/return", (provider) => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);
  const browser = () => newBrowser(harness, { from: accounts.newAddress() });
  type Browser = ReturnType<typeof browser>;

  /** Logs in at the provider. Returns the path that the provider redirects to. */
  async function authorize(visitor: Browser, consent?: Consent): Promise<string> {
    const { headers } = await visitor.open(`/login/${provider}`);
    const { pathname, search } = await logins.consent(String(headers.location), consent);
    return pathname + search;
  }

  /** Opens the path that the provider redirects to. It leads to the login page, which shows `outcome`. */
  const returnFromProvider = (visitor: Browser, address: string, outcome: string) =>
    followReturn(visitor, address, `/login?provider=${provider}&outcome=${outcome}`);

  async function followReturn(visitor: Browser, address: string, target: string) {
    const { status, headers } = await visitor.open(address, { "sec-fetch-site": "cross-site" });
    expect({ status, location: headers.location }).toEqual({ status: 303, location: target });
  }

  const logIn = async (visitor: Browser, outcome: string, consent?: Consent) =>
    returnFromProvider(visitor, await authorize(visitor, consent), outcome);

  /** Returns the email address of the developer that the browser is logged in as. */
  const emailOf = async (visitor: Browser) =>
    (await visitor.open("/api/v1/svc/developers/dashboard/me")).body.email as string | undefined;

  const countSessions = async () =>
    (await accounts.query("select count(*)::int as count from sessions"))[0].count as number;

  it("303: logs in, and names the outcome in the URL of the login page", async () => {
    const email = accounts.newEmail();
    const visitor = browser();

    const { headers } = await visitor.open(await authorize(visitor, { email }));

    expect([headers["set-cookie"]].flat()).toEqual([
      expect.stringMatching(/^svc_access=.*; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^svc_refresh=.*; HttpOnly; SameSite=Strict$/),
    ]);
    expect(headers.location).toBe(`/login?provider=${provider}&outcome=created`);
    expect(await emailOf(visitor)).toBe(email);
    await logIn(browser(), "logged_in", { email });
  });

  it("303: links the provider to the account with its address", async () => {
    const { email } = await accounts.seedAccount();
    const visitor = browser();

    await logIn(visitor, "linked", { email });

    expect(await emailOf(visitor)).toBe(email);
  });

  it("303: asks for the second factor; no session before it", async () => {
    const device = await secondFactors.seed();
    const visitor = browser();

    await followReturn(visitor, await authorize(visitor, { email: device.email }), "/login/code");

    expect(visitor.cookies.has("svc_access")).toBe(false);
    const headers = { "content-type": "application/json" };
    const code = JSON.stringify({ code: device.code() });
    expect((await visitor.sendRaw("/api/v1/svc/developers/login/totp", code, headers)).status).toBe(200);
    expect(await emailOf(visitor)).toBe(device.email);
  });

  it("303: a state is valid once, for ten minutes, in the browser that started the login", async () => {
    const visitor = browser();
    const address = await authorize(visitor, { email: accounts.newEmail() });
    const otherBrowser = browser();
    await otherBrowser.open(`/login/${provider}`);
    const late = await authorize(visitor, { email: accounts.newEmail() });
    const before = await countSessions();

    await returnFromProvider(otherBrowser, address, "invalid_state");
    await returnFromProvider(browser(), address, "invalid_state");
    await returnFromProvider(visitor, address.replace(/state=[^&]+/, `state=${"x".repeat(43)}`), "invalid_state");
    expect(await countSessions()).toBe(before);
    await returnFromProvider(visitor, address, "created");
    await returnFromProvider(visitor, address, "invalid_state");
    harness.clock.advanceSeconds(600);
    await returnFromProvider(visitor, late, "invalid_state");

    expect(await countSessions()).toBe(before + 1);
  });

  it("303: rejects a state from the other provider", async () => {
    const visitor = browser();
    const other = provider === "github" ? "google" : "github";
    const { headers } = await visitor.open(`/login/${other}`);
    const state = new URL(String(headers.location)).searchParams.get("state") ?? "";

    const address = `/login/${provider}/return?code=any&state=${state}`;
    await returnFromProvider(visitor, address, "invalid_state");
  });

  it("303: names no text of the provider if access was denied", async () => {
    const visitor = browser();
    const attack = encodeURIComponent("<script>alert(1)</script>");

    for (const [address, outcome] of [
      [await authorize(visitor, { decision: "deny" }), "authentication_failed"],
      [`/login/${provider}/return`, "authentication_failed"],
      [
        `/login/${provider}/return?error=${attack}&error_description=${attack}&state=${attack}`,
        "authentication_failed",
      ],
      [`/login/${provider}/return?code=c&state=s&${attack}=${attack}`, "invalid_state"],
    ] as const) {
      await returnFromProvider(visitor, address, outcome);
      expect(await emailOf(visitor)).toBeUndefined();
    }
  });

  it("303: rejects an unverified address and a closed account", async () => {
    const { email } = await accounts.seedAccount();
    const closed = await accounts.seedAccount();
    await accounts.query("update developers set status = 'closed' where email = $1", [closed.email]);
    const before = await countSessions();

    const consents: Consent[] = [{ email, unverified: "yes" }, { email: closed.email }];
    for (const consent of consents) {
      await logIn(browser(), "authentication_failed", consent);
    }
    expect(await countSessions()).toBe(before);
  });

  it("303: rejects a second account at a linked provider", async () => {
    const email = accounts.newEmail();
    await logIn(browser(), "created", { persona: "linus", email });

    const other = browser();
    await logIn(other, "conflict", { persona: "other", email });

    expect(await emailOf(other)).toBeUndefined();
  });

  it("303: creates no account if the provider cannot be reached", async () => {
    const email = accounts.newEmail();
    const visitor = browser();
    const address = await authorize(visitor, { email });
    const operation = provider === "github" ? "githubAccessToken" : "token";
    harness.sandbox.force({ vendor: provider, operation, outcome: "timeout_lost" });

    await returnFromProvider(visitor, address, "provider_unavailable");

    expect(await accounts.query("select 1 from developers where email = $1", [email])).toEqual([]);
  });

  it("405: HEAD, which does not use the state", async () => {
    const visitor = browser();
    const url = await authorize(visitor, { email: accounts.newEmail() });
    const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");

    expect((await harness.send({ method: "HEAD", url, headers: { cookie } })).status).toBe(405);
    await returnFromProvider(visitor, url, "created");
  });
});

describe("GET /login/google/return with an invalid ID token", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  it.each(["other_audience", "wrong_nonce", "expired", "other_key", "unsigned"])(
    "303: rejects the token: %s",
    async (id_token) => {
      const visitor = newBrowser(harness, { from: accounts.newAddress() });
      const { headers } = await visitor.open("/login/google");
      const { pathname, search } = await logins.consent(String(headers.location), {
        email: accounts.newEmail(),
        id_token,
      });

      const returned = await visitor.open(pathname + search);
      const location = "/login?provider=google&outcome=authentication_failed";
      expect(returned).toMatchObject({ status: 303, headers: { location } });
      expect(visitor.cookies.has("svc_access")).toBe(false);
      expect(await accounts.query("select 1 from developers")).toEqual([]);
    },
  );
});

describe("GET /login/github/return if GitHub rejects the operator's app credentials", () => {
  const github: RedirectLogin = {
    authorizationUrl: ({ state }) => `https://github.example/?state=${state}`,
    identify: () =>
      Promise.reject(
        new VendorError("refused", {
          vendor: "github",
          operation: "githubAccessToken",
          vendorCode: "incorrect_client_credentials",
        }),
      ),
  };
  const harness = useHarness({ replace: () => ({ identityProviders: { github, google: null } }) });

  it("303: leads back to the login page, and logs the reason for the operator", async () => {
    const visitor = newBrowser(harness);
    const { headers } = await visitor.open("/login/github");
    const { search } = new URL(String(headers.location));

    const returned = await visitor.open(`/login/github/return${search}&code=c`);

    expect(returned.headers.location).toBe("/login?provider=github&outcome=provider_unavailable");
    expect(harness.logLines.join("\n")).toContain("identity provider rejected the OAuth app");
  });
});
