import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";

const HOLD = { amount: "0.01", execution: "authorize_only" };

describe("open authorizations of a wallet", () => {
  const harness = useHarness();
  const { query } = accountsOf(harness);

  /** Returns a payer whose wallet has this number of open authorizations. */
  async function arrange(count: number) {
    const payer = await seedPayer(harness);
    const { body: first } = await payer.pay(HOLD);
    await query(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object('payment_id', p.payment_id || '_' || n))).*
        from payments p, generate_series(2, $2) n where payment_id = $1`,
      [first.payment_id, count],
    );
    return payer;
  }

  it("409: the wallet has 1,000 open authorizations, also after a decision from cached facts", async () => {
    const payer = await arrange(999);

    const answers = await Promise.all([payer.pay(HOLD), payer.pay(HOLD)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = await payer.pay(HOLD);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(refused.body.detail).toContain("The wallet has 1,000 open authorizations.");
    expect((await payer.balance()).held).toBe(20_000n);
    const simulated = { agent_id: payer.agentId, to: `0x${"12".repeat(20)}`, ...HOLD };
    const { body } = await payer.post("/payments/simulate", simulated);
    expect([body.outcome, body.refusal.code]).toEqual(["deny", "conflict"]);
    expect((await payer.pay()).status).toBe(200);
    const [open] = await query(
      "select payment_id from payments where wallet_id = $1 and status = 'authorized' order by payment_id limit 1",
      [payer.walletId],
    );
    expect((await payer.post(`/payments/${open?.["payment_id"]}/void`)).status).toBe(200);
    expect((await payer.pay(HOLD)).status).toBe(200);
  });

  it("200: authorizations that have expired, and those of other wallets, do not count", async () => {
    const payer = await arrange(1_000);
    const other = await seedPayer(harness, { tenant: payer.tenant });
    expect((await other.pay(HOLD)).status).toBe(200);
    expect((await payer.pay(HOLD)).status).toBe(409);
    await query("update payments set expires_at = $2 where wallet_id = $1 and payment_id like '%_9%'", [
      payer.walletId,
      harness.clock.now(),
    ]);

    expect((await payer.pay(HOLD)).status).toBe(200);
  });
});
