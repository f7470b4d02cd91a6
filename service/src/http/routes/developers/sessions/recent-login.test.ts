import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf, wrongCodeOf } from "../../../../../test/second-factors.ts";
import { sha256Hex } from "../../../../crypto/signing.ts";

const NEEDS_LOGIN = { status: 403, body: { code: "reauthentication_required" } };
const TOTP = "/dashboard/mfa/totp";

describe("calls that require a login within the last 15 minutes", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);

  /**
   * Advances the clock and refreshes the tokens. After 901 seconds, the login is no longer recent, because refreshing
   * the tokens does not count as a login.
   */
  async function ageLogin<Account extends { refreshToken: string }>(account: Account, seconds = 901) {
    harness.clock.advanceSeconds(seconds);
    const { refreshToken: refresh_token } = account;
    const { body } = await accounts.call("POST", "/token/refresh", { refresh_token });
    return { ...account, as: { headers: { authorization: `Bearer ${body.access_token}` } } };
  }
  const seedOld = async () => ageLogin(await accounts.seedAccount());

  it("200: a login exactly 15 minutes ago", async () => {
    const account = await ageLogin(await accounts.seedAccount(), 900);

    expect((await accounts.call("POST", TOTP, {}, account.as)).status).toBe(200);
  });

  it("403: setting up a second factor after an older login; the password is accepted instead", async () => {
    const { as } = await seedOld();
    const code = { code: "000000" };

    expect(await accounts.call("POST", TOTP, undefined, as)).toMatchObject(NEEDS_LOGIN);
    expect(await accounts.call("POST", `${TOTP}/confirm`, code, as)).toMatchObject(NEEDS_LOGIN);
    const started = await accounts.call("POST", TOTP, { password: PASSWORD }, as);
    expect(started.status).toBe(200);
    const confirm = { ...code, password: PASSWORD };
    const confirmed = await accounts.call("POST", `${TOTP}/confirm`, confirm, as);
    expect(confirmed).toMatchObject({ status: 422, body: { errors: [{ code: "wrong_code" }] } });
  });

  it("204: disabling the second factor needs only its code", async () => {
    const { as, code } = await ageLogin(await secondFactors.seed());

    const off = await accounts.call("POST", `${TOTP}/disable`, { code: code() }, as);

    expect(off.status).toBe(204);
  });

  it("403: approving a device after an older login; a TOTP code is accepted once; denying needs neither", async () => {
    const device = await ageLogin(await secondFactors.seed());
    const { userCode: user_code } = await devices.seed();

    expect(await devices.decide(device, { user_code })).toMatchObject(NEEDS_LOGIN);
    const wrong = { user_code, totp_code: wrongCodeOf(device) };
    expect(await devices.decide(device, wrong)).toMatchObject(NEEDS_LOGIN);
    const right = { user_code, totp_code: device.code() };
    expect((await devices.decide(device, right)).status).toBe(200);
    const { userCode: another } = await devices.seed();
    const again = { user_code: another, totp_code: device.code() };
    expect(await devices.decide(device, again)).toMatchObject(NEEDS_LOGIN);
    const denied = await devices.decide(device, { user_code: another, approve: false });
    expect(denied.body.status).toBe("denied");
  });

  it("403: a password for an account without one, and a code for an account without a second factor", async () => {
    const { as, developerId } = await seedOld();

    const byCode = await accounts.call("POST", TOTP, { totp_code: "123456" }, as);
    await accounts.query("delete from developer_passwords where tenant_id = $1", [developerId]);
    const byPassword = await accounts.call("POST", TOTP, { password: PASSWORD }, as);

    expect(byCode).toMatchObject(NEEDS_LOGIN);
    expect(byPassword).toMatchObject(NEEDS_LOGIN);
  });

  it("429: wrong passwords count as failed logins from the same network", async () => {
    const { as, email } = await seedOld();
    const from = accounts.newAddress();
    const options = { ...as, from };
    const guess = () => accounts.call("POST", TOTP, { password: "another" }, options);

    const statuses = (await Promise.all(Array.from({ length: 8 }, guess))).map(({ status }) => status);

    expect(statuses.sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    const right = await accounts.call("POST", TOTP, { password: PASSWORD }, options);
    expect(right).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(800);
    const login = await accounts.logIn(email, PASSWORD, { from });
    expect(login).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/captcha_token" }] },
    });
    expect((await accounts.logIn(email)).status).toBe(200);
  });

  it("200: an Idempotency-Key works after a wrong password; nothing derived from the password is stored", async () => {
    const { as } = await seedOld();
    const headers = { ...as.headers, "idempotency-key": randomUUID() };
    const startTotp = (body: object) => accounts.call("POST", TOTP, body, { headers });

    expect(await startTotp({ password: "another" })).toMatchObject(NEEDS_LOGIN);
    expect((await startTotp({ password: PASSWORD })).status).toBe(200);

    const path = "/api/v1/svc/developers/dashboard/mfa/totp";
    const guess = sha256Hex(JSON.stringify([path, "", sha256Hex(`{"password":"${PASSWORD}"}`)]));
    expect(await accounts.everyRow()).not.toContain(guess);
  });
});
