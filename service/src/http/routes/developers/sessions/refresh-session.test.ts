import { describe, expect, it } from "vitest";
import { accountsOf, type CallOptions } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";

const REFUSED = {
  status: 401,
  body: { code: "authentication_failed", detail: "Authentication failed." },
};

interface Granted {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe("POST /developers/token/refresh", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const refresh = (refresh_token: unknown, options?: CallOptions) =>
    accounts.call("POST", "/token/refresh", { refresh_token }, options);
  const byCookie = (token: string, headers: Record<string, string> = {}) =>
    accounts.call("POST", "/token/refresh", undefined, {
      headers: { cookie: `svc_refresh=${token}`, ...headers },
    });
  const profile = (accessToken: string) =>
    accounts.call("GET", "/dashboard/me", undefined, {
      headers: { authorization: `Bearer ${accessToken}` },
    });

  it("200: new tokens for the same session, in the body and in cookies", async () => {
    const { refreshToken, accessToken, developerId } = await accounts.seedAccount();
    harness.clock.advanceSeconds(600);

    const answer = await refresh(refreshToken);

    expect(answer).toMatchObject({
      status: 200,
      body: {
        token_type: "Bearer",
        expires_in: 900,
        refresh_expires_in: 2_592_000 - 600,
        developer: { developer_id: developerId },
      },
    });
    expect(answer.body.refresh_token).not.toBe(refreshToken);
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringContaining(`svc_access=${answer.body.access_token}; Max-Age=900`),
      expect.stringContaining(`svc_refresh=${answer.body.refresh_token}; Max-Age=2591400`),
    ]);
    expect((await profile(answer.body.access_token)).status).toBe(200);
    expect((await profile(accessToken)).status).toBe(200);
    harness.clock.advanceSeconds(300);
    expect((await profile(accessToken)).status).toBe(401);
  });

  it("200: the token in the cookie; the body takes precedence", async () => {
    const { refreshToken } = await accounts.seedAccount();
    const other = await accounts.seedAccount();

    const first = await byCookie(refreshToken);
    expect(first.status).toBe(200);
    const second = await refresh(other.refreshToken, {
      headers: { cookie: `svc_refresh=${first.body.refresh_token}` },
    });

    expect(second.body.developer.developer_id).toBe(other.developerId);
    expect((await byCookie(first.body.refresh_token)).status).toBe(200);
  });

  it("200: the same token within 20 seconds, if the first answer was lost; the lost tokens are rejected", async () => {
    const { refreshToken } = await accounts.seedAccount();
    const lost = await refresh(refreshToken);

    harness.clock.advanceSeconds(20);
    const answer = await refresh(refreshToken);

    expect(answer.status).toBe(200);
    expect(await refresh(lost.body.refresh_token)).toMatchObject(REFUSED);
    expect(await profile(lost.body.access_token)).toMatchObject(REFUSED);
    expect((await profile(answer.body.access_token)).status).toBe(200);
    expect((await refresh(answer.body.refresh_token)).status).toBe(200);
  });

  it("401: a replaced token more than 20 seconds later ends the session, because another person may have the tokens", async () => {
    const { refreshToken } = await accounts.seedAccount();
    const owner = await refresh(refreshToken);
    const thief = await refresh(refreshToken);

    harness.clock.advanceSeconds(21);

    expect(await refresh(owner.body.refresh_token)).toMatchObject(REFUSED);
    expect(await profile(thief.body.access_token)).toMatchObject(REFUSED);
  });

  it.each([
    ["refresh", (body: Granted) => refresh(body.refresh_token)],
    ["call", (body: Granted) => profile(body.access_token)],
  ])("401: a token within 20 seconds, after a %s with its successor; the session continues", async (_, use) => {
    const { refreshToken } = await accounts.seedAccount();
    const first = await refresh(refreshToken);
    const used = await use(first.body);
    expect(used.status).toBe(200);

    expect(await refresh(refreshToken)).toMatchObject(REFUSED);

    const newest = used.body.refresh_token ?? first.body.refresh_token;
    expect((await refresh(newest)).status).toBe(200);
  });

  it("a call with the successor and a second refresh at the same time: one of them succeeds", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { refreshToken } = await accounts.seedAccount({ verified: false });
      const first = await refresh(refreshToken);

      const answers = await Promise.all([profile(first.body.access_token), refresh(refreshToken)]);

      const [call, second] = answers.map(({ status }) => status);
      // The call may come first and still be answered while the refresh waits. A replaced token is never used afterwards.
      expect([call, second].filter((status) => status === 200)).toHaveLength(1);
      const [valid, replaced] = second === 200 ? [answers[1], first] : [first, undefined];
      expect((await refresh(valid.body.refresh_token)).status).toBe(200);
      if (replaced !== undefined) {
        expect((await profile(replaced.body.access_token)).status).toBe(401);
      }
    }
  });

  it("401: a rotated token after 20 seconds ends the session and writes an audit entry", async () => {
    const { refreshToken, developerId } = await accounts.seedAccount();
    const { body } = await refresh(refreshToken);
    const before = await accounts.query("select count(*)::int as n from sessions where revoked_at is null");

    harness.clock.advanceSeconds(21);
    expect(await refresh(refreshToken)).toMatchObject(REFUSED);

    expect(await refresh(body.refresh_token)).toMatchObject(REFUSED);
    expect((await profile(body.access_token)).status).toBe(401);
    const after = await accounts.query("select count(*)::int as n from sessions where revoked_at is null");
    expect(after[0].n).toBe(before[0].n - 1);
    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'session.revoked'",
      [developerId],
    );
    expect(entries).toEqual([{ facts: { reason: "refresh_token_reused" } }]);
  });

  it("200: ten concurrent calls; one of the answers is valid, and the session continues", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refreshToken } = await accounts.seedAccount({ verified: false });

      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));

      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const calls: number[] = [];
      for (const { body } of answers) calls.push((await profile(body.access_token)).status);
      expect(calls.toSorted()).toEqual([200, ...Array(9).fill(401)]);
      const valid = answers[calls.indexOf(200)];
      expect((await refresh(valid?.body.refresh_token)).status).toBe(200);
    }
  });

  it("401: a session after 30 days, even if it was refreshed", async () => {
    const { refreshToken } = await accounts.seedAccount();
    harness.clock.advanceSeconds(29 * 86_400);
    const { body } = await refresh(refreshToken);
    harness.clock.advanceSeconds(86_400 - 1);
    const last = await refresh(body.refresh_token);
    expect(last).toMatchObject({ status: 200, body: { refresh_expires_in: 1 } });

    harness.clock.advanceSeconds(1);

    expect(await refresh(last.body.refresh_token)).toMatchObject(REFUSED);
    expect((await profile(last.body.access_token)).status).toBe(401);
  });

  it("401: the same response for unknown tokens, access tokens and none", async () => {
    const { accessToken, refreshToken } = await accounts.seedAccount();
    const answers = await Promise.all([
      refresh("A".repeat(43)),
      refresh(accessToken),
      refresh(`${refreshToken} `),
      refresh(undefined),
      accounts.call("POST", "/token/refresh"),
      byCookie("nonsense"),
    ]);

    const bodies = answers.map(({ body: { request_id: _id, ...body } }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]).toMatchObject(REFUSED);
  });

  it("401: a suspended account", async () => {
    const { refreshToken, developerId, accessToken } = await accounts.seedAccount();
    await accounts.query("update developers set status = 'suspended' where tenant_id = $1", [developerId]);

    expect(await refresh(refreshToken)).toMatchObject(REFUSED);
    expect((await profile(accessToken)).status).toBe(401);
  });

  it.each([
    [{ origin: "https://evil.test" }],
    [{ origin: "null" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "cross-site", origin: "http://purser.test" }],
  ])("403: a cookie from another site, %j", async (headers) => {
    const { refreshToken } = await accounts.seedAccount();

    const answer = await byCookie(refreshToken, headers);

    expect(answer).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect((await byCookie(refreshToken, { origin: "http://purser.test" })).status).toBe(200);
  });

  it("422: an invalid or unknown field", async () => {
    for (const body of [{ refresh_token: 7 }, { refresh_token: "" }, { token: "x" }, { refresh_token: null }]) {
      expect((await accounts.call("POST", "/token/refresh", body)).status).toBe(422);
    }
  });
});
