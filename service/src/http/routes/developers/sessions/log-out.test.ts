import { describe, expect, it } from "vitest";
import { accountsOf, type CallOptions } from "../../../../../test/accounts.ts";
import { type Answer, useHarness } from "../../../../../test/harness.ts";

const CLEARED = [
  "svc_access=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict",
  "svc_refresh=; Max-Age=0; Path=/api/v1/svc/developers/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict",
];

describe("POST /developers/logout", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const logOut = (body?: object, options?: CallOptions) =>
    accounts.call("POST", "/logout", body, options);
  const isAlive = async (accessToken: string) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await accounts.call("GET", "/dashboard/me", undefined, { headers })).status === 200;
  };

  function expectDone(answer: Answer) {
    expect(answer).toMatchObject({ status: 204, text: "", headers: { "set-cookie": CLEARED } });
  }

  it("204: ends the session of the token in the body, at once", async () => {
    const { email, refreshToken, accessToken } = await accounts.seedAccount();
    const other = await accounts.logIn(email);

    expectDone(await logOut({ refresh_token: refreshToken }));

    expect(await isAlive(accessToken)).toBe(false);
    expect(
      (await accounts.call("POST", "/token/refresh", { refresh_token: refreshToken })).status,
    ).toBe(401);
    expect(await isAlive(other.body.access_token)).toBe(true);
  });

  it("204: ends the session of the token in the cookie", async () => {
    const { refreshToken, accessToken } = await accounts.seedAccount();

    expectDone(await logOut(undefined, { headers: { cookie: `svc_refresh=${refreshToken}` } }));

    expect(await isAlive(accessToken)).toBe(false);
  });

  it("204: ends every session of the developer's, and nobody else's", async () => {
    const { email, refreshToken, accessToken, developerId } = await accounts.seedAccount();
    const second = await accounts.logIn(email);
    const stranger = await accounts.seedAccount();

    expectDone(await logOut({ refresh_token: refreshToken, all_sessions: true }));

    expect(await isAlive(accessToken)).toBe(false);
    expect(await isAlive(second.body.access_token)).toBe(false);
    expect(await isAlive(stranger.accessToken)).toBe(true);
    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.logged_out'",
      [developerId],
    );
    expect(entries).toEqual([{ facts: { sessions: 2 } }]);
  });

  it("204: ends one session, not all, for a token that was rotated", async () => {
    const { email, refreshToken } = await accounts.seedAccount();
    const second = await accounts.logIn(email);
    const { body } = await accounts.call("POST", "/token/refresh", { refresh_token: refreshToken });

    expectDone(await logOut({ refresh_token: refreshToken, all_sessions: true }));

    expect(await isAlive(body.access_token)).toBe(false);
    expect(await isAlive(second.body.access_token)).toBe(true);
  });

  it("204: answers unknown, used-up and missing tokens as it answers good ones", async () => {
    const { refreshToken } = await accounts.seedAccount();

    expectDone(await logOut({ refresh_token: refreshToken }));
    expectDone(await logOut({ refresh_token: refreshToken }));
    expectDone(await logOut({ refresh_token: "A".repeat(43), all_sessions: true }));
    expectDone(await logOut({}));
    expectDone(await logOut());
    expectDone(await logOut(undefined, { headers: { cookie: "svc_refresh=nonsense" } }));
  });

  it.each([
    [{ origin: "https://evil.test" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
  ])(
    "204: ends nothing for another site, and leaves the browser its cookies, %j",
    async (origin) => {
      const { refreshToken, accessToken } = await accounts.seedAccount();
      const headers = { cookie: `svc_refresh=${refreshToken}`, ...origin };

      const answer = await logOut(undefined, { headers });

      expect(answer).toMatchObject({ status: 204, text: "" });
      expect(answer.headers).not.toHaveProperty("set-cookie");
      expect(await isAlive(accessToken)).toBe(true);
    },
  );

  it("422: refuses fields that it does not know, and clears the cookies all the same", async () => {
    const answer = await logOut({ everywhere: true });

    expect(answer).toMatchObject({ status: 422, headers: { "set-cookie": CLEARED } });
  });
});
