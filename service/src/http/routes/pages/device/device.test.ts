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

  async function logIn({ verified = true } = {}) {
    const account = await accounts.seedAccount({ verified });
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    await browser.submit(await browser.open("/login"), {
      email: account.email,
      password: PASSWORD,
    });
    return { ...account, browser };
  }

  it("200: shows the device, and gives it a key of the chosen mode", async () => {
    const { browser, email } = await logIn();
    const { body: device } = await devices.begin({ client_name: "build box" }, "203.0.113.9");
    const codeForm = await browser.open("/device");
    expect(codeForm.text).toContain('name="user_code"');

    const shown = await browser.open(`/device?user_code=${device.user_code.toLowerCase()}`);

    expect(shown.status).toBe(200);
    for (const text of ["build box", "203.0.113.9", email]) expect(shown.text).toContain(text);
    const decided = await browser.submit(shown, { decision: "test" });
    expect(decided.status).toBe(200);
    expect(decided.text).toContain("<h1>Approved</h1>");
    const { status, body } = await devices.poll(device.device_code);
    expect(status).toBe(200);
    expect(body.key).toMatchObject({ name: "build box", mode: "test" });
    expect(decided.text).not.toContain(body.api_key);
  });

  it("200: denies a device", async () => {
    const { browser } = await logIn();
    const { userCode, deviceCode } = await devices.seed();

    const decided = await browser.submit(await browser.open(`/device?user_code=${userCode}`), {
      decision: "deny",
    });

    expect(decided.text).toContain("<h1>Denied</h1>");
    expect((await devices.poll(deviceCode)).body.error).toBe("access_denied");
  });

  it("200: shows the requested scopes and escapes the program's name", async () => {
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

  it("200: asks a visitor without a session to log in, without showing the device", async () => {
    const { userCode, deviceCode } = await devices.seed({ client_name: "build box" });
    const loggedOut = newBrowser(harness);

    const { text } = await loggedOut.open(`/device?user_code=${userCode}`);

    expect(text).toContain("<h1>Log in first</h1>");
    expect(text).toContain('name="password"');
    expect(text).not.toContain("build box");
    const forced = await loggedOut.send("/device", {
      once: "",
      user_code: userCode,
      decision: "live",
    });
    expect(forced.text).toContain("Log in first");
    expect((await devices.poll(deviceCode)).body.error).toBe("authorization_pending");
  });

  it("303: returns to the device's page after a login with the form on that page", async () => {
    const { email } = await accounts.seedAccount();
    const { userCode } = await devices.seed({ client_name: "build box" });
    const browser = newBrowser(harness, { from: accounts.newAddress() });

    const form = await browser.open(`/device?user_code=${userCode}`);
    await browser.submit(form, { email, password: PASSWORD });
    const { status, headers } = await browser.open("/login");

    expect([status, headers.location]).toEqual([303, `/device?user_code=${userCode}`]);
    expect((await browser.open(String(headers.location))).text).toContain("build box");
  });

  it.each(["//evil.test", "https://evil.test", "x".repeat(60)])(
    "200: after a login for the invalid code %s, no redirect to another page",
    async (userCode) => {
      const { email } = await accounts.seedAccount();
      const browser = newBrowser(harness, { from: accounts.newAddress() });

      const form = await browser.open(`/device?user_code=${encodeURIComponent(userCode)}`);
      const sent = await browser.submit(form, { email, password: PASSWORD });

      expect(sent).toMatchObject({ status: 303, headers: { location: "/login" } });
      expect((await browser.open("/login")).status).toBe(200);
    },
  );

  it("303: returns to the device's page after a login with password and second factor", async () => {
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

  it("200: a new login without a user code clears an earlier one", async () => {
    const { email } = await accounts.seedAccount();
    const { userCode } = await devices.seed();
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    await browser.open(`/login?user_code=${userCode}`);

    await browser.submit(await browser.open("/login"), { email, password: PASSWORD });

    expect((await browser.open("/login")).status).toBe(200);
  });

  it.each(["//evil.example", "BCDF-GHJK@evil.example", "BCDF-GHJ", "ABCD-EFGH", "%0d%0aX:1"])(
    "200: does not redirect to a malformed user code: %s",
    async (userCode) => {
      const { browser } = await logIn();

      for (const headers of [{}, { cookie: `svc_device=${userCode}` }]) {
        const { status } = await browser.open(`/login?user_code=${userCode}`, headers);
        expect(status).toBe(200);
      }
    },
  );

  it("200: the first button denies, and only it is highlighted", async () => {
    const { browser } = await logIn();
    const { userCode } = await devices.seed();

    const { text } = await browser.open(`/device?user_code=${userCode}`);

    const buttons = [...text.matchAll(/<button[^>]*>/g)].map(([button]) => button);
    expect(buttons[0]).toContain('value="deny"');
    expect(buttons.map((button) => button.includes('class="primary"'))).toEqual([true, false, false]);
  });

  it("200: escapes the user code in the query string", async () => {
    const { text } = await newBrowser(harness).open('/device?user_code="><script>');
    expect(text).not.toContain("<script");
  });

  it("403: the email address is not verified", async () => {
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

  it("403: a login more than 15 minutes ago needs the password; 200 with it", async () => {
    const { browser } = await logIn();
    harness.clock.advanceSeconds(901);
    const { body: device } = await devices.begin();
    const refresh_token = browser.cookies.get("svc_refresh");
    const { body: session } = await accounts.call("POST", "/token/refresh", { refresh_token });
    browser.cookies.set("svc_access", session.access_token);
    const shown = await browser.open(`/device?user_code=${device.user_code}`);
    expect(shown.text).toContain('name="password"');
    expect(shown.text).not.toContain('name="totp_code"');

    const without = await browser.submit(shown, { decision: "live" });
    const wrong = await browser.submit(without, { decision: "live", password: "another" });
    const right = await browser.submit(wrong, { decision: "live", password: PASSWORD });

    expect([without.status, wrong.status, right.status]).toEqual([403, 403, 200]);
    expect(wrong.text).toContain('role="alert"');
    expect((await devices.poll(device.device_code)).status).toBe(200);
  });

  it("422: the user code is unknown, or was already decided", async () => {
    const { browser } = await logIn();
    const { userCode } = await devices.seed();
    const shown = await browser.open(`/device?user_code=${userCode}`);
    const again = await browser.open(`/device?user_code=${userCode}`);
    await browser.submit(shown, { decision: "deny" });

    for (const response of [
      await browser.open("/device?user_code=BBBB-BBBB"),
      await browser.open(`/device?user_code=${userCode}`),
      await browser.submit(again, { decision: "live" }),
    ]) {
      expect(response.status).toBe(422);
      expect(response.text).toContain("This code is unknown");
    }
  });

  it("422: the decision comes from another browser, or without a CSRF token", async () => {
    const { browser } = await logIn();
    const other = await logIn();
    const { userCode, deviceCode } = await devices.seed();
    const shown = await browser.open(`/device?user_code=${userCode}`);

    // Another logged-in developer submits a copy of the form.
    await other.browser.open("/device");
    expect((await other.browser.submit(shown, { decision: "live" })).status).toBe(422);
    const { hidden } = formOf(shown.text);
    const withoutField = { ...hidden, once: "", decision: "live" };
    expect((await browser.send("/device", withoutField)).status).toBe(422);
    expect((await devices.poll(deviceCode)).body.error).toBe("authorization_pending");
  });

  it("429: an account can try five unknown codes in 15 minutes", async () => {
    const { browser } = await logIn();
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await browser.open("/device?user_code=BBBB-BBBB")).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it("403: the form comes from another site", async () => {
    const { browser } = await logIn();
    const { userCode } = await devices.seed();
    const shown = await browser.open(`/device?user_code=${userCode}`);

    for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "", origin: "null" }]) {
      const response = await browser.submit(shown, { decision: "live" }, headers);
      expect(response).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    }
  });
});
