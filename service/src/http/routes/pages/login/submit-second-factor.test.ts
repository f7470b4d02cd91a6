import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf, wrongCodeOf } from "../../../../../test/second-factors.ts";

describe("POST /login/code", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  /** Logs in with the password, and returns the browser and the form for the second factor. */
  async function arrange() {
    const device = await secondFactors.seed();
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    const form = await browser.submit(await browser.open("/login"), {
      email: device.email,
      password: PASSWORD,
    });
    return { device, browser, form };
  }

  it("303: logs in with a TOTP code, ignoring spaces around it", async () => {
    const { device, browser, form } = await arrange();
    expect(browser.cookies.has("svc_access")).toBe(false);

    const response = await browser.submit(form, { code: ` ${device.code()} ` });

    expect(response).toMatchObject({ status: 303, headers: { location: "/login" } });
    expect((await browser.open("/login")).text).toContain("You are logged in");
  });

  it("303: logs in with a recovery code", async () => {
    const { device, browser, form } = await arrange();

    expect((await browser.submit(form, { code: device.recoveryCodes[0] ?? "" })).status).toBe(303);
  });

  it("401: wrong code; the form is shown again and accepts the right one", async () => {
    const { device, browser, form } = await arrange();

    const again = await browser.submit(form, { code: wrongCodeOf(device) });

    expect(again.status).toBe(401);
    expect(again.text).toContain('role="alert"');
    expect((await browser.submit(again, { code: device.code() })).status).toBe(303);
  });

  it("422: the form was sent before, or comes from another browser", async () => {
    const { device, browser, form } = await arrange();
    const otherBrowser = newBrowser(harness);
    await otherBrowser.open("/login");

    expect((await otherBrowser.submit(form, { code: device.code() })).status).toBe(422);
    await browser.submit(form, { code: wrongCodeOf(device) });
    expect((await browser.submit(form, { code: device.code() })).status).toBe(422);
  });

  it("403: the form comes from another site", async () => {
    const { device, browser, form } = await arrange();
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };

    const response = await browser.submit(form, { code: device.code() }, headers);

    expect(response).toMatchObject({ status: 403, body: { code: "cross_origin" } });
  });

  it("303: redirects to the login page without a first factor", async () => {
    expect(await newBrowser(harness).open("/login/code")).toMatchObject({
      status: 303,
      headers: { location: "/login" },
    });
  });
});
