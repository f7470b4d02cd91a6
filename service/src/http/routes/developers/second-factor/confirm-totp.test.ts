import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { secondFactorsOf } from "../../../../../test/second-factors.ts";
import { totpCode } from "../../../../crypto/totp.ts";

describe("POST /developers/dashboard/mfa/totp/confirm", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const secondFactors = secondFactorsOf(harness, accounts);

  type Account = Awaited<ReturnType<typeof accounts.seedAccount>>;
  const confirm = ({ as }: Account, code: string) => accounts.call("POST", "/dashboard/mfa/totp/confirm", { code }, as);

  async function arrange() {
    const account = await accounts.seedAccount();
    const { body } = await accounts.call("POST", "/dashboard/mfa/totp", {}, account.as);
    const code = (steps = 0) => totpCode(body.secret, new Date(harness.clock.now().getTime() + steps * 30_000));
    return { ...account, code };
  }

  it("200: enables the second factor and returns ten recovery codes, which are stored as hashes only", async () => {
    const account = await arrange();

    const { status, body } = await confirm(account, account.code());

    expect(status).toBe(200);
    expect(body.recovery_codes).toHaveLength(10);
    expect(new Set(body.recovery_codes).size).toBe(10);
    for (const code of body.recovery_codes) {
      expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    }
    expect((await accounts.logIn(account.email)).body).toEqual({
      mfa_required: true,
      mfa_token: expect.stringMatching(/^[\w-]{43}$/),
      methods: ["totp", "recovery_code"],
    });
    const everything = `${await accounts.everyRow()}\n${harness.logLines.join("\n")}`;
    for (const code of body.recovery_codes) {
      expect(everything).not.toContain(code);
      expect(everything).not.toContain(code.replaceAll("-", ""));
    }
  });

  it("200: existing sessions continue; notifies the owner and writes an audit entry", async () => {
    const account = await arrange();

    await confirm(account, account.code());

    const me = await accounts.call("GET", "/dashboard/me", undefined, account.as);
    expect(me).toMatchObject({ status: 200, body: { mfa_enabled: true } });
    await harness.deliverMails();
    expect(harness.mails.filter(({ to }) => to === account.email).at(-1)?.subject).toBe(
      "Your Purser account has a second factor",
    );
    const entries = await accounts.query(
      "select action, facts from audit_entries where tenant_id = $1 and action like '%second_factor%' order by audit_id",
      [account.developerId],
    );
    expect(entries).toEqual([
      { action: "developer.second_factor_begun", facts: { factor: "totp" } },
      { action: "developer.second_factor_enabled", facts: { factor: "totp" } },
    ]);
  });

  it("422: a wrong code, or one that is two time steps off", async () => {
    const account = await arrange();
    const right = [account.code(-1), account.code(), account.code(1)];
    const wrong = ["000000", "111111", "222222", "333333"].filter((code) => !right.includes(code));

    for (const code of [account.code(-2), account.code(2), ...wrong]) {
      expect(await confirm(account, code)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/body/code", code: "wrong_code" }] },
      });
    }
    expect((await accounts.logIn(account.email)).body.access_token).toBeDefined();
  });

  it("401: a login with the code that confirmed the second factor", async () => {
    const account = await arrange();
    const code = account.code();
    await confirm(account, code);

    const token = await secondFactors.begin(account.email);
    expect((await secondFactors.finish(token, code)).status).toBe(401);
    secondFactors.nextStep();
    expect((await secondFactors.finish(token, account.code())).status).toBe(200);
  });

  it("409: there is no unconfirmed secret, because none was created or it is already confirmed", async () => {
    const withoutSecret = await accounts.seedAccount();
    expect(await confirm(withoutSecret, "123456")).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });

    const account = await arrange();
    await confirm(account, account.code());
    secondFactors.nextStep();
    expect((await confirm(account, account.code())).status).toBe(409);
  });

  it("200: one of ten concurrent calls", async () => {
    const account = await arrange();

    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(account, account.code())));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const [{ count }] = await accounts.query(
      "select count(*)::int as count from developer_recovery_codes where tenant_id = $1",
      [account.developerId],
    );
    expect(count).toBe(10);
  });
});
