import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartLine, start, useLocalProfile } from "../../local/test/local-profile.ts";
import { type BrowserSession, useChromium } from "./browser/chromium.ts";
import { type HostileSite, startHostileSite } from "./browser/hostile-site.ts";
import { loginStepsAt } from "./browser/login-steps.ts";
import { createTestUsers, enableSecondFactor, pollForPair } from "./browser/test-users.ts";
import { expectAccessible } from "./dashboard/use-dashboard.ts";

/** This limit is high, because browsers are slow on a busy machine. */
const TEST_MAX_MS = 120_000;

let line: StartLine;
let hostile: HostileSite;
const lab = useLocalProfile(afterAll);
const chromium = useChromium(() => line.base_url);
const users = createTestUsers(() => line);
const { at, logIn, logOut, fillIn, untilLoggedIn, openProvider } = loginStepsAt(() => line.base_url);

describe.skipIf(chromium.missing)("a browser and a server with the local profile", { timeout: TEST_MAX_MS }, () => {
  beforeAll(async () => {
    hostile = await startHostileSite();
    ({ line } = await start(await lab.stoppedDataDir()));
  }, TEST_MAX_MS);

  afterAll(() => hostile.stop());

  it("logs in with email and password, hides the session from scripts, and logs out", async () => {
    const { email } = await users.signUp();
    const session = await chromium.newSession();
    const { page, context } = session;

    await logIn(page, { email, password: "not the password" });
    await page.getByText("The email address or the password is wrong.").waitFor();
    expect(await sessionCookiesOf(session)).toEqual([]);
    await logIn(page, { email });
    await untilLoggedIn(page, email);

    const strict = { httpOnly: true, sameSite: "Strict", domain: "127.0.0.1" };
    const cookies = await context.cookies();
    // The cookies are not Secure, because the local profile uses http, and browsers reject Secure cookies over http.
    expect(cookies.every(({ secure }) => !secure)).toBe(true);
    expect(cookies.map(({ name }) => name).sort()).toEqual(["svc_access", "svc_refresh"]);
    expect(cookieIn(cookies, "svc_access")).toMatchObject({ ...strict, path: "/" });
    const refreshPath = "/api/v1/svc/developers/";
    expect(cookieIn(cookies, "svc_refresh")).toMatchObject({ ...strict, path: refreshPath });
    expect(await page.evaluate("document.cookie")).toBe("");

    await logOut(page);
    expect(await sessionCookiesOf(session)).toEqual([]);
    // The logout also invalidates copies of the cookies.
    await context.addCookies(cookies);
    await page.goto(at("/login"));
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  it.each(["GitHub", "Google"])("logs in with %s", async (provider) => {
    const email = users.newEmail();
    const session = await chromium.newSession();
    const { page } = session;

    await openProvider(page, provider);
    await consent(page, { email });
    await untilLoggedIn(page, email);
    expect(page.url()).toBe(at("/dashboard/test"));
    await page.reload();
    await untilLoggedIn(page, email);

    await logOut(page);
    await openProvider(page, provider);
    await consent(page, { email });
    await untilLoggedIn(page, email);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it.each(["GitHub", "Google"])("rejects a %s callback URL that was already used", async (provider) => {
    const session = await chromium.newSession();
    const { page } = session;
    await openProvider(page, provider);
    const returned = page.waitForRequest(/\/return\?/);
    await consent(page, { email: users.newEmail() });
    const callbackUrl = (await returned).url();
    await logOut(page);

    await page.goto(callbackUrl);

    await expectRefused(session, provider, "invalid_state");
  });

  it.each(["GitHub", "Google"])("rejects a %s login that another browser started", async (provider) => {
    const attacker = await chromium.newSession();
    const email = users.newEmail("mallory");
    await openProvider(attacker.page, provider);
    const callbackUrl = await interceptCallbackUrl(attacker, () => consent(attacker.page, { email }));

    for (const hasVisited of [false, true]) {
      const victim = await chromium.newSession();
      if (hasVisited) await victim.page.goto(at("/login"));
      await victim.page.goto(callbackUrl);
      await expectRefused(victim, provider, "invalid_state");
    }
    // The callback URL works in the browser that started the login.
    await attacker.page.goto(callbackUrl);
    await untilLoggedIn(attacker.page, email);
  });

  it("stays logged in after another site redirects to the login callback and the page is reloaded", async () => {
    const session = await chromium.newSession();
    const { page } = session;
    const email = users.newEmail();
    await openProvider(page, "GitHub");
    const callbackUrl = await interceptCallbackUrl(session, () => consent(page, { email }));
    hostile.put(`<script>location.href = ${JSON.stringify(callbackUrl)}</script>`);

    await page.goto(hostile.crossSite);

    await untilLoggedIn(page, email);
    await page.reload();
    await untilLoggedIn(page, email);
  });

  it("rejects a Google token for another app", async () => {
    const session = await chromium.newSession();
    await openProvider(session.page, "Google");
    await session.page.getByLabel("The token").selectOption("other_audience");
    await consent(session.page, { email: users.newEmail() });

    await expectRefused(session, "Google", "authentication_failed");
  });

  it.each(["GitHub", "Google"])("does not log in if the user denies consent at %s", async (provider) => {
    const session = await chromium.newSession();
    await openProvider(session.page, provider);
    await expectAccessible(session.page);
    await session.page.getByRole("button", { name: "Deny" }).click();

    await expectRefused(session, provider, "authentication_failed");
  });

  it("logs in with a TOTP code or a recovery code, each only once", async () => {
    const user = await users.signUp();
    const device = await enableSecondFactor(user);
    const [recoveryCode = ""] = device.recoveryCodes;

    for (const code of [device.code, recoveryCode]) {
      const session = await chromium.newSession();
      const { page } = session;
      await logIn(page, user);
      await page.getByLabel("Code").fill("not-a-code");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("The code is wrong").waitFor();
      expect(await sessionCookiesOf(session)).toEqual([]);
      await page.getByLabel("Code").fill(` ${code} `);
      await page.getByRole("button", { name: "Continue" }).click();
      await untilLoggedIn(page, user.email);
    }

    const third = await chromium.newSession();
    await logIn(third.page, user);
    await third.page.getByLabel("Code").fill(recoveryCode);
    await third.page.getByRole("button", { name: "Continue" }).click();
    await third.page.getByText("The code is wrong").waitFor();
    expect(await sessionCookiesOf(third)).toEqual([]);
  });

  it("sets a new password with the emailed URL, which ends every session", async () => {
    const { email } = await users.signUp();
    const other = await chromium.newSession();
    await logIn(other.page, { email });
    await untilLoggedIn(other.page, email);
    const { page } = await chromium.newSession();
    const password = "a wholly other whistle";

    await page.goto(at("/login"));
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("button", { name: "Send me a link" }).click();
    await page.getByText("the email is on its way").waitFor();
    const link = await users.emailedUrl(email, "Choose a new password");
    await page.goto(link);
    await setPassword(page, password);
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();

    await other.page.goto(at("/login"));
    await other.page.getByRole("button", { name: "Sign in" }).waitFor();
    await logIn(page, { email });
    await page.getByText("The email address or the password is wrong.").waitFor();
    await logIn(page, { email, password });
    await untilLoggedIn(page, email);
    await page.goto(link);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  });

  it("approves a device login; the program then receives a key pair", async () => {
    const { email } = await users.signUp();
    const cli = users.anonymousClient();
    const deviceLogin = await cli.developers.devices.begin({
      client_name: "purser on ada's laptop",
    });
    const pair = pollForPair(cli, deviceLogin);
    const { page } = await chromium.newSession();

    await page.goto(deviceLogin.verification_uri_complete);
    await fillIn(page, { email });
    await page.getByText("purser on ada's laptop").waitFor();
    await page.getByRole("button", { name: "Approve with a test key" }).click();
    await page.getByRole("heading", { name: "Approved" }).waitFor();

    const { api_key: apiKey, api_secret: apiSecret, key } = await pair;
    expect(key).toMatchObject({ mode: "test", name: "purser on ada's laptop" });
    expect((await users.as({ apiKey, apiSecret }).developers.me()).email).toBe(email);
  });
});

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set the password" }).click();
}

/** Enters an email address on the provider's page and gives consent. */
async function consent(page: Page, { email }: { readonly email: string }): Promise<void> {
  await page.getByLabel("Another user").check();
  await page.getByLabel("Different address").fill(email);
  await page.getByRole("button", { name: "Allow" }).click();
}

function outcomePath(provider: string, outcome: string): string {
  return `/login?provider=${provider.toLowerCase()}&outcome=${outcome}`;
}

/** Expects an error message on the login form and no session, even after a reload. */
async function expectRefused(session: BrowserSession, provider: string, outcome: string): Promise<void> {
  const { page } = session;
  await page.getByText(`You are not signed in with ${provider}`).waitFor();
  expect(page.url()).toBe(at(outcomePath(provider, outcome)));
  expect(await sessionCookiesOf(session)).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
}

async function sessionCookiesOf({ context }: BrowserSession): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name);
  return names.filter((name) => name !== "svc_browser");
}

function cookieIn<Cookie extends { readonly name: string }>(
  cookies: readonly Cookie[],
  name: string,
): Cookie | undefined {
  return cookies.find((cookie) => cookie.name === name);
}

/** Returns a provider's callback URL without opening the URL. The authorization code in the URL stays unused. */
async function interceptCallbackUrl({ context }: BrowserSession, consent: () => Promise<void>): Promise<string> {
  const { promise: callbackUrl, resolve } = Promise.withResolvers<string>();
  await context.route("**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    resolve(response.headers()["location"] ?? "");
    return route.abort();
  });
  await consent();
  const url = await callbackUrl;
  await context.unrouteAll({ behavior: "wait" });
  return url;
}
