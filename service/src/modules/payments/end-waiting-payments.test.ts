import { describe, expect, it } from "vitest";
import { seedApproval } from "../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../test/harness.ts";
import { paymentsOf } from "../../../test/payments/payments-of.ts";
import { cancelFrozenPayments, cancelPaymentsOf, expirePayments } from "./end-waiting-payments.ts";

const ENDED = { balance: 100, held: 0, openHolds: 0, openReservations: 0 };

describe("expirePayments", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);

  it("releases what expired authorizations of all tenants hold, from the second of expires_at", async () => {
    const tenants = [await arrange({ cap: "50.00" }), await arrange({ cap: "50.00" })];
    const due = await Promise.all(tenants.map(({ seed }) => seed({ seconds: 60 })));
    const later = await Promise.all(tenants.map(({ seed }) => seed({ seconds: 61 })));
    harness.clock.advanceSeconds(59);
    await expirePayments(harness.app);
    for (const { state } of tenants) expect(await state()).toMatchObject({ openHolds: 2 });

    harness.clock.advanceSeconds(1);
    await Promise.all([expirePayments(harness.app), expirePayments(harness.app)]);
    await expirePayments(harness.app);

    for (const [index, { state, usage, events, stored }] of tenants.entries()) {
      expect(await state()).toEqual({ balance: 100, held: 10, openHolds: 1, openReservations: 1 });
      expect(await usage()).toMatchObject({ spent: "0.00", reserved: "10.00" });
      expect(await events(due[index] ?? "")).toMatchObject([
        { type: "payment.expired", sequence: 1, data: { status: "expired" }, actor: "system" },
      ]);
      expect((await stored(later[index] ?? "")).status).toBe("authorized");
    }
    harness.clock.advanceSeconds(60);
    await expirePayments(harness.app);
    for (const { state } of tenants) expect(await state()).toEqual(ENDED);
  });

  it("takes turns: many expired authorizations of one tenant do not delay another's", async () => {
    const [busy, calm] = [await arrange(), await arrange()];
    for (let count = 0; count < 9; count += 1) await busy.seed({ seconds: 60, baseUnits: 1n });
    const due = await calm.seed({ seconds: 61 });
    harness.clock.advanceSeconds(61);

    await expirePayments(harness.app);

    const expired = await query(
      "select subject_id from events where type = 'payment.expired' and tenant_id = any($1) order by xid, event_id",
      [[busy.tenantId, calm.tenantId]],
    );
    expect(expired).toHaveLength(10);
    expect(expired.findIndex(({ subject_id }) => subject_id === due)).toBeLessThan(2);
  });

  it("expires an authorization of a frozen wallet and of a suspended agent", async () => {
    const { payer, seed, freeze, state } = await arrange();
    await seed({ seconds: 60 });
    await freeze(payer.walletId, "full");
    await query("update agents set status = 'suspended' where agent_id = $1", [payer.agentId]);
    harness.clock.advanceSeconds(60);

    await expirePayments(harness.app);

    expect(await state()).toEqual(ENDED);
  });

  it("expires the others if one fails", async () => {
    const [broken, sound] = [await arrange(), await arrange()];
    await broken.seed({ seconds: 60 });
    await sound.seed({ seconds: 61 });
    await query("update payments set transfer_id = 'ltr_unknown' where tenant_id = $1", [broken.tenantId]);
    harness.clock.advanceSeconds(61);

    await expect(expirePayments(harness.app)).rejects.toThrow("hold");

    expect(await sound.state()).toEqual(ENDED);
    expect(await broken.state()).toMatchObject({ openHolds: 1 });
    await query("delete from payments where tenant_id = $1", [broken.tenantId]);
  });
});

describe("cancelFrozenPayments", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);

  it("cancels what waits in frozen wallets of all tenants, and its approvals", async () => {
    const tenants = [await arrange({ cap: "50.00" }), await arrange({ cap: "50.00" })];
    const [first] = tenants;
    const approvals: string[] = [];
    for (const { tenantId, payer, payee, seed, freeze } of tenants) {
      await seed();
      await seed({ payee: null });
      await seed({ payer: payee, payee: payer, baseUnits: 1_000_000n });
      const id = await seed({ status: "requires_approval" });
      const subject = { type: "payment", id };
      const { agentId } = payer;
      approvals.push(await seedApproval(harness.app, tenantId, { mode: "test", agentId, subject }));
      await seed({ status: "confirmed" });
      await freeze(payer.walletId);
    }

    await Promise.all([cancelFrozenPayments(harness.app), cancelFrozenPayments(harness.app)]);
    await cancelFrozenPayments(harness.app);

    for (const { tenantId, payer, payee, state, payeeState, usage } of tenants) {
      expect(await state()).toMatchObject({ balance: 90, held: 0, openHolds: 1 });
      expect(await payeeState()).toMatchObject({ held: 1 });
      expect(await usage()).toMatchObject({ spent: "10.00", reserved: "1.00" });
      const rows = await query(
        `select wallet_id, status, failure ->> 'code' as code, count(*)::integer from payments
          where tenant_id = $1 group by 1, 2, 3 order by 2`,
        [tenantId],
      );
      expect(rows).toEqual([
        { wallet_id: payee.walletId, status: "authorized", code: null, count: 1 },
        { wallet_id: payer.walletId, status: "canceled", code: "wallet_frozen", count: 3 },
        { wallet_id: payer.walletId, status: "confirmed", code: null, count: 1 },
      ]);
    }
    const statuses = await query("select distinct status from approvals where approval_id = any($1)", [approvals]);
    expect(statuses).toEqual([{ status: "canceled" }]);
    const events = await query(
      "select actor ->> 'type' as actor, data -> 'failure' ->> 'code' as code from events where type = 'payment.canceled' and tenant_id = $1",
      [first?.tenantId],
    );
    expect(events).toEqual(Array(3).fill({ actor: "system", code: "wallet_frozen" }));
  });

  it("cancelPaymentsOf: only those of the wallet, because the wallet was frozen; none once it is unfrozen", async () => {
    const { tenantId, payer, payee, seed, freeze, stored, state } = await arrange();
    const [own, expired] = [await seed(), await seed({ seconds: 60 })];
    const other = await seed({ payer: payee, payee: payer, baseUnits: 1_000_000n });
    harness.clock.advanceSeconds(60);
    const wallet = { tenantId, walletId: payer.walletId };
    expect(await cancelPaymentsOf(harness.app, wallet)).toBe(0);
    await freeze(payer.walletId);
    const failure = { code: "wallet_frozen", detail: "The wallet was frozen before the payee was paid." };

    expect(await cancelPaymentsOf(harness.app, wallet)).toBe(1);
    expect(await cancelPaymentsOf(harness.app, wallet)).toBe(0);

    expect(await stored(own)).toMatchObject({ status: "canceled", failure });
    expect(await stored(other)).toMatchObject({ status: "authorized" });
    expect(await stored(expired)).toMatchObject({ status: "authorized" });
    expect(await state()).toMatchObject({ held: 10 });
  });
});
