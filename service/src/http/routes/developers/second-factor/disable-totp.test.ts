import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf, wrongCodeOf } from "../../../../../test/second-factors.ts";
import { totpCode } from "../../../../crypto/totp.ts";

describe("POST /developers/dashboard/mfa/totp/disable", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  type Device = Awaited<ReturnType<typeof secondFactors.seed>>;
  const disable = ({ as }: Pick<Device, "as">, code: string, headers = {}) =>
    accounts.call("POST", "/dashboard/mfa/totp/disable", { code }, { headers: { ...as.headers, ...headers } });

  it("204: disables it with a code, deletes its rows, and notifies the owner", async () => {
    const device = await secondFactors.seed();

    const answer = await disable(device, device.code());

    expect(answer).toMatchObject({ status: 204, text: "" });
    expect((await accounts.logIn(device.email)).body).toMatchObject({
      developer: { mfa_enabled: false },
    });
    for (const table of ["developer_totp", "developer_recovery_codes"]) {
      const rows = await accounts.query(`select 1 from ${table} where tenant_id = $1`, [device.developerId]);
      expect(rows).toEqual([]);
    }
    await harness.deliverMails();
    expect(harness.mails.filter(({ to }) => to === device.email).at(-1)?.subject).toBe(
      "Your Purser account no longer has a second factor",
    );
    const entries = await accounts.query(
      "select facts from audit_entries where tenant_id = $1 and action = 'developer.second_factor_disabled'",
      [device.developerId],
    );
    expect(entries).toEqual([{ facts: { factor: "totp", proven_by: "totp" } }]);
  });

  it("204: a recovery code", async () => {
    const device = await secondFactors.seed();

    expect((await disable(device, device.recoveryCodes[3] ?? "")).status).toBe(204);
  });

  it("204: a repeated Idempotency-Key returns the same response without checking the code", async () => {
    const device = await secondFactors.seed();
    const headers = { "idempotency-key": randomUUID() };
    const code = device.code();

    expect((await disable(device, code, headers)).status).toBe(204);
    const again = await disable(device, code, headers);
    expect(again).toMatchObject({ status: 204, text: "" });
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("401: a login that waited for a code, even with a code from the next secret", async () => {
    const device = await secondFactors.seed();
    const token = await secondFactors.begin(device.email);
    await disable(device, device.recoveryCodes[0] ?? "");

    const { body } = await accounts.call("POST", "/dashboard/mfa/totp", {}, device.as);
    const code = () => totpCode(body.secret, harness.clock.now());
    await accounts.call("POST", "/dashboard/mfa/totp/confirm", { code: code() }, device.as);
    secondFactors.nextStep();

    expect((await secondFactors.finish(token, code())).status).toBe(401);
    const fresh = await secondFactors.begin(device.email);
    expect((await secondFactors.finish(fresh, code())).status).toBe(200);
  });

  it("422: a wrong or used code", async () => {
    const device = await secondFactors.seed();
    const code = device.code();
    await secondFactors.finish(await secondFactors.begin(device.email), code);

    for (const wrong of [wrongCodeOf(device), code, "ABCD-EFGH-IJKL-MNOP"]) {
      expect(await disable(device, wrong)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/body/code", code: "wrong_code" }] },
      });
    }
    expect((await accounts.logIn(device.email)).body.mfa_required).toBe(true);
  });

  it("429: more than 20 TOTP codes per hour; a recovery code still works", async () => {
    const device = await secondFactors.seed();

    const answers = await Promise.all(Array.from({ length: 30 }, () => disable(device, wrongCodeOf(device))));

    const refused = answers.filter(({ status }) => status === 422);
    const limited = answers.filter(({ status }) => status === 429);
    expect([refused.length, limited.length]).toEqual([20, 10]);
    expect(Number(limited[0]?.headers["retry-after"])).toBeGreaterThan(3_000);
    expect((await disable(device, device.recoveryCodes[0] ?? "")).status).toBe(204);
  });

  it("409: the account has no second factor", async () => {
    const account = await accounts.seedAccount();

    expect(await disable(account, "123456")).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });
});
