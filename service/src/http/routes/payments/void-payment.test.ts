import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../test/harness.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";

describe("POST /payments/{payment_id}/void", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);

  it("200: releases the hold and the reservation, with an audit entry and an event", async () => {
    const { seed, act, state, payeeState, usage, events, entries } = await arrange({
      cap: "50.00",
    });
    const paymentId = await seed();
    expect(await usage()).toMatchObject({ spent: "0.00", reserved: "10.00" });

    const { status, body } = await act("void", paymentId);

    expect([status, body]).toMatchObject([
      200,
      { status: "voided", paid_amount: null, settled_at: null, failure: null },
    ]);
    expect(await state()).toEqual({ balance: 100, held: 0, openHolds: 0, openReservations: 0 });
    expect(await payeeState()).toMatchObject({ balance: 20 });
    expect(await usage()).toMatchObject({ spent: "0.00", reserved: "0.00" });
    expect(await events(paymentId)).toMatchObject([
      { type: "payment.voided", sequence: 1, data: body, actor: "agent" },
    ]);
    expect(await entries(paymentId)).toMatchObject([{ action: "payment.voided" }]);
  });

  it("200: the wallets are frozen and the agent is suspended", async () => {
    const { payer, payee, seed, act, freeze, state } = await arrange();
    const paymentId = await seed();
    await freeze(payer.walletId, "full");
    await freeze(payee.walletId, "full");
    await query("update agents set status = 'suspended' where agent_id = $1", [payer.agentId]);

    expect((await act("void", paymentId)).body).toMatchObject({ status: "voided" });
    expect(await state()).toMatchObject({ balance: 100, openHolds: 0 });
  });

  it("409 from the second of expires_at, with an entry and an event about the refusal", async () => {
    const { seed, act, events, entries } = await arrange();
    const paymentId = await seed({ seconds: 60 });
    harness.clock.advanceSeconds(60);

    expect(outcomeOf(await act("void", paymentId))).toEqual([409, "conflict"]);

    expect(await events(paymentId)).toMatchObject([
      { type: "payment.void_refused", sequence: null, data: { code: "conflict" } },
    ]);
    expect(await entries(paymentId)).toMatchObject([{ action: "payment.void_refused" }]);
  });

  it("404: another agent's payment, with each kind of key; 422 without X-Agent-ID or with a field", async () => {
    const { tenant, tenantId, payee, seed, act } = await arrange();
    const paymentId = await seed();
    const bound = await harness.seedKey(tenantId, { mode: "test", agentIds: [payee.agentId] });

    const { agentId } = payee;
    for (const options of [{ agentId }, { agentId, caller: bound }, { agentId: randomUUID() }]) {
      const refused = await act("void", paymentId, {}, options);
      expect(outcomeOf(refused)).toEqual([404, "payment_not_found"]);
    }
    expect((await tenant.post(`/payments/${paymentId}/void`)).status).toBe(422);
    expect((await act("void", paymentId, { amount: "1" })).status).toBe(422);
  });
});
