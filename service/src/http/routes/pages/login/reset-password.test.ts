import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";

const NEW_PASSWORD = "glass whistle under tin";

describe("/login/forgot and /login/reset", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  /** Returns a browser that has requested a password reset, and the path of the URL in the reset email. */
  async function arrange(seed = {}) {
    const { email } = await accounts.seedAccount(seed);
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    const sent = await browser.submit(await browser.open("/login/forgot"), { email });
    await harness.deliverMails();
    const mail = harness.mails.findLast(({ to }) => to === email);
    const path = /http:\/\/purser\.test(\/login\/reset\?token=[\w-]+)/.exec(mail?.text ?? "")?.[1];
    return { email, browser, sent, path: path ?? "" };
  }

  it("200: the URL in the email sets a new password and ends all sessions", async () => {
    const { email, browser, sent, path } = await arrange();
    await browser.submit(await browser.open("/login"), { email, password: PASSWORD });
    expect(browser.cookies.has("svc_access")).toBe(true);
    expect(sent.status).toBe(200);
    expect(sent.text).toContain("Check your mailbox");

    const set = await browser.submit(await browser.open(path), { password: NEW_PASSWORD });

    expect(set.status).toBe(200);
    expect(set.text).toContain("Your password is set");
    expect(browser.cookies.has("svc_access")).toBe(false);
    expect((await accounts.logIn(email)).status).toBe(401);
    expect((await accounts.logIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it("200: the same page for an unknown or invalid address", async () => {
    const { sent, browser } = await arrange();
    for (const email of [accounts.newEmail(), "nobody", ""]) {
      const other = await browser.submit(await browser.open("/login/forgot"), { email });
      expect(other).toMatchObject({ status: 200, text: sent.text });
    }
  });

  it("200: opening the URL does not use it", async () => {
    const { browser, path } = await arrange();
    for (let visit = 0; visit < 3; visit += 1) await newBrowser(harness).open(path);

    const set = await browser.submit(await browser.open(path), { password: NEW_PASSWORD });

    expect(set.status).toBe(200);
  });

  it("422: the password is too short; 200 with a longer one", async () => {
    const { browser, path } = await arrange();

    const weak = await browser.submit(await browser.open(path), { password: "short" });

    expect(weak.status).toBe(422);
    expect(weak.text).toContain("The password must be at least 12 characters long.");
    expect(weak.text).not.toContain("short");
    expect((await browser.submit(weak, { password: NEW_PASSWORD })).status).toBe(200);
  });

  it("422: the link is used, invalid or without a token", async () => {
    const { browser, path } = await arrange();
    await browser.submit(await browser.open(path), { password: NEW_PASSWORD });

    for (const url of [path, '/login/reset?token="><script>', "/login/reset"]) {
      const form = await browser.open(url);
      expect(form.text).not.toContain("<script");
      const response = await browser.submit(form, { password: "another good password" });
      expect(response.status).toBe(422);
      expect(response.text).toContain("This link does not work");
    }
  });

  it("422: the form was sent before, or comes from another browser", async () => {
    const { browser, path } = await arrange();
    const form = await browser.open(path);
    const otherBrowser = newBrowser(harness);
    await otherBrowser.open("/login");
    expect((await otherBrowser.submit(form, { password: NEW_PASSWORD })).status).toBe(422);

    await browser.submit(form, { password: "short" });
    expect((await browser.submit(form, { password: NEW_PASSWORD })).status).toBe(422);
    const forgotForm = await browser.open("/login/forgot");
    await browser.submit(forgotForm, { email: "nobody" });
    expect((await browser.submit(forgotForm, { email: "nobody" })).status).toBe(422);
  });

  it("429: more than five emails per minute from one network", async () => {
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) {
      const page = await browser.open("/login/forgot");
      statuses.push((await browser.submit(page, { email: accounts.newEmail() })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("403: the form comes from another site", async () => {
    const { browser, path } = await arrange();
    const headers = { "sec-fetch-site": "cross-site" };
    for (const address of ["/login/forgot", path]) {
      const form = await browser.open(address);
      const typed = address === path ? { password: NEW_PASSWORD } : { email: "nobody" };
      expect((await browser.submit(form, typed, headers)).status).toBe(403);
    }
  });

  it("200: lists API keys; an unproven account keeps them only by choice, a proven one revokes them only by choice", async () => {
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

    const again = await accounts.requestResetToken(email);
    const proven = await browser.open(`/login/reset?token=${again}`);
    expect(proven.text).toContain('name="revoke_keys"');
    await browser.submit(proven, { password: PASSWORD, revoke_keys: "yes" });
    expect((await client.get("/developers/me")).status).toBe(401);
  });
});
