import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { devicesOf } from "../../../../../test/devices.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf, wrongCodeOf } from "../../../../../test/second-factors.ts";
import { sha256Hex } from "../../../../crypto/signing.ts";

const NEEDS_LOGIN = { status: 403, body: { code: "reauthentication_required" } };
const BEGIN_TOTP = "/dashboard/mfa/totp";

describe("what needs a login of the last 15 minutes", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const devices = devicesOf(harness, accounts);
  const secondFactors = secondFactorsOf(harness, accounts);

  /** Lets the login become too old. The session's tokens are refreshed, which is no login. */
  async function grow<Account extends { refreshToken: string }>(account: Account, seconds = 901) {
    harness.clock.advanceSeconds(seconds);
    const { refreshToken: refresh_token } = account;
    const { body } = await accounts.call("POST", "/token/refresh", { refresh_token });
    return { ...account, as: { headers: { authorization: `Bearer ${body.access_token}` } } };
  }
  const seedOld = async () => grow(await accounts.seedAccount());

  it("200: takes a login of exactly 15 minutes ago", async () => {
    const account = await grow(await accounts.seedAccount(), 900);

    expect((await accounts.call("POST", BEGIN_TOTP, {}, account.as)).status).toBe(200);
  });

  it("403: refuses to set up a second factor after an older login, and takes the password instead", async () => {
    const { as } = await seedOld();
    const code = { code: "000000" };

    expect(await accounts.call("POST", BEGIN_TOTP, undefined, as)).toMatchObject(NEEDS_LOGIN);
    expect(await accounts.call("POST", `${BEGIN_TOTP}/confirm`, code, as)).toMatchObject(
      NEEDS_LOGIN,
    );
    const begun = await accounts.call("POST", BEGIN_TOTP, { password: PASSWORD }, as);
    expect(begun.status).toBe(200);
    const confirm = { ...code, password: PASSWORD };
    const confirmed = await accounts.call("POST", `${BEGIN_TOTP}/confirm`, confirm, as);
    expect(confirmed).toMatchObject({ status: 422, body: { errors: [{ code: "wrong_code" }] } });
  });

  it("204: turns the second factor off with its code, whatever the login's age", async () => {
    const { as, code } = await grow(await secondFactors.seed());

    const off = await accounts.call("POST", `${BEGIN_TOTP}/disable`, { code: code() }, as);

    expect(off.status).toBe(204);
  });

  it("403: refuses to approve a device, and takes a code of the second factor once, but refuses a device at any time", async () => {
    const device = await grow(await secondFactors.seed());
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

  it("403: takes no password of an account that has none, and no code of one without a second factor", async () => {
    const { as, developerId } = await seedOld();

    const byCode = await accounts.call("POST", BEGIN_TOTP, { totp_code: "123456" }, as);
    await accounts.query("delete from developer_passwords where tenant_id = $1", [developerId]);
    const byPassword = await accounts.call("POST", BEGIN_TOTP, { password: PASSWORD }, as);

    expect(byCode).toMatchObject(NEEDS_LOGIN);
    expect(byPassword).toMatchObject(NEEDS_LOGIN);
  });

  it("429: counts wrong passwords as failed logins from the same network", async () => {
    const { as, email } = await seedOld();
    const from = accounts.newAddress();
    const options = { ...as, from };
    const guess = () => accounts.call("POST", BEGIN_TOTP, { password: "another" }, options);

    const statuses = (await Promise.all(Array.from({ length: 8 }, guess))).map(
      ({ status }) => status,
    );

    expect(statuses.sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    const right = await accounts.call("POST", BEGIN_TOTP, { password: PASSWORD }, options);
    expect(right).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(800);
    const login = await accounts.logIn(email, PASSWORD, { from });
    expect(login).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/captcha_token" }] },
    });
    expect((await accounts.logIn(email)).status).toBe(200);
  });

  it("200: the same Idempotency-Key works after the password was given, of which nothing is stored", async () => {
    const { as } = await seedOld();
    const headers = { ...as.headers, "idempotency-key": randomUUID() };
    const begin = (body: object) => accounts.call("POST", BEGIN_TOTP, body, { headers });

    expect(await begin({ password: "another" })).toMatchObject(NEEDS_LOGIN);
    expect((await begin({ password: PASSWORD })).status).toBe(200);

    const path = "/api/v1/svc/developers/dashboard/mfa/totp";
    const guess = sha256Hex(JSON.stringify([path, "", sha256Hex(`{"password":"${PASSWORD}"}`)]));
    expect(await accounts.everyRow()).not.toContain(guess);
  });
});
