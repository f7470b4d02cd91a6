import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { formOf, newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { type Consent, providerLoginsOf } from "../../../../../test/provider-logins.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
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

  const logIn = async (person: Browser, said?: Consent) =>
    person.open(await goThere(person, said), { "sec-fetch-site": "cross-site" });

  const sessionsIn = async () =>
    (await accounts.query("select count(*)::int as count from sessions"))[0].count as number;

  it("200: logs in, and says so on the very page, since the cookies would not come along elsewhere", async () => {
    const email = accounts.newEmail();
    const person = browser();

    const answer = await logIn(person, { email });

    expect(answer.status).toBe(200);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.text).toContain("<h1>You are logged in</h1>");
    expect(answer.text).toContain("Your account has been made.");
    expect(answer.text).toContain(email);
    const set = [answer.headers["set-cookie"] ?? []].flat();
    expect(set.filter((cookie) => /^svc_(access|refresh)=/.test(cookie))).toEqual([
      expect.stringMatching(/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/; HttpOnly; SameSite=Strict$/),
    ]);
    expect((await person.open("/login")).text).toContain(email);
    expect((await logIn(browser(), { email })).text).not.toContain("has been made");
  });

  it("200: says that the provider is another way in from now on", async () => {
    const { email } = await accounts.seedAccount();

    const answer = await logIn(browser(), { email });

    expect(answer.text).toContain(`From now on you can log in with ${name}.`);
  });

  it("200: asks for the second factor, and gives no session before it", async () => {
    const device = await secondFactors.seed();
    const person = browser();

    const answer = await logIn(person, { email: device.email });

    expect(answer.status).toBe(200);
    expect(answer.text).toContain("<h1>Enter your code</h1>");
    expect(person.cookies.has("svc_access")).toBe(false);
    const { mfa_token = "" } = formOf(answer.text).hidden;
    expect((await secondFactors.finish(mfa_token, device.code())).status).toBe(200);
  });

  it("422: takes an answer once, in the browser that asked, within ten minutes", async () => {
    const person = browser();
    const address = await goThere(person, { email: accounts.newEmail() });
    const stranger = browser();
    await stranger.open("/login");
    const late = await goThere(person, { email: accounts.newEmail() });
    const before = await sessionsIn();

    const refused = [
      await stranger.open(address),
      await browser().open(address),
      await person.open(address.replace(/state=[^&]+/, `state=${"x".repeat(43)}`)),
    ];
    expect(await sessionsIn()).toBe(before);
    expect((await person.open(address)).status).toBe(200);
    refused.push(await person.open(address));
    harness.clock.advanceSeconds(600);
    await person.open("/login");
    refused.push(await person.open(late));

    for (const { status, text } of refused) {
      expect(status).toBe(422);
      expect(text).toContain(GONE);
    }
    expect(await sessionsIn()).toBe(before + 1);
  });

  it("422: takes no state that was begun for the other provider", async () => {
    const person = browser();
    const other = provider === "github" ? "google" : "github";
    const { headers } = await person.open(`/login/${other}`);
    const state = new URL(String(headers.location)).searchParams.get("state") ?? "";

    const answer = await person.open(`/login/${provider}/return?code=any&state=${state}`);

    expect(answer.status).toBe(422);
    expect(answer.text).toContain(GONE);
  });

  it("401: says that nothing came of it where the person declines, and repeats nothing of the address", async () => {
    const person = browser();
    const declined = await goThere(person, { decision: "deny" });
    const attack = encodeURIComponent("<script>alert(1)</script>");

    const answers = [
      await person.open(declined),
      await person.open(`/login/${provider}/return`),
      await person.open(
        `/login/${provider}/return?error=${attack}&error_description=${attack}&state=${attack}`,
      ),
      await person.open(`/login/${provider}/return?code=c&state=s&${attack}=${attack}`),
    ];

    for (const { status, text, headers } of answers) {
      expect([401, 422]).toContain(status);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(text).toContain(`<h1>You are not logged in with ${name}</h1>`);
      expect(text).not.toMatch(/<script|alert\(/);
    }
  });

  it("401: takes nobody whose address the provider has not verified, and no shut account", async () => {
    const { email } = await accounts.seedAccount();
    const shut = await accounts.seedAccount();
    await accounts.query("update developers set status = 'closed' where email = $1", [shut.email]);
    const before = await sessionsIn();

    const answers = [
      await logIn(browser(), { email, unverified: "yes" }),
      await logIn(browser(), { email: shut.email }),
    ];

    for (const { status, text } of answers) {
      expect(status).toBe(401);
      expect(text).toContain(`${name} did not say who you are`);
    }
    expect(await sessionsIn()).toBe(before);
  });

  it("409: says why another account of the provider is not taken", async () => {
    const email = accounts.newEmail();
    await logIn(browser(), { persona: "linus", email });

    const { status, text } = await logIn(browser(), { persona: "somebody", email });

    expect(status).toBe(409);
    expect(text).toContain(`This account has another ${name} account already.`);
  });

  it("503: says that the provider cannot be reached, and makes nothing", async () => {
    const email = accounts.newEmail();
    const person = browser();
    const address = await goThere(person, { email });
    const operation = provider === "github" ? "githubAccessToken" : "token";
    harness.sandbox.force({ vendor: provider, operation, outcome: "timeout_lost" });

    const { status, text, headers } = await person.open(address);

    expect(status).toBe(503);
    expect(headers["retry-after"]).toBeDefined();
    expect(text).toContain(`${name} cannot be reached right now. Try again shortly.`);
    expect(await accounts.query("select 1 from developers where email = $1", [email])).toEqual([]);
  });

  it("405: uses nothing up for a HEAD", async () => {
    const person = browser();
    const url = await goThere(person, { email: accounts.newEmail() });
    const cookie = [...person.cookies].map((pair) => pair.join("=")).join("; ");

    expect((await harness.send({ method: "HEAD", url, headers: { cookie } })).status).toBe(405);
    expect((await person.open(url)).status).toBe(200);
  });
});

describe("GET /login/google/return with an ID token that is not good", () => {
  const harness = useHarness({ vendors: true });
  const accounts = accountsOf(harness);
  const logins = providerLoginsOf(harness, accounts);

  it.each(["other_audience", "wrong_nonce", "expired", "other_key", "unsigned"])(
    "401: refuses one whose flaw is %s",
    async (id_token) => {
      const person = newBrowser(harness, { from: accounts.newAddress() });
      const { headers } = await person.open("/login/google");
      const { pathname, search } = await logins.consent(String(headers.location), {
        email: accounts.newEmail(),
        id_token,
      });

      const { status, text } = await person.open(pathname + search);

      expect(status).toBe(401);
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

  it("503: tells nobody that they are somebody else, and the operator what is wrong", async () => {
    const person = newBrowser(harness);
    const { headers } = await person.open("/login/github");
    const { search } = new URL(String(headers.location));

    const { status } = await person.open(`/login/github/return${search}&code=c`);

    expect(status).toBe(503);
    expect(harness.logLines.join("\n")).toContain("an identity provider refuses this service");
  });
});
