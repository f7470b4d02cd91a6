import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { adminsOf, STEP_SECONDS } from "../../../../test/admins.ts";
import { useHarness } from "../../../../test/harness.ts";
import { disableAdmin } from "../../../modules/admins/admins.ts";

const REFUSED = { status: 401, body: { detail: "Authentication failed." } };
const MINUTE_SECONDS = 60;

describe("POST /admin/login and /admin/login/totp", () => {
  const harness = useHarness();
  const admins = adminsOf(harness);
  const { query } = accountsOf(harness);

  const isLoggedIn = async (as: object) => {
    const about = { developer_id: "dev_nobody", status: "verified" };
    return (await admins.post("/developers/verify-kyb", about, as)).status === 404;
  };

  it("200: returns a token for the password, then a session of ten minutes for the code", async () => {
    const admin = await admins.seedAdmin();

    const first = await admins.logIn({ ...admin, email: admin.email.toUpperCase() });
    expect(first).toMatchObject({ status: 200, body: { expires_in: 300 } });
    expect(Object.keys(first.body)).toEqual(["mfa_token", "expires_in"]);
    expect(first.headers["set-cookie"]).toBeUndefined();

    const second = await admins.sendCode(first.body.mfa_token, admins.codeOf(admin));
    expect(second).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 600 } });
    expect(second.headers["set-cookie"]).toBe(
      `svc_admin=${second.body.access_token}; Max-Age=600; Path=/; HttpOnly; SameSite=Strict`,
    );
    expect(await isLoggedIn({ headers: { authorization: `Bearer ${second.body.access_token}` } })).toBe(true);
  });

  it("200: the session expires after exactly 600 seconds", async () => {
    const { as } = await admins.seedSession();

    harness.clock.advanceSeconds(599);
    expect(await isLoggedIn(as)).toBe(true);
    harness.clock.advanceSeconds(1);
    expect(await isLoggedIn(as)).toBe(false);
  });

  it("200: writes an entry without secrets to the operators' audit trail", async () => {
    const { adminId, password, accessToken, totpSecret } = await admins.seedSession();

    const entries = await query(
      "select action, actor, to_jsonb(e)::text as text from audit_entries e where tenant_id = 'sys_operator' and (actor->>'id' = $1 or subject->>'id' = $1) order by audit_id",
      [adminId],
    );
    expect(entries).toMatchObject([
      { action: "admin.created", actor: { type: "system", id: "command-line" } },
      { action: "admin.logged_in", actor: { type: "admin", id: adminId, key_id: null } },
    ]);
    const text = entries.map((entry) => entry.text).join();
    for (const secret of [password, accessToken, totpSecret]) expect(text).not.toContain(secret);
  });

  it("401: wrong password, unknown address and disabled admin have the same response", async () => {
    const admin = await admins.seedAdmin();
    const disabled = await admins.seedAdmin();
    await disableAdmin(harness.app, disabled);

    const responses = [
      await admins.logIn({ ...admin, password: "another password of mine" }),
      await admins.logIn({ ...admin, email: "nobody@purser.test" }),
      await admins.logIn(disabled),
    ];
    for (const response of responses) {
      expect(response).toMatchObject(REFUSED);
      expect({ ...response.body, request_id: "" }).toEqual({
        ...responses[0]?.body,
        request_id: "",
      });
    }
  });

  it("401: credentials of a developer", async () => {
    const accounts = accountsOf(harness);
    const { email } = await accounts.seedAccount();

    expect(await admins.post("/admin/login", { email, password: "tin whistle under glass" })).toMatchObject(REFUSED);
  });

  it("401: wrong code, unknown token, or token older than five minutes", async () => {
    const admin = await admins.seedAdmin();
    const wrongCode = admins.codeOf(admin) === "000000" ? "111111" : "000000";
    const token = await admins.beginLogin(admin);

    expect(await admins.sendCode(token, wrongCode)).toMatchObject(REFUSED);
    expect(await admins.sendCode("x".repeat(43), admins.codeOf(admin))).toMatchObject(REFUSED);
    harness.clock.advanceSeconds(300);
    expect(await admins.sendCode(token, admins.codeOf(admin))).toMatchObject(REFUSED);
  });

  it("401: code was already used, also with another token", async () => {
    const admin = await admins.seedAdmin();
    const tokens = [await admins.beginLogin(admin), await admins.beginLogin(admin)];
    const code = admins.codeOf(admin);

    expect((await admins.sendCode(tokens[0] ?? "", code)).status).toBe(200);
    expect(await admins.sendCode(tokens[1] ?? "", code)).toMatchObject(REFUSED);
    harness.clock.advanceSeconds(STEP_SECONDS);
    expect((await admins.sendCode(tokens[1] ?? "", admins.codeOf(admin))).status).toBe(200);
  });

  it("401: code of an earlier TOTP step than the last used one", async () => {
    const admin = await admins.seedAdmin();
    const tokens = [await admins.beginLogin(admin), await admins.beginLogin(admin)];
    const earlier = admins.codeOf(admin);
    harness.clock.advanceSeconds(STEP_SECONDS);

    expect((await admins.sendCode(tokens[0] ?? "", admins.codeOf(admin))).status).toBe(200);
    expect(await admins.sendCode(tokens[1] ?? "", earlier)).toMatchObject(REFUSED);
  });

  it("401: token was already used for a session", async () => {
    const admin = await admins.seedAdmin();
    const token = await admins.beginLogin(admin);

    expect((await admins.sendCode(token, admins.codeOf(admin))).status).toBe(200);
    harness.clock.advanceSeconds(STEP_SECONDS);
    expect(await admins.sendCode(token, admins.codeOf(admin))).toMatchObject(REFUSED);
  });

  it("401: five codes were tried with the token, in sequence or concurrently", async () => {
    const admin = await admins.seedAdmin();
    const token = await admins.beginLogin(admin);
    const wrong = Array.from({ length: 50 }, (_, index) => String(900_000 + index)).filter(
      (code) => code !== admins.codeOf(admin),
    );

    const responses = await Promise.all(wrong.map((code) => admins.sendCode(token, code)));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    const [challenge] = await query("select attempts from admin_challenges where admin_id = $1 and used_at is null", [
      admin.adminId,
    ]);
    expect(challenge).toEqual({ attempts: 5 });
    const failures = await query(
      "select 1 from audit_entries where action = 'admin.second_factor_failed' and actor->>'id' = $1",
      [admin.adminId],
    );
    expect(failures).toHaveLength(5);
    expect(await admins.sendCode(token, admins.codeOf(admin))).toMatchObject(REFUSED);
  });

  it("200 once, else 401: fifty concurrent requests with the right code", async () => {
    const admin = await admins.seedAdmin();
    const from = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4", "203.0.113.5"];
    const tokens = await Promise.all(from.map((address) => admins.beginLogin(admin, { from: address })));
    const code = admins.codeOf(admin);

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => admins.sendCode(tokens[index % 5] ?? "", code)),
    );

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const sessions = await query("select 1 from admin_sessions where admin_id = $1", [admin.adminId]);
    expect(sessions).toHaveLength(1);
  });

  it("429: twenty wrong codes for an admin within an hour, across all tokens and networks", async () => {
    const admin = await admins.seedAdmin();
    const wrongCode = admins.codeOf(admin) === "000000" ? "111111" : "000000";
    const tokens = await Promise.all(Array.from({ length: 6 }, () => admins.beginLogin(admin)));

    const responses = await Promise.all(
      tokens.slice(0, 5).flatMap((token) => Array.from({ length: 5 }, () => admins.sendCode(token, wrongCode))),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);

    const limited = await admins.sendCode(tokens[5] ?? "", admins.codeOf(admin));
    expect(limited).toMatchObject({ status: 429, headers: { "retry-after": "600" } });

    harness.clock.advanceSeconds(61 * MINUTE_SECONDS);
    const later = await admins.beginLogin(admin);
    expect((await admins.sendCode(later, admins.codeOf(admin))).status).toBe(200);
  });

  it("429: five incomplete logins with one address from one network; other networks are not limited", async () => {
    const admin = await admins.seedAdmin();
    const from = admins.newAddress();
    const guess = () => admins.logIn({ ...admin, password: "another password of mine" }, { from });

    const responses = await Promise.all(Array.from({ length: 12 }, guess));

    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(7);
    const limited = await admins.logIn(admin, { from });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers["retry-after"])).toBe(15 * MINUTE_SECONDS);

    const token = await admins.beginLogin(admin);
    expect((await admins.sendCode(token, admins.codeOf(admin))).status).toBe(200);
    harness.clock.advanceSeconds(15 * MINUTE_SECONDS);
    expect((await admins.logIn(admin, { from })).status).toBe(200);
  });

  it("200: a successful login resets the count of incomplete logins", async () => {
    const admin = await admins.seedAdmin();
    const from = admins.newAddress();

    for (let login = 0; login < 7; login += 1) {
      const token = await admins.beginLogin(admin, { from });
      harness.clock.advanceSeconds(STEP_SECONDS);
      expect((await admins.sendCode(token, admins.codeOf(admin), { from })).status).toBe(200);
    }
  });

  it("401: session of a disabled admin", async () => {
    const { as, email, cookie } = await admins.seedSession();

    expect(await isLoggedIn(as)).toBe(true);
    await disableAdmin(harness.app, { email });

    expect(await isLoggedIn(as)).toBe(false);
    expect(await isLoggedIn({ headers: { cookie } })).toBe(false);
  });

  it("422: body is invalid; each error contains the field", async () => {
    const pointers = async (path: string, body: object) =>
      (await admins.post(path, body)).body.errors.map(({ pointer }: { pointer: string }) => pointer);

    expect(await pointers("/admin/login", {})).toEqual(["/body/email", "/body/password"]);
    expect(await pointers("/admin/login/totp", { mfa_token: "x", code: "12345" })).toEqual(["/body/code"]);
    expect(await pointers("/admin/login", { email: "a@b.co", password: "x", role: "admin" })).toEqual(["/body/role"]);
  });
});
