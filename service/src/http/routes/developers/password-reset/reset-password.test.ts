import { describe, expect, it, vi } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { startSession } from "../../../../modules/developers/sessions/start-session.ts";

const NEW_PASSWORD = "glass whistle under tin";
const REFUSED = { status: 422, body: { code: "invalid_token" } };
const statusesOf = (answers: readonly ApiResponse[]) => answers.map(({ status }) => status).sort();

describe("POST /developers/password/reset", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  const reset = (token: string, password = NEW_PASSWORD, more: object = {}) =>
    accounts.call("POST", "/password/reset", { token, password, ...more });
  const refresh = (refresh_token: string) => accounts.call("POST", "/token/refresh", { refresh_token });

  const mailedToken = (email: string) => accounts.requestResetToken(email);

  it("200: sets the password, ends every session, and notifies the owner", async () => {
    const account = await accounts.seedAccount();
    const other = await accounts.logIn(account.email);

    const answer = await reset(await mailedToken(account.email));

    expect(answer).toMatchObject({ status: 200, body: { status: "password_reset" } });
    expect((await accounts.logIn(account.email)).status).toBe(401);
    expect((await accounts.logIn(account.email, NEW_PASSWORD)).status).toBe(200);
    expect((await accounts.call("GET", "/dashboard/me", undefined, account.as)).status).toBe(401);
    expect((await refresh(account.refreshToken)).status).toBe(401);
    expect((await refresh(other.body.refresh_token)).status).toBe(401);
    await harness.deliverMails();
    expect(harness.mails.filter(({ to }) => to === account.email).at(-1)?.subject).toBe(
      "Your Purser password was changed",
    );
    const entries = await accounts.query(
      "select action, facts from audit_entries where tenant_id = $1 and action like '%password%' order by audit_id",
      [account.developerId],
    );
    expect(entries).toEqual([
      { action: "developer.password_reset_requested", facts: {} },
      { action: "developer.password_reset", facts: { sessions: 2, keys: 0, was_proven: true } },
    ]);
  });

  it("200: clears the session cookies, but not for a call from another site or with an invalid token", async () => {
    const account = await accounts.seedAccount();
    const headers = { cookie: `svc_access=${account.accessToken}`, "sec-fetch-site": "same-origin" };
    const send = (token: string, more = {}) =>
      accounts.call("POST", "/password/reset", { token, password: NEW_PASSWORD }, { headers: { ...headers, ...more } });

    const refused = await send("nothing");
    const foreign = await send(await mailedToken(account.email), { "sec-fetch-site": "cross-site" });
    const answer = await send(await mailedToken(account.email));

    expect([refused.status, foreign.status, answer.status]).toEqual([422, 200, 200]);
    expect(refused.headers).not.toHaveProperty("set-cookie");
    expect(foreign.headers).not.toHaveProperty("set-cookie");
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^svc_access=; Max-Age=0; Path=\/;/),
      expect.stringMatching(/^svc_refresh=; Max-Age=0; Path=\/api\/v1\/svc\/developers\/;/),
    ]);
  });

  it("200: a proven account keeps its second factor and keys; logins that wait for a code end", async () => {
    const device = await secondFactors.seed();
    const pair = await accounts.call("POST", "/register", {}, device.as);
    const waiting = await secondFactors.begin(device.email);

    await reset(await mailedToken(device.email));

    expect((await secondFactors.finish(waiting, device.code())).status).toBe(401);
    const { body } = await accounts.logIn(device.email, NEW_PASSWORD);
    expect(body.mfa_required).toBe(true);
    expect((await secondFactors.finish(body.mfa_token, device.code())).status).toBe(200);
    const client = harness.clientOf(pair.body.api_key, pair.body.api_secret);
    expect((await client.get("/developers/me")).status).toBe(200);

    await reset(await mailedToken(device.email), PASSWORD, { revoke_keys: true });

    expect((await client.get("/developers/me")).status).toBe(401);
    expect((await accounts.logIn(device.email)).body.mfa_required).toBe(true);
  });

  it("422: keep_keys and revoke_keys together", async () => {
    const both = { keep_keys: true, revoke_keys: true };
    expect((await reset("nothing", NEW_PASSWORD, both)).body.errors).toMatchObject([{ pointer: "/body/revoke_keys" }]);
  });

  it("200: sets the first password of an account without one", async () => {
    const account = await accounts.seedAccount();
    await accounts.query("delete from developer_passwords where tenant_id = $1", [account.developerId]);

    expect((await reset(await mailedToken(account.email))).status).toBe(200);
    expect((await accounts.logIn(account.email, NEW_PASSWORD)).status).toBe(200);
  });

  it("200: verifies the address, and invalidates the tokens of earlier signups", async () => {
    const { email } = await accounts.seedAccount({ verified: false });
    const [verifying = ""] = await accounts.verificationTokensOf(email);

    await reset(await mailedToken(email));

    expect((await accounts.logIn(email, NEW_PASSWORD)).body.developer).toMatchObject({
      email_verified: true,
      status: "active",
    });
    const followed = await accounts.call("GET", `/verify-email?token=${verifying}`);
    expect(followed).toMatchObject(REFUSED);
  });

  it("422: all but one of ten concurrent resets; the reset also invalidates earlier tokens", async () => {
    const { email } = await accounts.seedAccount();
    const earlier = await mailedToken(email);
    const token = await mailedToken(email);

    const answers = await Promise.all(Array.from({ length: 10 }, (_, turn) => reset(turn % 2 === 0 ? token : earlier)));

    expect(statusesOf(answers)).toEqual([200, ...Array(9).fill(422)]);
    expect(await reset(token)).toMatchObject(REFUSED);
    expect(await reset(earlier)).toMatchObject(REFUSED);
  });

  it("422: a token after an hour, an unknown token, and a verification token", async () => {
    const { email } = await accounts.seedAccount();
    const late = await mailedToken(email);
    harness.clock.advanceSeconds(3_600);
    expect(await reset(late)).toMatchObject(REFUSED);

    const soon = await mailedToken(email);
    harness.clock.advanceSeconds(3_599);
    expect((await reset(soon)).status).toBe(200);

    expect(await reset("nothing")).toMatchObject(REFUSED);
    const unverified = await accounts.seedAccount({ verified: false });
    const [verifying = ""] = await accounts.verificationTokensOf(unverified.email);
    expect(await reset(verifying)).toMatchObject(REFUSED);
    const resetting = await mailedToken(unverified.email);
    expect((await accounts.call("GET", `/verify-email?token=${resetting}`)).status).toBe(422);
  });

  it("422: does not hash the password for a used, expired or verification token", async () => {
    const { email } = await accounts.seedAccount();
    const used = await mailedToken(email);
    await reset(used);
    const unverified = await accounts.seedAccount({ verified: false });
    const [verifying = ""] = await accounts.verificationTokensOf(unverified.email);
    const over = await mailedToken(email);
    harness.clock.advanceSeconds(3_600);
    const hashing = vi.spyOn(harness.app.passwords, "hash");

    for (const token of [used, verifying, over]) expect(await reset(token)).toMatchObject(REFUSED);

    expect(hashing).not.toHaveBeenCalled();
    hashing.mockRestore();
  });

  it("422: a weak password, which does not use the token, and a suspended account", async () => {
    const { email } = await accounts.seedAccount();
    const token = await mailedToken(email);

    expect(await reset(token, "short")).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/password", code: "minLength" }] },
    });
    expect(await reset(token, "password1234")).toMatchObject({
      body: { errors: [{ code: "common_password" }] },
    });
    await accounts.query("update developers set status = 'suspended' where email = $1", [email]);
    expect(await reset(token)).toMatchObject(REFUSED);
    await accounts.query("update developers set status = 'active' where email = $1", [email]);
    expect((await reset(token)).status).toBe(200);
  });

  it("401: a login that checked the old password before the reset", async () => {
    const account = await accounts.seedAccount();
    const [{ hash }] = await accounts.query("select hash from developer_passwords where tenant_id = $1", [
      account.developerId,
    ]);
    const token = await mailedToken(account.email);
    await reset(token);

    // Simulates a login that checked the password before the reset and continues after it.
    const late = startSession(harness.app, {
      tenantId: account.developerId as `dev_${string}`,
      client: { network: "192.0.2.1", userAgent: null, requestId: "req_test" },
      method: "password",
      passwordHash: hash,
    });

    await expect(late).rejects.toMatchObject({ code: "authentication_failed" });
  });

  it("concurrent logins with the old password leave no session", async () => {
    const account = await accounts.seedAccount();
    const token = await mailedToken(account.email);

    await Promise.all([...Array.from({ length: 12 }, () => accounts.logIn(account.email, PASSWORD)), reset(token)]);

    const [{ count }] = await accounts.query(
      "select count(*)::int as count from sessions where tenant_id = $1 and revoked_at is null",
      [account.developerId],
    );
    expect(count).toBe(0);
  });
});
