import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { type Consent, providerLoginsOf } from "../../../../../test/vendors/provider-logins.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import type { RedirectLogin } from "../../../../ports/identity-provider.ts";
import { VendorError } from "../../../../ports/vendor-error.ts";

const INVALID_STATE =
  "This login is unknown, expired or already used, or was started in another browser. Start the login again.";

describe.each(IDENTITY_PROVIDERS)("GET /login/%s/return", (provider) => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);
  const browser = () => newBrowser(harness, { from: accounts.newAddress() });
  type Browser = ReturnType<typeof browser>;
  const name = provider === "github" ? "GitHub" : "Google";

  /** Logs in at the provider. Returns the path that the provider redirects to. */
  async function authorize(visitor: Browser, consent?: Consent): Promise<string> {
    const { headers } = await visitor.open(`/login/${provider}`);
    const { pathname, search } = await logins.consent(String(headers.location), consent);
    return pathname + search;
  }

  /** Opens the path that the provider redirects to, and follows the redirect to the page that shows `outcome`. */
  const returnFromProvider = (visitor: Browser, address: string, outcome: string) =>
    followReturn(visitor, address, `/login?provider=${provider}&outcome=${outcome}`);

  async function followReturn(visitor: Browser, address: string, target: string) {
    const { status, headers } = await visitor.open(address, { "sec-fetch-site": "cross-site" });
    expect({ status, location: headers.location }).toEqual({ status: 303, location: target });
    return visitor.open(target);
  }

  const logIn = async (visitor: Browser, outcome: string, consent?: Consent) =>
    returnFromProvider(visitor, await authorize(visitor, consent), outcome);

  const countSessions = async () =>
    (await accounts.query("select count(*)::int as count from sessions"))[0].count as number;

  it("303: logs in; the login page shows the outcome in its URL", async () => {
    const email = accounts.newEmail();
    const visitor = browser();
    const address = await authorize(visitor, { email });

    const { headers } = await visitor.open(address);
    const first = await visitor.open(String(headers.location));
    const later = await visitor.open("/login");

    expect([headers["set-cookie"]].flat()).toEqual([
      expect.stringMatching(/^svc_access=.*; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^svc_refresh=.*; HttpOnly; SameSite=Strict$/),
    ]);
    expect(headers.location).toBe(`/login?provider=${provider}&outcome=created`);
    for (const { status, text } of [first, later]) {
      expect(status).toBe(200);
      expect(text).toContain("<h1>You are logged in</h1>");
      expect(text).toContain(email);
    }
    expect(first.text).toContain("Your account was created.");
    expect(later.text).not.toContain('role="alert"');
    expect((await logIn(browser(), "logged_in", { email })).text).not.toContain('role="alert"');
  });

  it("200: reloads the login page once if the browser withheld the session cookies", async () => {
    const email = accounts.newEmail();
    const visitor = browser();
    const { headers } = await visitor.open(await authorize(visitor, { email }));
    const address = String(headers.location);
    // Chromium withholds `SameSite=Strict` cookies if another site started the navigation.
    const withheld = { cookie: "" };

    const { text } = await visitor.open(address, { ...withheld, "sec-fetch-site": "cross-site" });

    expect(text).toContain(`<meta http-equiv="refresh" content="0;url=${address.replace("&", "&amp;")}">`);
    expect((await visitor.open(address)).text).toContain(email);
    const sameOrigin = { ...withheld, "sec-fetch-site": "same-origin" };
    expect((await visitor.open(address, sameOrigin)).text).not.toContain("refresh");
  });

  it.each([
    "provider=github&outcome=nonsense",
    "provider=evil&outcome=created",
    "provider=github&outcome=%3Cscript%3Ealert(1)%3C/script%3E",
    "provider=github&outcome=__proto__",
    "provider=github&provider=google&outcome=created",
    "outcome=created",
  ])("200: ignores the unknown outcome %s", async (outcome) => {
    const { status, text } = await browser().open(`/login?${outcome}`);

    expect(status).toBe(200);
    expect(text).not.toMatch(/role="alert"|<script/);
  });

  it("200: states that the provider was linked", async () => {
    const { email } = await accounts.seedAccount();

    const response = await logIn(browser(), "linked", { email });

    expect(response.text).toContain(`You can now log in with ${name}.`);
  });

  it("303: asks for the second factor, also after a reload; no session before it", async () => {
    const device = await secondFactors.seed();
    const visitor = browser();
    const address = await authorize(visitor, { email: device.email });

    await followReturn(visitor, address, "/login/code");
    const reloaded = await visitor.open("/login/code");

    expect(reloaded.status).toBe(200);
    expect(reloaded.text).toContain("<h1>Enter your code</h1>");
    expect(visitor.cookies.has("svc_access")).toBe(false);
    expect((await visitor.submit(reloaded, { code: device.code() })).status).toBe(303);
    expect((await visitor.open("/login")).text).toContain("<h1>You are logged in</h1>");
    expect((await visitor.open("/login/code")).status).toBe(303);
  });

  it("303: returns to the device's page", async () => {
    const visitor = browser();
    await visitor.open("/login?user_code=bcdfghjk");

    const { status, headers } = await logIn(visitor, "created", { email: accounts.newEmail() });

    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: "/device?user_code=BCDF-GHJK",
    });
  });

  it("303: a state is valid once, for ten minutes, in the browser that started the login", async () => {
    const visitor = browser();
    const address = await authorize(visitor, { email: accounts.newEmail() });
    const otherBrowser = browser();
    await otherBrowser.open("/login");
    const late = await authorize(visitor, { email: accounts.newEmail() });
    const before = await countSessions();

    const refused = [
      await returnFromProvider(otherBrowser, address, "invalid_state"),
      await returnFromProvider(browser(), address, "invalid_state"),
      await returnFromProvider(visitor, address.replace(/state=[^&]+/, `state=${"x".repeat(43)}`), "invalid_state"),
    ];
    expect(await countSessions()).toBe(before);
    expect((await returnFromProvider(visitor, address, "created")).text).toContain("<h1>You are logged in</h1>");
    refused.push(await returnFromProvider(visitor, address, "invalid_state"));
    harness.clock.advanceSeconds(600);
    await visitor.open("/login");
    refused.push(await returnFromProvider(visitor, late, "invalid_state"));

    for (const { text } of refused) expect(text).toContain(INVALID_STATE);
    expect(await countSessions()).toBe(before + 1);
  });

  it("303: rejects a state from the other provider", async () => {
    const visitor = browser();
    const other = provider === "github" ? "google" : "github";
    const { headers } = await visitor.open(`/login/${other}`);
    const state = new URL(String(headers.location)).searchParams.get("state") ?? "";

    const address = `/login/${provider}/return?code=any&state=${state}`;
    const response = await returnFromProvider(visitor, address, "invalid_state");

    expect(response.text).toContain(INVALID_STATE);
  });

  it("303: shows the login form if access was denied, without text from the query string", async () => {
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
      const { text } = await returnFromProvider(visitor, address, outcome);
      expect(text).toContain("<h1>Log in to Purser</h1>");
      expect(text).toContain(`<p role="alert">You are not logged in with ${name}. `);
      expect(text).not.toMatch(/<script|alert\(/);
      expect((await visitor.open("/login")).text).not.toContain('role="alert"');
    }
  });

  it("303: rejects an unverified address and a closed account", async () => {
    const { email } = await accounts.seedAccount();
    const closed = await accounts.seedAccount();
    await accounts.query("update developers set status = 'closed' where email = $1", [closed.email]);
    const before = await countSessions();

    const consents: Consent[] = [{ email, unverified: "yes" }, { email: closed.email }];
    for (const consent of consents) {
      const { text } = await logIn(browser(), "authentication_failed", consent);
      expect(text).toContain(`${name} did not confirm your identity`);
    }
    expect(await countSessions()).toBe(before);
  });

  it("303: rejects a second account at a linked provider, and shows the reason", async () => {
    const email = accounts.newEmail();
    await logIn(browser(), "created", { persona: "linus", email });

    const { text } = await logIn(browser(), "conflict", { persona: "other", email });

    expect(text).toContain(`is already linked to another ${name} account`);
  });

  it("303: states that the provider cannot be reached, and creates no account", async () => {
    const email = accounts.newEmail();
    const visitor = browser();
    const address = await authorize(visitor, { email });
    const operation = provider === "github" ? "githubAccessToken" : "token";
    harness.sandbox.force({ vendor: provider, operation, outcome: "timeout_lost" });

    const { text } = await returnFromProvider(visitor, address, "provider_unavailable");

    expect(text).toContain(`${name} cannot be reached. Try again in a minute.`);
    expect(await accounts.query("select 1 from developers where email = $1", [email])).toEqual([]);
  });

  it("405: HEAD, which does not use the state", async () => {
    const visitor = browser();
    const url = await authorize(visitor, { email: accounts.newEmail() });
    const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");

    expect((await harness.send({ method: "HEAD", url, headers: { cookie } })).status).toBe(405);
    expect((await returnFromProvider(visitor, url, "created")).text).toContain("<h1>You are logged in</h1>");
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
      expect(returned.status).toBe(303);

      const { text } = await visitor.open(String(returned.headers.location));
      expect(text).toContain("You are not logged in with Google");
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

  it("303: states that GitHub cannot be reached, and logs the reason for the operator", async () => {
    const visitor = newBrowser(harness);
    const { headers } = await visitor.open("/login/github");
    const { search } = new URL(String(headers.location));

    const returned = await visitor.open(`/login/github/return${search}&code=c`);

    expect((await visitor.open(String(returned.headers.location))).text).toContain("GitHub cannot be reached.");
    expect(harness.logLines.join("\n")).toContain("identity provider rejected the OAuth app");
  });
});
