import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { type Consent, providerLoginsOf } from "../../../../../test/vendors/provider-logins.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import type { RedirectLogin } from "../../../../ports/identity-provider.ts";
import { VendorError } from "../../../../ports/vendor-error.ts";

const GONE =
  "This login is unknown, used or expired, or was begun in another browser. Begin it again.";

describe.each(IDENTITY_PROVIDERS)("GET /login/%s/return", (provider) => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);
  const browser = () => newBrowser(harness, { from: accounts.newAddress() });
  type Browser = ReturnType<typeof browser>;
  const name = provider === "github" ? "GitHub" : "Google";

  /** Goes to the provider and answers its page, up to the address that the browser is sent back to. */
  async function goThere(person: Browser, said?: Consent): Promise<string> {
    const { headers } = await person.open(`/login/${provider}`);
    const { pathname, search } = await logins.consent(String(headers.location), said);
    return pathname + search;
  }

  /** Comes back from the provider and follows the redirect, whose address carries nothing of the login. */
  async function comeBack(person: Browser, address: string, target = "/login") {
    const { status, headers } = await person.open(address, { "sec-fetch-site": "cross-site" });
    expect({ status, location: headers.location }).toEqual({ status: 303, location: target });
    return person.open(target);
  }

  const logIn = async (person: Browser, said?: Consent) =>
    comeBack(person, await goThere(person, said));

  const sessionsIn = async () =>
    (await accounts.query("select count(*)::int as count from sessions"))[0].count as number;

  it("303: logs in and redirects to the login page, which shows the outcome once", async () => {
    const email = accounts.newEmail();
    const person = browser();
    const address = await goThere(person, { email });

    const { headers } = await person.open(address);
    const first = await person.open("/login");
    const reloaded = await person.open("/login");

    expect([headers["set-cookie"]].flat()).toEqual([
      expect.stringMatching(/^svc_access=.*; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^svc_refresh=.*; HttpOnly; SameSite=Strict$/),
      `svc_login=${provider}.created; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
    ]);
    for (const { status, text } of [first, reloaded]) {
      expect(status).toBe(200);
      expect(text).toContain("<h1>You are logged in</h1>");
      expect(text).toContain(email);
    }
    expect(first.text).toContain("Your account has been made.");
    expect(reloaded.text).not.toContain("has been made");
    expect((await logIn(browser(), { email })).text).not.toContain("has been made");
  });

  it("200: reloads the login page once when the browser withheld the session cookies", async () => {
    const email = accounts.newEmail();
    const person = browser();
    await person.open(await goThere(person, { email }));
    // Chromium sends no SameSite=Strict cookie in a navigation that another site began.
    const withheld = { cookie: `svc_login=${person.cookies.get("svc_login")}` };

    const { text } = await person.open("/login", { ...withheld, "sec-fetch-site": "cross-site" });

    expect(text).toContain('<meta http-equiv="refresh" content="0;url=/login">');
    expect((await person.open("/login")).text).toContain(email);
    const sameOrigin = { ...withheld, "sec-fetch-site": "same-origin" };
    expect((await person.open("/login", sameOrigin)).text).not.toContain("refresh");
  });

  it.each(["github.nonsense", "evil.created", "<script>alert(1)</script>", "github.__proto__"])(
    "200: ignores the outcome cookie %j",
    async (outcome) => {
      const { status, text } = await browser().open("/login", { cookie: `svc_login=${outcome}` });

      expect(status).toBe(200);
      expect(text).not.toMatch(/role="alert"|<script/);
    },
  );

  it("200: says that the provider is another way in from now on", async () => {
    const { email } = await accounts.seedAccount();

    const answer = await logIn(browser(), { email });

    expect(answer.text).toContain(`From now on you can log in with ${name}.`);
  });

  it("303: asks for the second factor, also after a reload, and creates no session before it", async () => {
    const device = await secondFactors.seed();
    const person = browser();
    const address = await goThere(person, { email: device.email });

    await comeBack(person, address, "/login/code");
    const reloaded = await person.open("/login/code");

    expect(reloaded.status).toBe(200);
    expect(reloaded.text).toContain("<h1>Enter your code</h1>");
    expect(person.cookies.has("svc_access")).toBe(false);
    expect((await person.submit(reloaded, { code: device.code() })).status).toBe(303);
    expect((await person.open("/login")).text).toContain("<h1>You are logged in</h1>");
    expect((await person.open("/login/code")).status).toBe(303);
  });

  it("303: returns to the code of a device", async () => {
    const person = browser();
    await person.open("/login?user_code=bcdfghjk");

    const { status, headers } = await logIn(person, { email: accounts.newEmail() });

    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: "/device?user_code=BCDF-GHJK",
    });
  });

  it("303: takes an answer once, in the browser that asked, within ten minutes", async () => {
    const person = browser();
    const address = await goThere(person, { email: accounts.newEmail() });
    const stranger = browser();
    await stranger.open("/login");
    const late = await goThere(person, { email: accounts.newEmail() });
    const before = await sessionsIn();

    const refused = [
      await comeBack(stranger, address),
      await comeBack(browser(), address),
      await comeBack(person, address.replace(/state=[^&]+/, `state=${"x".repeat(43)}`)),
    ];
    expect(await sessionsIn()).toBe(before);
    expect((await comeBack(person, address)).text).toContain("<h1>You are logged in</h1>");
    refused.push(await comeBack(person, address));
    harness.clock.advanceSeconds(600);
    await person.open("/login");
    refused.push(await comeBack(person, late));

    for (const { text } of refused) expect(text).toContain(GONE);
    expect(await sessionsIn()).toBe(before + 1);
  });

  it("303: takes no state that was begun for the other provider", async () => {
    const person = browser();
    const other = provider === "github" ? "google" : "github";
    const { headers } = await person.open(`/login/${other}`);
    const state = new URL(String(headers.location)).searchParams.get("state") ?? "";

    const answer = await comeBack(person, `/login/${provider}/return?code=any&state=${state}`);

    expect(answer.text).toContain(GONE);
  });

  it("303: shows the login form after the person declines, and repeats nothing of the address", async () => {
    const person = browser();
    const attack = encodeURIComponent("<script>alert(1)</script>");

    for (const address of [
      await goThere(person, { decision: "deny" }),
      `/login/${provider}/return`,
      `/login/${provider}/return?error=${attack}&error_description=${attack}&state=${attack}`,
      `/login/${provider}/return?code=c&state=s&${attack}=${attack}`,
    ]) {
      const { text } = await comeBack(person, address);
      expect(text).toContain("<h1>Log in to Purser</h1>");
      expect(text).toContain(`<p role="alert">You are not logged in with ${name}. `);
      expect(text).not.toMatch(/<script|alert\(/);
      expect((await person.open("/login")).text).not.toContain('role="alert"');
    }
  });

  it("303: refuses an address that the provider has not verified, and a closed account", async () => {
    const { email } = await accounts.seedAccount();
    const shut = await accounts.seedAccount();
    await accounts.query("update developers set status = 'closed' where email = $1", [shut.email]);
    const before = await sessionsIn();

    const consents: Consent[] = [{ email, unverified: "yes" }, { email: shut.email }];
    for (const said of consents) {
      expect((await logIn(browser(), said)).text).toContain(`${name} did not say who you are`);
    }
    expect(await sessionsIn()).toBe(before);
  });

  it("303: explains why another account of the provider is refused", async () => {
    const email = accounts.newEmail();
    await logIn(browser(), { persona: "linus", email });

    const { text } = await logIn(browser(), { persona: "somebody", email });

    expect(text).toContain(`is linked to another ${name} account already`);
  });

  it("303: says that the provider cannot be reached, and creates nothing", async () => {
    const email = accounts.newEmail();
    const person = browser();
    const address = await goThere(person, { email });
    const operation = provider === "github" ? "githubAccessToken" : "token";
    harness.sandbox.force({ vendor: provider, operation, outcome: "timeout_lost" });

    const { text } = await comeBack(person, address);

    expect(text).toContain(`${name} cannot be reached right now. Try again shortly.`);
    expect(await accounts.query("select 1 from developers where email = $1", [email])).toEqual([]);
  });

  it("405: uses nothing up for a HEAD", async () => {
    const person = browser();
    const url = await goThere(person, { email: accounts.newEmail() });
    const cookie = [...person.cookies].map((pair) => pair.join("=")).join("; ");

    expect((await harness.send({ method: "HEAD", url, headers: { cookie } })).status).toBe(405);
    expect((await comeBack(person, url)).text).toContain("<h1>You are logged in</h1>");
  });
});

describe("GET /login/google/return with an ID token that is not good", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  it.each(["other_audience", "wrong_nonce", "expired", "other_key", "unsigned"])(
    "303: refuses one whose flaw is %s",
    async (id_token) => {
      const person = newBrowser(harness, { from: accounts.newAddress() });
      const { headers } = await person.open("/login/google");
      const { pathname, search } = await logins.consent(String(headers.location), {
        email: accounts.newEmail(),
        id_token,
      });

      expect((await person.open(pathname + search)).status).toBe(303);

      const { text } = await person.open("/login");
      expect(text).toContain("You are not logged in with Google");
      expect(person.cookies.has("svc_access")).toBe(false);
      expect(await accounts.query("select 1 from developers")).toEqual([]);
    },
  );
});

describe("GET /login/github/return where GitHub refuses the operator's own app", () => {
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

  it("303: says that GitHub cannot be reached, and logs why for the operator", async () => {
    const person = newBrowser(harness);
    const { headers } = await person.open("/login/github");
    const { search } = new URL(String(headers.location));

    await person.open(`/login/github/return${search}&code=c`);

    expect((await person.open("/login")).text).toContain("GitHub cannot be reached right now.");
    expect(harness.logLines.join("\n")).toContain("identity provider refuses the configured app");
  });
});
