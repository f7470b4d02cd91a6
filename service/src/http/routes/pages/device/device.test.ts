import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { formOf, newBrowser } from "../../../../../test/browser.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";

describe("/device", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);

  /** Somebody who is logged in, with a browser. */
  async function logIn({ verified = true } = {}) {
    const account = await accounts.seedAccount({ verified });
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    await browser.submit(await browser.open("/login"), {
      email: account.email,
      password: PASSWORD,
    });
    return { ...account, browser };
  }

  it("200: shows who asks, and gives the device the key that was decided on", async () => {
    const { browser, email } = await logIn();
    const { body: begun } = await devices.begin({ client_name: "build box" }, "203.0.113.9");
    const asked = await browser.open("/device");
    expect(asked.text).toContain('name="user_code"');

    const shown = await browser.open(`/device?user_code=${begun.user_code.toLowerCase()}`);

    expect(shown.status).toBe(200);
    for (const told of ["build box", "203.0.113.9", email]) expect(shown.text).toContain(told);
    const decided = await browser.submit(shown, { decision: "test" });
    expect(decided.status).toBe(200);
    expect(decided.text).toContain("The program has its key");
    const { status, body } = await devices.poll(begun.device_code);
    expect(status).toBe(200);
    expect(body.key).toMatchObject({ name: "build box", mode: "test" });
    expect(decided.text).not.toContain(body.api_key);
  });

  it("200: refuses a device", async () => {
    const { browser } = await logIn();
    const { userCode, deviceCode } = await devices.seed();

    const decided = await browser.submit(await browser.open(`/device?user_code=${userCode}`), {
      decision: "deny",
    });

    expect(decided.text).toContain("<h1>Refused</h1>");
    expect((await devices.poll(deviceCode)).body.error).toBe("access_denied");
  });

  it("200: names the scopes that the device asks for, and escapes what it calls itself", async () => {
    const { browser } = await logIn();
    const { body } = await devices.begin({
      client_name: '<script>alert("x")</script>',
      scope: "env:read",
    });

    const { text } = await browser.open(`/device?user_code=${body.user_code}`);

    expect(text).toContain("<code>env:read</code>");
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script");
  });

  it("200: asks strangers to log in first, and tells them nothing of the device", async () => {
    const { userCode, deviceCode } = await devices.seed({ client_name: "build box" });
    const stranger = newBrowser(harness);

    const { text } = await stranger.open(`/device?user_code=${userCode}`);

    expect(text).toContain(`href="/login?user_code=${userCode}"`);
    expect(text).not.toContain("build box");
    const forced = await stranger.send("/device", {
      once: "",
      user_code: userCode,
      decision: "live",
    });
    expect(forced.text).toContain("Log in first");
    expect((await devices.poll(deviceCode)).body.error).toBe("authorization_pending");
  });

  it("303: returns to the code after a login with a password and a second factor", async () => {
    const owner = await secondFactors.seed();
    const { userCode } = await devices.seed({ client_name: "build box" });
    const browser = newBrowser(harness, { from: accounts.newAddress() });

    const form = await browser.open(`/login?user_code=${userCode.toLowerCase()}`);
    const code = await browser.submit(form, { email: owner.email, password: PASSWORD });
    expect(code.text).toContain(`href="/login?user_code=${userCode}"`);
    await browser.submit(code, { code: owner.code() });
    const { status, headers } = await browser.open("/login");

    expect(status).toBe(303);
    expect(headers.location).toBe(`/device?user_code=${userCode}`);
    expect((await browser.open(String(headers.location))).text).toContain("build box");
    expect((await browser.open("/login")).status).toBe(200);
  });

  it("200: forgets the code when a login begins without one", async () => {
    const { email } = await accounts.seedAccount();
    const { userCode } = await devices.seed();
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    await browser.open(`/login?user_code=${userCode}`);

    await browser.submit(await browser.open("/login"), { email, password: PASSWORD });

    expect((await browser.open("/login")).status).toBe(200);
  });

  it.each(["//evil.example", "BCDF-GHJK@evil.example", "BCDF-GHJ", "ABCD-EFGH", "%0d%0aX:1"])(
    "200: redirects to no user code that is malformed: %s",
    async (userCode) => {
      const { browser } = await logIn();

      for (const headers of [{}, { cookie: `svc_device=${userCode}` }]) {
        const { status } = await browser.open(`/login?user_code=${userCode}`, headers);
        expect(status).toBe(200);
      }
    },
  );

  it("200: offers refusal first, as the only coloured button", async () => {
    const { browser } = await logIn();
    const { userCode } = await devices.seed();

    const { text } = await browser.open(`/device?user_code=${userCode}`);

    const buttons = [...text.matchAll(/<button[^>]*>/g)].map(([button]) => button);
    expect(buttons[0]).toContain('value="deny"');
    expect(buttons.map((button) => button.includes('class="primary"'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("200: repeats no address that others have made up", async () => {
    const { text } = await newBrowser(harness).open('/device?user_code="><script>');
    expect(text).not.toContain("<script");
  });

  it("403: gives no key before the address is verified", async () => {
    const { browser } = await logIn({ verified: false });
    const { userCode } = await devices.seed();

    expect((await browser.open(`/device?user_code=${userCode}`)).status).toBe(403);
    const forced = await browser.send("/device", {
      once: "",
      user_code: userCode,
      decision: "live",
    });
    expect(forced.status).toBe(403);
  });

  it("403: asks for the password after a login of more than 15 minutes ago, and gives a key with it", async () => {
    const { browser } = await logIn();
    harness.clock.advanceSeconds(901);
    const { body: begun } = await devices.begin();
    const refresh_token = browser.cookies.get("svc_refresh");
    const { body: session } = await accounts.call("POST", "/token/refresh", { refresh_token });
    browser.cookies.set("svc_access", session.access_token);
    const shown = await browser.open(`/device?user_code=${begun.user_code}`);
    expect(shown.text).toContain('name="password"');
    expect(shown.text).not.toContain('name="totp_code"');

    const without = await browser.submit(shown, { decision: "live" });
    const wrong = await browser.submit(without, { decision: "live", password: "another" });
    const right = await browser.submit(wrong, { decision: "live", password: PASSWORD });

    expect([without.status, wrong.status, right.status]).toEqual([403, 403, 200]);
    expect(wrong.text).toContain('role="alert"');
    expect((await devices.poll(begun.device_code)).status).toBe(200);
  });

  it("422: shows the form for the code again where the code is wrong, decided or over", async () => {
    const { browser } = await logIn();
    const { userCode } = await devices.seed();
    const shown = await browser.open(`/device?user_code=${userCode}`);
    const again = await browser.open(`/device?user_code=${userCode}`);
    await browser.submit(shown, { decision: "deny" });

    for (const answer of [
      await browser.open("/device?user_code=BBBB-BBBB"),
      await browser.open(`/device?user_code=${userCode}`),
      await browser.submit(again, { decision: "live" }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("This code is unknown");
    }
  });

  it("422: takes a decision once, and only of the browser that was asked", async () => {
    const { browser } = await logIn();
    const other = await logIn();
    const { userCode, deviceCode } = await devices.seed();
    const shown = await browser.open(`/device?user_code=${userCode}`);

    // Of somebody else, who is logged in too and has got hold of the form.
    await other.browser.open("/device");
    expect((await other.browser.submit(shown, { decision: "live" })).status).toBe(422);
    const { hidden } = formOf(shown.text);
    const withoutField = { ...hidden, once: "", decision: "live" };
    expect((await browser.send("/device", withoutField)).status).toBe(422);
    expect((await devices.poll(deviceCode)).body.error).toBe("authorization_pending");
  });

  it("429: lets an account look for codes five times in a quarter of an hour", async () => {
    const { browser } = await logIn();
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await browser.open("/device?user_code=BBBB-BBBB")).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it("403: takes no decision of another site", async () => {
    const { browser } = await logIn();
    const { userCode } = await devices.seed();
    const shown = await browser.open(`/device?user_code=${userCode}`);

    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "", origin: "null" },
    ]) {
      const answer = await browser.submit(shown, { decision: "live" }, headers);
      expect(answer).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    }
  });
});
