import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf, wrongCodeOf } from "../../../../../test/second-factors.ts";

describe("POST /login/code", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  /** A browser at the form that asks for the code. */
  async function arrange() {
    const device = await secondFactors.seed();
    const browser = newBrowser(harness, { from: accounts.newAddress() });
    const asked = await browser.submit(await browser.open("/login"), {
      email: device.email,
      password: PASSWORD,
    });
    return { device, browser, asked };
  }

  it("303: logs in with the device's code, typed with blanks around it", async () => {
    const { device, browser, asked } = await arrange();
    expect(browser.cookies.has("svc_access")).toBe(false);

    const answer = await browser.submit(asked, { code: ` ${device.code()} ` });

    expect(answer).toMatchObject({ status: 303, headers: { location: "/login" } });
    expect((await browser.open("/login")).text).toContain("You are logged in");
  });

  it("303: logs in with a recovery code", async () => {
    const { device, browser, asked } = await arrange();

    expect((await browser.submit(asked, { code: device.recoveryCodes[0] ?? "" })).status).toBe(303);
  });

  it("401: shows the form again for a wrong code, and takes the right one from there", async () => {
    const { device, browser, asked } = await arrange();

    const again = await browser.submit(asked, { code: wrongCodeOf(device) });

    expect(again.status).toBe(401);
    expect(again.text).toContain('role="alert"');
    expect((await browser.submit(again, { code: device.code() })).status).toBe(303);
  });

  it("422: takes a form once, and only of the browser that it was shown to", async () => {
    const { device, browser, asked } = await arrange();
    const stranger = newBrowser(harness);
    await stranger.open("/login");

    expect((await stranger.submit(asked, { code: device.code() })).status).toBe(422);
    await browser.submit(asked, { code: wrongCodeOf(device) });
    expect((await browser.submit(asked, { code: device.code() })).status).toBe(422);
  });

  it("403: takes no form of another site", async () => {
    const { device, browser, asked } = await arrange();
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };

    const answer = await browser.submit(asked, { code: device.code() }, headers);

    expect(answer).toMatchObject({ status: 403, body: { code: "cross_origin" } });
  });

  it("303: sends whoever comes without a first factor to the login", async () => {
    expect(await newBrowser(harness).open("/login/code")).toMatchObject({
      status: 303,
      headers: { location: "/login" },
    });
  });
});
