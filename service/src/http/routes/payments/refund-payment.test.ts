import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../test/harness.ts";
import { paymentsOf, ROLLING_LIMIT } from "../../../../test/payments/payments-of.ts";

const DAY_SECONDS = 86_400;

describe("POST /payments/{payment_id}/refund", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);
  const PAID = { status: "confirmed" } as const;

  it("200: moves everything back to the payer, with an audit entry and an event", async () => {
    const { payee, seed, act, state, payeeState, usage, events, entries } = await arrange({
      cap: "50.00",
    });
    const paymentId = await seed(PAID);
    expect(await usage()).toMatchObject({ spent: "10.00" });
    expect(await payeeState()).toMatchObject({ balance: 30 });

    const { status, body } = await act("refund", paymentId, { reason: "out of stock" });

    expect([status, body]).toMatchObject([200, { status: "refunded", paid_amount: "10.00", refunded_amount: "10.00" }]);
    expect(await state()).toMatchObject({ balance: 100 });
    expect(await payeeState()).toMatchObject({ balance: 20 });
    expect(await usage()).toMatchObject({ spent: "0.00", remaining: "50.00" });
    expect(await events(paymentId)).toMatchObject([
      { type: "payment.refunded", sequence: 1, data: body, actor: "agent" },
    ]);
    expect(await entries(paymentId)).toMatchObject([
      {
        action: "payment.refunded",
        facts: { refund_amount: "10.00", reason: "out of stock" },
      },
    ]);
    const [move] = await query(
      "select cause_type, cause_id, kind from ledger_transfers where cause_type = 'refund' and tenant_id = (select tenant_id from payments where payment_id = $1)",
      [paymentId],
    );
    expect(move).toEqual({ cause_type: "refund", cause_id: paymentId, kind: "direct" });
    expect(body.to.wallet_id).toBe(payee.walletId);
  });

  it("200: in parts, the last of which is the default amount; then 409", async () => {
    const { seed, act, state, usage, events } = await arrange({ cap: "50.00" });
    const paymentId = await seed();
    await act("capture", paymentId, { amount: "8" });

    const first = await act("refund", paymentId, { amount: "0.000001" });
    expect(first.body).toMatchObject({
      ...{ status: "partially_refunded", paid_amount: "8.00", refunded_amount: "0.000001" },
    });
    expect(await usage()).toMatchObject({ spent: "7.999999" });
    const tooMuch = await act("refund", paymentId, { amount: "8" });
    expect([tooMuch.status, tooMuch.body.errors[0].pointer]).toEqual([422, "/body/amount"]);
    const last = await act("refund", paymentId);
    expect(last.body).toMatchObject({ status: "refunded", refunded_amount: "8.00" });

    expect(outcomeOf(await act("refund", paymentId))).toEqual([409, "not_refundable"]);
    expect(await state()).toMatchObject({ balance: 100 });
    expect(await usage()).toMatchObject({ spent: "0.00" });
    expect((await events(paymentId)).map(({ type }: { type: string }) => type)).toEqual([
      "payment.captured",
      "payment.refunded",
      "payment.refunded",
      "payment.refund_refused",
    ]);
  });

  it("200: the limits of policies count the payment as before, and so do earlier months", async () => {
    const { projectId, seed, act, usage, state } = await arrange({ cap: "50.00" });
    const decision = { limits: [{ ...ROLLING_LIMIT, maxMicros: 10n ** 9n }], revision: 0n };
    const [old, current] = [
      await seed({ ...PAID, decision: decision as never }),
      await seed({ ...PAID, decision: decision as never }),
    ];
    await act("refund", current);
    expect(await usage()).toMatchObject({ spent: "10.00" });
    harness.clock.advanceSeconds(31 * DAY_SECONDS);
    expect(await usage()).toMatchObject({ spent: "0.00" });

    expect((await act("refund", old)).body).toMatchObject({ status: "refunded" });

    const spent = await query(
      `select split_part(budget_id, ':', 1) as kind, sum(spent_micros)::integer as spent from budget_periods
        where tenant_id = (select tenant_id from projects where project_id = $1) group by 1 order by 1`,
      [projectId],
    );
    expect(spent).toEqual([
      { kind: "agent_rule", spent: 20_000_000 },
      { kind: "project_cap", spent: 10_000_000 },
    ]);
    expect(await usage()).toMatchObject({ spent: "0.00" });
    expect(await state()).toMatchObject({ balance: 100 });
  });

  it("409 not_refundable: an external payee, or a payment that was not paid", async () => {
    const { payer, seed, act, state, events } = await arrange();
    const external = await seed({ ...PAID, payee: null });
    const held = await seed();

    const { agentId } = payer;
    expect(outcomeOf(await act("refund", external, {}, { agentId }))).toEqual([409, "not_refundable"]);
    expect(outcomeOf(await act("refund", held))).toEqual([409, "not_refundable"]);
    expect(await events(held)).toMatchObject([
      { type: "payment.refund_refused", sequence: null, data: { code: "not_refundable" } },
    ]);
    expect(await state()).toMatchObject({ balance: 90, held: 10 });
  });

  it("403: the payee's wallet is frozen, its agent is not active, or the payer's wallet accepts no money", async () => {
    const { payer, payee, seed, act, freeze, state } = await arrange();
    const paymentId = await seed(PAID);
    const unfreeze = (id: string) => query("update ledger_accounts set frozen = null where subject_id = $1", [id]);

    await freeze(payee.walletId);
    expect(outcomeOf(await act("refund", paymentId))).toEqual([403, "wallet_frozen"]);
    await unfreeze(payee.walletId);
    await freeze(payer.walletId, "full");
    expect(outcomeOf(await act("refund", paymentId))).toEqual([403, "wallet_frozen"]);
    await query("update agents set status = 'suspended' where agent_id = $1", [payee.agentId]);
    expect(outcomeOf(await act("refund", paymentId))).toEqual([403, "agent_suspended"]);
    await query("update agents set status = 'active' where agent_id = $1", [payee.agentId]);

    await freeze(payer.walletId, "outgoing_only");
    expect((await act("refund", paymentId)).status).toBe(200);
    expect(await state()).toMatchObject({ balance: 100 });
  });

  it("402: the payee's wallet has too little; the refusal is stored and stays after funding", async () => {
    const { payer, payee, seed, act, state, payeeState, events } = await arrange();
    const paymentId = await seed({ ...PAID, baseUnits: 50_000_000n });
    await seed({ ...PAID, payer: payee, payee: payer, baseUnits: 30_000_001n });
    const key = randomUUID();
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1_000));

    const refused = await act("refund", paymentId, {}, { key, timestamp });

    expect([refused.status, refused.body]).toMatchObject([
      402,
      { code: "insufficient_funds", decision: { available: "39.999999", required: "50.00" } },
    ]);
    await seed({ ...PAID, baseUnits: 20_000_000n });
    expect((await act("refund", paymentId, {}, { key, timestamp })).text).toBe(refused.text);
    expect((await act("refund", paymentId, {}, { timestamp })).body.code).toBe("signature_replayed");
    expect((await events(paymentId)).length).toBe(1);
    expect(await payeeState()).toMatchObject({ balance: 59.999999 });
    expect((await act("refund", paymentId)).status).toBe(200);
    expect(await state()).toMatchObject({ balance: 110.000001 });
  });

  it("404: the payer's agent or another; 200 with a key that is bound to the payee's agent", async () => {
    const { tenantId, payer, payee, seed, act } = await arrange();
    const paymentId = await seed(PAID);
    const keyOf = (agentId: string) => harness.seedKey(tenantId, { mode: "test", agentIds: [agentId] });
    const [payerKey, payeeKey] = [await keyOf(payer.agentId), await keyOf(payee.agentId)];

    for (const options of [
      { agentId: payer.agentId },
      { agentId: payer.agentId, caller: payerKey },
      { agentId: payer.agentId, caller: payeeKey },
      { agentId: payee.agentId, caller: payerKey },
      { agentId: randomUUID() },
    ]) {
      const refused = await act("refund", paymentId, {}, options);
      expect(outcomeOf(refused)).toEqual([404, "payment_not_found"]);
    }
    expect((await act("refund", paymentId, {}, { caller: payeeKey })).status).toBe(200);
  });

  it("404: says to the payer's agent that the payee's agent makes refunds, and to other agents that there is no such payment", async () => {
    const { payer, tenantId, newWallet, seed, act } = await arrange();
    const paymentId = await seed(PAID);
    const payerKey = await harness.seedKey(tenantId, { mode: "test", agentIds: [payer.agentId] });

    for (const caller of [{}, { caller: payerKey }]) {
      const { body } = await act("refund", paymentId, {}, { agentId: payer.agentId, ...caller });
      expect(body).toMatchObject({
        code: "payment_not_found",
        detail: expect.stringContaining("A refund is made by the payee's agent"),
      });
    }
    const { agentId } = await newWallet(1n);
    const foreign = await act("refund", paymentId, {}, { agentId });
    expect(foreign.body.detail).toBe("This payment does not exist.");
  });

  it.each([
    [{ amount: "0" }, "/body/amount"],
    [{ amount: "10.000001" }, "/body/amount"],
    [{ reason: "r".repeat(501) }, "/body/reason"],
    [{ reason: "\0" }, "/body/reason"],
    [{ note: "x" }, "/body/note"],
  ])("422: %j", async (body, pointer) => {
    const { seed, act, state } = await arrange();
    const paymentId = await seed(PAID);

    const refused = await act("refund", paymentId, body);

    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
    expect(await state()).toMatchObject({ balance: 90 });
  });
});
