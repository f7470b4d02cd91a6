import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { formOf, newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("POST /login/out", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function arrange() {
    const { email } = await accounts.seedAccount();
    const visitor = newBrowser(harness, { from: accounts.newAddress() });
    const loginForm = formOf((await visitor.open("/login")).text).hidden;
    await visitor.submit(await visitor.open("/login"), { email, password: PASSWORD });
    const page = await visitor.open("/login");
    expect(formOf(page.text).action).toBe("/login/out");
    const refreshToken = visitor.cookies.get("svc_refresh") ?? "";
    const accessToken = visitor.cookies.get("svc_access") ?? "";
    const isAlive = async () => {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await accounts.call("GET", "/dashboard/me", undefined, { headers })).status === 200;
    };
    return { visitor, page, loginForm, refreshToken, isAlive };
  }

  it("303: ends the session and clears both cookies", async () => {
    const { visitor, page, refreshToken, isAlive } = await arrange();
    expect(await isAlive()).toBe(true);

    const response = await visitor.submit(page);

    expect(response).toMatchObject({ status: 303, headers: { location: "/login" } });
    expect(visitor.cookies.has("svc_access")).toBe(false);
    expect(visitor.cookies.has("svc_refresh")).toBe(false);
    expect(await isAlive()).toBe(false);
    const refreshed = await accounts.call("POST", "/token/refresh", {
      refresh_token: refreshToken,
    });
    expect(refreshed.status).toBe(401);
    expect((await visitor.open("/login")).text).toContain("<h1>Log in to Purser</h1>");
  });

  it("422: the CSRF token is missing or belongs to another form", async () => {
    const { visitor, page, loginForm, isAlive } = await arrange();

    const responses = [
      await visitor.send("/login/out", { once: loginForm["once"] ?? "" }),
      await visitor.send("/login/out", { once: "" }),
    ];

    for (const { status, text } of responses) {
      expect(status).toBe(422);
      expect(text).toContain("<h1>You are logged in</h1>");
    }
    expect(await isAlive()).toBe(true);
    expect((await visitor.submit(page)).status).toBe(303);
  });

  it("403: the form comes from another site", async () => {
    const { visitor, page, isAlive } = await arrange();

    const response = await visitor.submit(page, {}, { "sec-fetch-site": "cross-site" });

    expect(response).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    expect(visitor.cookies.has("svc_access")).toBe(true);
    expect(await isAlive()).toBe(true);
  });

  it("303: clears the cookies if the session has already ended", async () => {
    const { visitor, page } = await arrange();
    await visitor.submit(page);
    visitor.cookies.set("svc_access", "old");

    expect((await visitor.send("/login/out", { once: "" })).status).toBe(303);
    expect(visitor.cookies.has("svc_access")).toBe(false);
  });
});
