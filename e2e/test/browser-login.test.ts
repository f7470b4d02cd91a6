import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartLine, start, useLocalLab } from "../../local/test/local-lab.ts";
import { useChromium, type Visitor } from "./browser/chromium.ts";
import { type HostileSite, startHostileSite } from "./browser/hostile-site.ts";
import { loginStepsAt } from "./browser/login-steps.ts";
import { enableSecondFactor, peopleOf, pollForPair } from "./browser/people.ts";

/** A machine that does much else takes its time over a browser. */
const TEST_MAX_MS = 120_000;

let line: StartLine;
let hostile: HostileSite;
const lab = useLocalLab(afterAll);
const chromium = useChromium(() => line.base_url);
const people = peopleOf(() => line);
const { at, logIn, fillIn, untilLoggedIn, beginWith } = loginStepsAt(() => line.base_url);

describe.skipIf(chromium.missing)(
  "a browser at the local profile",
  { timeout: TEST_MAX_MS },
  () => {
    beforeAll(async () => {
      hostile = await startHostileSite();
      ({ line } = await start(await lab.stoppedDataDir()));
    }, TEST_MAX_MS);

    afterAll(() => hostile.stop());

    it("logs in with address and password, keeps the session from scripts, and logs out", async () => {
      const { email } = await people.signUp();
      const visitor = await chromium.newVisitor();
      const { page, context } = visitor;

      await logIn(page, { email, password: "not the password" });
      await page.getByText("The email address or the password is wrong.").waitFor();
      expect(await sessionOf(visitor)).toEqual([]);
      await logIn(page, { email });
      await untilLoggedIn(page, email);

      const strict = { httpOnly: true, sameSite: "Strict", domain: "127.0.0.1" };
      const held = await context.cookies();
      // Over plain http, which only loopback is served by, no browser takes a cookie that is for https.
      expect(held.every(({ secure }) => !secure)).toBe(true);
      expect(held.map(({ name }) => name).sort()).toEqual([
        "svc_access",
        "svc_browser",
        "svc_refresh",
      ]);
      expect(cookieIn(held, "svc_access")).toMatchObject({ ...strict, path: "/" });
      const refreshPath = "/api/v1/svc/developers/";
      expect(cookieIn(held, "svc_refresh")).toMatchObject({ ...strict, path: refreshPath });
      expect(cookieIn(held, "svc_browser")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
      expect(await page.evaluate("document.cookie")).toBe("");

      await page.getByRole("button", { name: "Log out" }).click();
      await page.getByRole("button", { name: "Log in" }).waitFor();
      expect(await sessionOf(visitor)).toEqual([]);
      // Whoever has copied the cookies has nothing either.
      await context.addCookies(held);
      await page.goto(at("/login"));
      expect(await page.getByRole("button", { name: "Log in" }).isVisible()).toBe(true);
    });

    it.each(["GitHub", "Google"])("logs in with %s over its consent page", async (provider) => {
      const email = people.newEmail();
      const visitor = await chromium.newVisitor();
      const { page } = visitor;

      await beginWith(page, provider);
      await consent(page, { email });
      await page.getByText("Your account was created.").waitFor();
      await untilLoggedIn(page, email);
      expect(page.url()).toBe(at("/login"));
      await page.reload();
      await untilLoggedIn(page, email);

      await page.getByRole("button", { name: "Log out" }).click();
      await page.getByRole("button", { name: "Log in" }).waitFor();
      await beginWith(page, provider);
      await consent(page, { email });
      await untilLoggedIn(page, email);
      expect(await page.getByRole("alert").count()).toBe(0);
    });

    it.each(["GitHub", "Google"])("is refused what %s has answered already", async (provider) => {
      const visitor = await chromium.newVisitor();
      const { page } = visitor;
      await beginWith(page, provider);
      const returned = page.waitForRequest(/\/return\?/);
      await consent(page, { email: people.newEmail() });
      const address = (await returned).url();
      await page.getByRole("button", { name: "Log out" }).click();
      await page.getByRole("button", { name: "Log in" }).waitFor();

      await page.goto(address);

      await refusedBy(visitor, provider);
    });

    it.each(["GitHub", "Google"])(
      "is refused what another browser began with %s",
      async (provider) => {
        const attacker = await chromium.newVisitor();
        const email = people.newEmail("mallory");
        await beginWith(attacker.page, provider);
        const address = await keepAnswer(attacker, () => consent(attacker.page, { email }));

        for (const hasBeenHere of [false, true]) {
          const victim = await chromium.newVisitor();
          if (hasBeenHere) await victim.page.goto(at("/login"));
          await victim.page.goto(address);
          await refusedBy(victim, provider);
        }
        // It was their being another's that was wrong with it.
        await attacker.page.goto(address);
        await untilLoggedIn(attacker.page, email);
      },
    );

    it("stays logged in after a reload when the provider is another site", async () => {
      const visitor = await chromium.newVisitor();
      const { page } = visitor;
      const email = people.newEmail();
      await beginWith(page, "GitHub");
      const address = await keepAnswer(visitor, () => consent(page, { email }));
      hostile.put(`<script>location.href = ${JSON.stringify(address)}</script>`);

      await page.goto(hostile.crossSite);

      await page.getByText("Your account was created.").waitFor();
      await untilLoggedIn(page, email);
      expect(page.url()).toBe(at("/login"));
      await page.reload();
      await untilLoggedIn(page, email);
    });

    it("is refused a token that Google made for another app", async () => {
      const visitor = await chromium.newVisitor();
      await beginWith(visitor.page, "Google");
      await visitor.page.getByLabel("It").selectOption("other_audience");
      await consent(visitor.page, { email: people.newEmail() });

      await refusedBy(visitor, "Google");
    });

    it.each(["GitHub", "Google"])("is told so after declining at %s", async (provider) => {
      const visitor = await chromium.newVisitor();
      await beginWith(visitor.page, provider);
      await visitor.page.getByRole("button", { name: "Deny" }).click();

      await refusedBy(visitor, provider);
    });

    it("gives a second factor: a code of the device, or a recovery code", async () => {
      const person = await people.signUp();
      const device = await enableSecondFactor(person);
      const [recoveryCode = ""] = device.recoveryCodes;

      for (const code of [device.code, recoveryCode]) {
        const visitor = await chromium.newVisitor();
        const { page } = visitor;
        await logIn(page, person);
        await page.getByLabel("Code").fill("not-a-code");
        await page.getByRole("button", { name: "Log in" }).click();
        await page.getByText("The code is wrong").waitFor();
        expect(await sessionOf(visitor)).toEqual([]);
        await page.getByLabel("Code").fill(` ${code} `);
        await page.getByRole("button", { name: "Log in" }).click();
        await untilLoggedIn(page, person.email);
      }

      const again = await chromium.newVisitor();
      await logIn(again.page, person);
      await again.page.getByLabel("Code").fill(recoveryCode);
      await again.page.getByRole("button", { name: "Log in" }).click();
      await again.page.getByText("The code is wrong").waitFor();
      expect(await sessionOf(again)).toEqual([]);
    });

    it("sets a new password by the mailed link, which ends every session", async () => {
      const { email } = await people.signUp();
      const elsewhere = await chromium.newVisitor();
      await logIn(elsewhere.page, { email });
      await untilLoggedIn(elsewhere.page, email);
      const { page } = await chromium.newVisitor();
      const password = "a wholly other whistle";

      await page.goto(at("/login"));
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button", { name: "Mail me a link" }).click();
      await page.getByText("the mail is on its way").waitFor();
      const link = await people.mailedLink(email, "Choose a new password");
      await page.goto(link);
      await setPassword(page, password);
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();

      await elsewhere.page.goto(at("/login"));
      expect(await elsewhere.page.getByRole("button", { name: "Log in" }).isVisible()).toBe(true);
      await logIn(page, { email });
      await page.getByText("The email address or the password is wrong.").waitFor();
      await logIn(page, { email, password });
      await untilLoggedIn(page, email);
      await page.goto(link);
      await setPassword(page, "yet another whistle");
      await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    });

    it("approves a device, whose command line then receives its pair", async () => {
      const { email } = await people.signUp();
      const cli = people.visitor();
      const begun = await cli.developers.devices.begin({ client_name: "purser on ada's laptop" });
      const pair = pollForPair(cli, begun);
      const { page } = await chromium.newVisitor();

      await page.goto(begun.verification_uri_complete);
      await page.getByRole("link", { name: "log in" }).click();
      await fillIn(page, { email });
      await page.getByText("purser on ada's laptop").waitFor();
      await page.getByRole("button", { name: "Approve with a test key" }).click();
      await page.getByRole("heading", { name: "Approved" }).waitFor();

      const { api_key: apiKey, api_secret: apiSecret, key } = await pair;
      expect(key).toMatchObject({ mode: "test", name: "purser on ada's laptop" });
      expect((await people.as({ apiKey, apiSecret }).developers.me()).email).toBe(email);
    });
  },
);

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set the password" }).click();
}

