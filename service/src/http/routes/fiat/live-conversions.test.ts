import { describe, expect, it } from "vitest";
import { conversionsOf } from "../../../../test/fiat/conversions.ts";
import { useHarness } from "../../../../test/harness.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";

describe("conversions in live mode", () => {
  const harness = useHarness({ vendors: true });
  const { banks } = conversionsOf(harness);

  it("503 network_unavailable: on-ramps, quotes and validations; nothing is stored, and Bridge is not asked", async () => {
    const tenant = await harness.seedTenant({ mode: "live" });
    const { body } = await banks.linkBank(tenant);
    await banks.advance();
    const { wallet_id: walletId } = await createWallet(tenant);
    const before = harness.sandbox.requests("bridge").length;
    const order = { source_account_id: body.account.account_id, wallet_id: walletId, amount: "100.00" };

    for (const fields of [{}, { execute: false }, { validate_only: true }]) {
      const { status, body: problem } = await tenant.post("/fiat/on-ramp", { ...order, ...fields });
      expect([status, problem.code], JSON.stringify(fields)).toEqual([503, "network_unavailable"]);
    }

    expect((await tenant.get("/fiat/conversions")).body.data).toEqual([]);
    expect(harness.sandbox.requests("bridge").length).toBe(before);
  });
});
