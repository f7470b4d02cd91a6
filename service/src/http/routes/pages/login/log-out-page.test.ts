import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { formOf, newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";

describe("POST /login/out", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function arrange() {
    const { email } = await accounts.seedAccount();
    const person = newBrowser(harness, { from: accounts.newAddress() });
    const loginForm = formOf((await person.open("/login")).text).hidden;
    await person.submit(await person.open("/login"), { email, password: PASSWORD });
    const page = await person.open("/login");
    expect(formOf(page.text).action).toBe("/login/out");
    const refreshToken = person.cookies.get("svc_refresh") ?? "";
    const accessToken = person.cookies.get("svc_access") ?? "";
    const isAlive = async () => {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await accounts.call("GET", "/dashboard/me", undefined, { headers })).status === 200;
    };
    return { person, page, loginForm, refreshToken, isAlive };
  }

  it("303: ends the session and clears both cookies", async () => {
    const { person, page, refreshToken, isAlive } = await arrange();
    expect(await isAlive()).toBe(true);

    const answer = await person.submit(page);

    expect(answer).toMatchObject({ status: 303, headers: { location: "/login" } });
    expect(person.cookies.has("svc_access")).toBe(false);
    expect(person.cookies.has("svc_refresh")).toBe(false);
    expect(await isAlive()).toBe(false);
    const refreshed = await accounts.call("POST", "/token/refresh", {
      refresh_token: refreshToken,
    });
    expect(refreshed.status).toBe(401);
    expect((await person.open("/login")).text).toContain("<h1>Log in to Purser</h1>");
  });

  it("422: the CSRF token is missing or belongs to another form", async () => {
    const { person, page, loginForm, isAlive } = await arrange();

    const answers = [
      await person.send("/login/out", { once: loginForm["once"] ?? "" }),
      await person.send("/login/out", { once: "" }),
    ];

    for (const { status, text } of answers) {
      expect(status).toBe(422);
      expect(text).toContain("<h1>You are logged in</h1>");
    }
    expect(await isAlive()).toBe(true);
    expect((await person.submit(page)).status).toBe(303);
  });

  it("403: the form comes from another site", async () => {
    const { person, page, isAlive } = await arrange();

    const answer = await person.submit(page, {}, { "sec-fetch-site": "cross-site" });

    expect(answer).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    expect(person.cookies.has("svc_access")).toBe(true);
    expect(await isAlive()).toBe(true);
  });

  it("303: clears the cookies if the session has ended already", async () => {
    const { person, page } = await arrange();
    await person.submit(page);
    person.cookies.set("svc_access", "old");

    expect((await person.send("/login/out", { once: "" })).status).toBe(303);
    expect(person.cookies.has("svc_access")).toBe(false);
  });
});
