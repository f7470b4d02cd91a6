import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";

const NEW_PASSWORD = "glass whistle under tin";

describe("the pages that set a new password", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  /** A browser that has asked for a mail, and the path of the mail's link. */
  async function arrange(seed = {}) {
    const { email } = await accounts.seedAccount(seed);
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    const asked = await browser.submit(await browser.open("/login/forgot"), { email });
    await harness.deliverMails();
    const mail = harness.mails.findLast(({ to }) => to === email);
    const path = /http:\/\/purser\.test(\/login\/reset\?token=[\w-]+)/.exec(mail?.text ?? "")?.[1];
    return { email, browser, asked, path: path ?? "" };
  }

  it("200: lead from the login by a mail to a new password, and log out everywhere", async () => {
    const { email, browser, asked, path } = await arrange();
    await browser.submit(await browser.open("/login"), { email, password: PASSWORD });
    expect(browser.cookies.has("svc_access")).toBe(true);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain("Look into your mailbox");

    const set = await browser.submit(await browser.open(path), { password: NEW_PASSWORD });

    expect(set.status).toBe(200);
    expect(set.text).toContain("Your password is set");
    expect(browser.cookies.has("svc_access")).toBe(false);
    expect((await accounts.logIn(email)).status).toBe(401);
    expect((await accounts.logIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it("200: say the same of an address that nobody has, and of what is none", async () => {
    const { asked, browser } = await arrange();
    for (const email of [accounts.newEmail(), "nobody", ""]) {
      const other = await browser.submit(await browser.open("/login/forgot"), { email });
      expect(other).toMatchObject({ status: 200, text: asked.text });
    }
  });

  it("200: use nothing up when the link is only followed", async () => {
    const { browser, path } = await arrange();
    for (let look = 0; look < 3; look += 1) await newBrowser(harness).open(path);

    const set = await browser.submit(await browser.open(path), { password: NEW_PASSWORD });

    expect(set.status).toBe(200);
  });

  it("422: say what is wrong with a password and show it never, then take a better one", async () => {
    const { browser, path } = await arrange();

    const weak = await browser.submit(await browser.open(path), { password: "short" });

    expect(weak.status).toBe(422);
    expect(weak.text).toContain("The password must have at least 12 characters.");
    expect(weak.text).not.toContain("short");
    expect((await browser.submit(weak, { password: NEW_PASSWORD })).status).toBe(200);
  });

  it("422: tell that a link is used, or was made up, whatever is in it", async () => {
    const { browser, path } = await arrange();
    await browser.submit(await browser.open(path), { password: NEW_PASSWORD });

    for (const dead of [path, '/login/reset?token="><script>', "/login/reset"]) {
      const form = await browser.open(dead);
      expect(form.text).not.toContain("<script");
      const answer = await browser.submit(form, { password: "another good password" });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("This link does not work");
    }
  });

  it("422: take each form once, in the browser that it was shown to", async () => {
    const { browser, path } = await arrange();
    const form = await browser.open(path);
    const stranger = newBrowser(harness);
    await stranger.open("/login");
    expect((await stranger.submit(form, { password: NEW_PASSWORD })).status).toBe(422);

    await browser.submit(form, { password: "short" });
    expect((await browser.submit(form, { password: NEW_PASSWORD })).status).toBe(422);
    const asking = await browser.open("/login/forgot");
    await browser.submit(asking, { email: "nobody" });
    expect((await browser.submit(asking, { email: "nobody" })).status).toBe(422);
  });

  it("429: tell to wait after five mails in a minute", async () => {
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) {
      const page = await browser.open("/login/forgot");
      statuses.push((await browser.submit(page, { email: accounts.newEmail() })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("403: take no form of another site", async () => {
    const { browser, path } = await arrange();
    const headers = { "sec-fetch-site": "cross-site" };
    for (const address of ["/login/forgot", path]) {
      const form = await browser.open(address);
      const typed = address === path ? { password: NEW_PASSWORD } : { email: "nobody" };
      expect((await browser.submit(form, typed, headers)).status).toBe(403);
    }
  });

  it("200: list the API keys of an account that is not proven, and keep them only if people say so", async () => {
    const { email, browser, path } = await arrange({ proven: false });
    const { body } = await accounts.logIn(email);
    const as = { headers: { authorization: `Bearer ${body.access_token}` } };
    const pair = await accounts.call("POST", "/register", { key_name: "<b>mine</b>" }, as);
    const client = harness.clientOf(pair.body.api_key, pair.body.api_secret);

    const page = await browser.open(path);

    expect(page.text).toContain("&lt;b&gt;mine&lt;/b&gt;");
    expect(page.text).toContain('name="keep_keys"');
    await browser.submit(page, { password: NEW_PASSWORD, keep_keys: "yes" });
    expect((await client.get("/developers/me")).status).toBe(200);

    const again = await accounts.mailedResetToken(email);
    const proven = await browser.open(`/login/reset?token=${again}`);
    expect(proven.text).toContain('name="revoke_keys"');
    await browser.submit(proven, { password: PASSWORD, revoke_keys: "yes" });
    expect((await client.get("/developers/me")).status).toBe(401);
  });
});
