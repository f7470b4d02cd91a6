import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../test/harness.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";
import { seedAgent } from "../../../../test/services.ts";

describe("POST /payments/{payment_id}/capture", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);

  it("200: pays everything that is held, with an audit entry and an event of the agent", async () => {
    const { payer, seed, act, state, payeeState, usage, events, entries } = await arrange({
      cap: "50.00",
    });
    const paymentId = await seed();
    expect(await state()).toEqual({ balance: 100, held: 10, openHolds: 1, openReservations: 1 });
    harness.clock.advanceSeconds(10);

    const { status, body } = await act("capture", paymentId);

    const at = harness.clock.now().toISOString();
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ object: "payment", payment_id: paymentId, status: "captured", amount: "10.00" },
        ...{ paid_amount: "10.00", refunded_amount: "0.00", settled_at: at, updated_at: at },
      },
    ]);
    expect(await state()).toEqual({ balance: 90, held: 0, openHolds: 0, openReservations: 0 });
    expect(await payeeState()).toMatchObject({ balance: 30 });
    expect(await usage()).toMatchObject({ spent: "10.00", reserved: "0.00" });
    expect(await events(paymentId)).toMatchObject([
      { type: "payment.captured", sequence: 1, data: body, actor: "agent" },
    ]);
    expect(await entries(paymentId)).toMatchObject([
      { action: "payment.captured", facts: { agent_id: payer.agentId, failure: null } },
    ]);
  });

  it("200: pays a part, and releases the rest of the hold and of the reservation", async () => {
    const { seed, act, state, payeeState, usage } = await arrange({ cap: "50.00" });
    const paymentId = await seed();

    const { body } = await act("capture", paymentId, { amount: "2.5" });

    expect(body).toMatchObject({ status: "captured", amount: "10.00", paid_amount: "2.50" });
    expect(await state()).toEqual({ balance: 97.5, held: 0, openHolds: 0, openReservations: 0 });
    expect(await payeeState()).toMatchObject({ balance: 22.5 });
    expect(await usage()).toMatchObject({ spent: "2.50", reserved: "0.00", remaining: "47.50" });
  });

  it("200: an external payee; the payee is then no longer new to the agent", async () => {
    const { payer, payee, seed, act, state } = await arrange();
    const external = await seed({ payee: null });
    const own = await seed();

    for (const paymentId of [external, own]) {
      expect((await act("capture", paymentId)).status).toBe(200);
    }

    expect(await state()).toMatchObject({ balance: 80, openHolds: 0 });
    const seen = await query("select payee_address from paid_payees where agent_id = $1", [payer.agentId]);
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual({ payee_address: payee.address.toLowerCase() });
  });

  it.each(["0", "10.000001", "18446744073709551616"])(
    "422 at /body/amount, and nothing changes: %s of 10.00",
    async (amount) => {
      const { seed, act, state, events } = await arrange();
      const paymentId = await seed();
      const key = randomUUID();

      const refused = await act("capture", paymentId, { amount }, { key });

      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, "/body/amount"]);
      expect(await state()).toMatchObject({ balance: 100, held: 10, openHolds: 1 });
      expect(await events(paymentId)).toEqual([]);
      expect((await act("capture", paymentId, { amount: "10" })).status).toBe(200);
    },
  );

  it.each(["outgoing_only", "full"] as const)(
    "403: the wallet is frozen (%s); the refusal is stored, with an entry and an event",
    async (mode) => {
      const { payer, seed, act, freeze, state, events, entries } = await arrange();
      const paymentId = await seed();
      await freeze(payer.walletId, mode);
      const key = randomUUID();

      const refused = await act("capture", paymentId, {}, { key });

      expect(outcomeOf(refused)).toEqual([403, "wallet_frozen"]);
      const written = { payment_id: paymentId, agent_id: payer.agentId, code: "wallet_frozen" };
      expect(await events(paymentId)).toMatchObject([
        { type: "payment.capture_refused", sequence: null, data: written, actor: "agent" },
      ]);
      expect(await entries(paymentId)).toMatchObject([{ action: "payment.capture_refused", facts: written }]);
      await query("update ledger_accounts set frozen = null where subject_id = $1", [payer.walletId]);
      const repeated = await act("capture", paymentId, {}, { key });
      expect([repeated.text, repeated.headers["idempotent-replayed"]]).toEqual([refused.text, "true"]);
      expect(await state()).toMatchObject({ balance: 100, held: 10, openHolds: 1 });
    },
  );

  it("403 before 409: the wallet is frozen, and the payment is already captured", async () => {
    const { payer, seed, act, freeze } = await arrange();
    const paymentId = await seed();
    await act("capture", paymentId);
    expect(outcomeOf(await act("capture", paymentId))).toEqual([409, "conflict"]);
    await freeze(payer.walletId);

    expect(outcomeOf(await act("capture", paymentId))).toEqual([403, "wallet_frozen"]);
  });

  it("403: the payee's wallet accepts no money; 200 if it only sends none", async () => {
    const { payee, seed, act, freeze } = await arrange();
    const [first, second] = [await seed(), await seed()];

    await freeze(payee.walletId, "outgoing_only");
    expect((await act("capture", first)).status).toBe(200);
    await freeze(payee.walletId, "full");
    expect(outcomeOf(await act("capture", second))).toEqual([403, "wallet_frozen"]);
  });

  it("403: the agent is suspended, its accounts are stopped, or it expired this second", async () => {
    const { payer, seed, act } = await arrange();
    const paymentId = await seed();
    const refused = async () => outcomeOf(await act("capture", paymentId));
    const stop = (stopped: boolean) =>
      query("update ledger_accounts set stopped = $2 where subject_id = $1", [payer.walletId, stopped]);
    const change = (set: string, ...values: unknown[]) =>
      query(`update agents set ${set} where agent_id = $1`, [payer.agentId, ...values]);

    await change("status = 'suspended'");
    expect(await refused()).toEqual([403, "agent_suspended"]);
    await change("status = 'active'");
    await stop(true);
    expect(await refused()).toEqual([403, "agent_suspended"]);
    await stop(false);
    await change("expires_at = $2", harness.clock.now());
    expect(await refused()).toEqual([403, "agent_suspended"]);
    await change("expires_at = $2", new Date(harness.clock.now().getTime() + 1_000));
    expect(await refused()).toEqual([200, undefined]);
  });

  it("200 one second before expires_at, 409 from the very second", async () => {
    const { seed, act, state } = await arrange();
    const [early, late] = [await seed({ seconds: 60 }), await seed({ seconds: 60 })];
    harness.clock.advanceSeconds(59);
    expect((await act("capture", early)).status).toBe(200);

    harness.clock.advanceSeconds(1);
    const refused = await act("capture", late);

    expect(outcomeOf(refused)).toEqual([409, "conflict"]);
    expect(refused.body.detail).toContain("expired");
    expect(await state()).toMatchObject({ balance: 90, openHolds: 1 });
  });

  it("404, the same answer: another tenant's payment, another agent's, another mode's, an unknown or malformed id", async () => {
    const { tenantId, payee, seed, act, state, events } = await arrange();
    const paymentId = await seed();
    const other = await arrange();
    const live = await harness.seedKey(tenantId, { mode: "live" });
    const bound = await harness.seedKey(tenantId, { mode: "test", agentIds: [payee.agentId] });
    const stranger = await seedAgent(harness.app, { tenantId, mode: "test" });
    const unknown = "pay_01hf7yat00rm3czb8yy5nw42xz";

    const answers = [
      await act("capture", unknown),
      await act("capture", "x"),
      await act("capture", paymentId, {}, { caller: other.tenant }),
      await act("capture", paymentId, {}, { caller: live }),
      await act("capture", paymentId, {}, { caller: bound }),
      await act("capture", paymentId, {}, { agentId: payee.agentId, caller: bound }),
      await act("capture", paymentId, {}, { agentId: stranger }),
      await act("capture", paymentId, {}, { agentId: randomUUID() }),
    ];

    const [first] = answers;
    for (const { status, body } of answers) {
      expect({ status, ...body, request_id: "" }).toEqual({
        status: 404,
        ...first?.body,
        request_id: "",
      });
    }
    expect(await state()).toMatchObject({ balance: 100, openHolds: 1 });
    expect(await events(paymentId)).toEqual([]);
  });

  it("200: the key is bound to the payer's agent, whose id is sent in uppercase", async () => {
    const { tenantId, payer, seed, act } = await arrange();
    const caller = await harness.seedKey(tenantId, { mode: "test", agentIds: [payer.agentId] });

    const agentId = payer.agentId.toUpperCase();
    expect((await act("capture", await seed(), {}, { caller, agentId })).status).toBe(200);
  });

  it("422: without X-Agent-ID, with an unknown field, or with a malformed amount", async () => {
    const { tenant, seed, act } = await arrange();
    const paymentId = await seed();
    const pointerOf = ({ status, body }: { status: number; body: { errors: object[] } }) => [status, body.errors[0]];

    expect(pointerOf(await tenant.post(`/payments/${paymentId}/capture`))).toMatchObject([
      422,
      { pointer: "/headers/x-agent-id" },
    ]);
    for (const [body, pointer] of [
      [{ amounts: "1" }, "/body/amounts"],
      [{ amount: "-1" }, "/body/amount"],
      [{ amount: "1.0000001" }, "/body/amount"],
      [{ amount: null }, "/body/amount"],
    ] as const) {
      expect(pointerOf(await act("capture", paymentId, body))).toMatchObject([422, { pointer }]);
    }
  });
});