/** Says on a provider's page that one is somebody at this address, and allows the app what it asks for. */
async function consent(page: Page, { email }: { readonly email: string }): Promise<void> {
  await page.getByLabel("Another user").check();
  await page.getByLabel("Another address").fill(email);
  await page.getByRole("button", { name: "Allow" }).click();
}

/** Waits for the login form with the refusal. There is no session then, neither here nor after a reload. */
async function refusedBy(visitor: Visitor, provider: string): Promise<void> {
  const { page } = visitor;
  await page.getByText(`You are not logged in with ${provider}.`).waitFor();
  expect(page.url()).toBe(at("/login"));
  expect(await sessionOf(visitor)).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Log in" }).waitFor();
}

/** The names of the cookies that a session is kept in. */
async function sessionOf({ context }: Visitor): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name);
  return names.filter((name) => name !== "svc_browser");
}

function cookieIn<Cookie extends { readonly name: string }>(
  cookies: readonly Cookie[],
  name: string,
): Cookie | undefined {
  return cookies.find((cookie) => cookie.name === name);
}

/** The address that a provider's answer leads back to, without going there: theirs to keep, with a code that nobody has used. */
async function keepAnswer({ context }: Visitor, answer: () => Promise<void>): Promise<string> {
  const { promise: address, resolve } = Promise.withResolvers<string>();
  await context.route("**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    resolve(response.headers()["location"] ?? "");
    return route.abort();
  });
  await answer();
  const kept = await address;
  await context.unrouteAll({ behavior: "wait" });
  return kept;
}
