import { describe, expect, it } from "vitest";
import { accountsOf, type CallOptions } from "../../../../../test/accounts.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";

const CLEARED = [
  "svc_access=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict",
  "svc_refresh=; Max-Age=0; Path=/api/v1/svc/developers/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict",
];

describe("POST /developers/logout", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const logOut = (body?: object, options?: CallOptions) => accounts.call("POST", "/logout", body, options);
  const isAlive = async (accessToken: string) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await accounts.call("GET", "/dashboard/me", undefined, { headers })).status === 200;
  };

  function expectLoggedOut(answer: ApiResponse) {
    expect(answer).toMatchObject({ status: 204, text: "", headers: { "set-cookie": CLEARED } });
  }

  it("204: ends the session of the token in the body, and no other", async () => {
    const { email, refreshToken, accessToken } = await accounts.seedAccount();
    const other = await accounts.logIn(email);

    expectLoggedOut(await logOut({ refresh_token: refreshToken }));

    expect(await isAlive(accessToken)).toBe(false);
    expect((await accounts.call("POST", "/token/refresh", { refresh_token: refreshToken })).status).toBe(401);
    expect(await isAlive(other.body.access_token)).toBe(true);
  });

  it("204: ends the session of the token in the cookie", async () => {
    const { refreshToken, accessToken } = await accounts.seedAccount();

    // A browser's page sends both cookies and no body.
    const cookie = `svc_access=${accessToken}; svc_refresh=${refreshToken}`;
    expectLoggedOut(await logOut(undefined, { headers: { cookie, "sec-fetch-site": "same-origin" } }));

    expect(await isAlive(accessToken)).toBe(false);
    expect((await accounts.call("POST", "/token/refresh", { refresh_token: refreshToken })).status).toBe(401);
  });

  it("204: all_sessions ends every session of the developer only", async () => {
    const { email, refreshToken, accessToken, developerId } = await accounts.seedAccount();
    const second = await accounts.logIn(email);
    const otherAccount = await accounts.seedAccount();

    expectLoggedOut(await logOut({ refresh_token: refreshToken, all_sessions: true }));

    expect(await isAlive(accessToken)).toBe(false);
    expect(await isAlive(second.body.access_token)).toBe(false);
    expect(await isAlive(otherAccount.accessToken)).toBe(true);
    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.logged_out'",
      [developerId],
    );
    expect(entries).toEqual([{ facts: { sessions: 2 } }]);
  });

  it("204: all_sessions with a rotated token ends only its own session", async () => {
    const { email, refreshToken } = await accounts.seedAccount();
    const second = await accounts.logIn(email);
    const { body } = await accounts.call("POST", "/token/refresh", { refresh_token: refreshToken });

    expectLoggedOut(await logOut({ refresh_token: refreshToken, all_sessions: true }));

    expect(await isAlive(body.access_token)).toBe(false);
    expect(await isAlive(second.body.access_token)).toBe(true);
  });

  it("204: the same response for unknown, used and missing tokens", async () => {
    const { refreshToken } = await accounts.seedAccount();

    expectLoggedOut(await logOut({ refresh_token: refreshToken }));
    expectLoggedOut(await logOut({ refresh_token: refreshToken }));
    expectLoggedOut(await logOut({ refresh_token: "A".repeat(43), all_sessions: true }));
    expectLoggedOut(await logOut({}));
    expectLoggedOut(await logOut());
    expectLoggedOut(await logOut(undefined, { headers: { cookie: "svc_refresh=nonsense" } }));
  });

  it.each([
    [{ origin: "https://evil.test" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
  ])("204: a cookie from another site ends nothing and is not cleared, %j", async (origin) => {
    const { refreshToken, accessToken } = await accounts.seedAccount();
    const headers = { cookie: `svc_refresh=${refreshToken}`, ...origin };

    const answer = await logOut(undefined, { headers });

    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers).not.toHaveProperty("set-cookie");
    expect(await isAlive(accessToken)).toBe(true);
  });

  it("422: an unknown field; the cookies are cleared anyway", async () => {
    const answer = await logOut({ everywhere: true });

    expect(answer).toMatchObject({ status: 422, headers: { "set-cookie": CLEARED } });
  });
});
