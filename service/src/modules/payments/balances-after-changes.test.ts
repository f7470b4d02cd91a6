import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { type Payer, seedPayer } from "../../../test/payments/pay.ts";
import { SCOPES } from "../../foundation/vocabulary.ts";
import { expirePayments } from "./end-waiting-payments.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const ASK = { id: "ask", effect: "require_approval", operation: "payment" };

describe("cached balances of wallets whose payments change", () => {
  const harness = useHarness();

  /** Returns total and held, from the cache if it has them. */
  async function balanceOf({ tenant, walletId }: Payer) {
    const { body } = await tenant.get(`/wallets/${walletId}/balance`);
    const { total, held } = body.balances[0];
    return [total, held];
  }

  async function arrange() {
    const payer = await seedPayer(harness);
    const payee = await seedPayer(harness, { tenant: payer.tenant });
    const authorized = await payer.pay({ to: payee.walletId, execution: "authorize_only" });
    const both = async () => [await balanceOf(payer), await balanceOf(payee)];
    expect(await both()).toEqual([
      ["1000.00", "5.00"],
      ["1000.00", "0.00"],
    ]);
    return { payer, payee, both, path: `/payments/${authorized.body.payment_id}` };
  }

  it("200: after a capture and after a refund, both wallets have the new balances at once", async () => {
    const { payer, payee, both, path } = await arrange();

    await payer.post(`${path}/capture`, { amount: "4" });
    expect(await both()).toEqual([
      ["996.00", "0.00"],
      ["1004.00", "0.00"],
    ]);
    await payee.post(`${path}/refund`, { amount: "1" });
    expect(await both()).toEqual([
      ["997.00", "0.00"],
      ["1003.00", "0.00"],
    ]);
  });

  it.each(["void", "cancel"])("200: after a %s, nothing is held", async (action) => {
    const { payer, both, path } = await arrange();

    await payer.post(`${path}/${action}`);

    expect(await both()).toEqual([
      ["1000.00", "0.00"],
      ["1000.00", "0.00"],
    ]);
  });

  it("200: after an authorization has expired, nothing is held", async () => {
    const payer = await seedPayer(harness);
    const expires_at = new Date(harness.clock.now().getTime() + 20_000).toISOString();
    await payer.pay({ execution: "authorize_only", expires_at });
    harness.clock.advanceSeconds(15);
    expect(await balanceOf(payer)).toEqual(["1000.00", "5.00"]);
    harness.clock.advanceSeconds(5);

    await expirePayments(harness.app);

    expect(await balanceOf(payer)).toEqual(["1000.00", "0.00"]);
  });

  it("200: after an approval, the wallet has paid", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW, ASK] });
    const approver = await harness.seedKey(payer.tenant.tenantId, { mode: "test", scopes: SCOPES });
    const { approval } = (await payer.pay()).body;
    expect(await balanceOf(payer)).toEqual(["1000.00", "0.00"]);

    await approver.post(`/approvals/${approval.approval_id}/approve`);

    expect(await balanceOf(payer)).toEqual(["995.00", "0.00"]);
  });
});
