import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { outcomeOf, seedApproval } from "../../../test/approvals/seed-approval.ts";
import { type ApiResponse, useHarness } from "../../../test/harness.ts";
import { paymentsOf } from "../../../test/payments/payments-of.ts";
import { SCOPES } from "../../foundation/vocabulary.ts";
import { cancelPaymentsOf, expirePayments } from "./end-waiting-payments.ts";

describe("changes of one payment at the same time", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);
  const AT_ONCE = 50;

  const countOf = (answers: readonly ApiResponse[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  const SETTLED = { held: 0, openHolds: 0, openReservations: 0 };

  it("capture against void against cancel: exactly one wins, again and again", async () => {
    const { seed, act, state, stored, payeeState } = await arrange({ cap: "1000.00" });
    let captured = 0;
    for (let round = 0; round < 20; round += 1) {
      const paymentId = await seed({ baseUnits: 1_000_000n });
      const actions = (["capture", "void", "cancel"] as const).toSorted(() => Math.random() - 0.5);

      const answers = await Promise.all(actions.map((action) => act(action, paymentId)));

      expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, 2]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await stored(paymentId)).status).toBe(winner?.body.status);
      if (winner?.body.status === "captured") captured += 1;
    }
    expect(await state()).toEqual({ ...SETTLED, balance: 100 - captured });
    expect(await payeeState()).toMatchObject({ balance: 20 + captured });
  });

  it("50 captures with different keys: one pays", async () => {
    const { seed, act, state, usage, events } = await arrange({ cap: "50.00" });
    const paymentId = await seed();

    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => act("capture", paymentId)));

    expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, AT_ONCE - 1]);
    expect(await state()).toEqual({ ...SETTLED, balance: 90 });
    expect(await usage()).toMatchObject({ spent: "10.00", reserved: "0.00" });
    const types = (await events(paymentId)).map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type === "payment.captured")).toHaveLength(1);
  });

  it.each(["capture", "refund", "void"] as const)(
    "100 requests to %s with one key: one effect, and each answer is the same or 409 idempotency_in_flight",
    async (action) => {
      const { seed, act, state, events } = await arrange();
      const paymentId = await seed({ status: action === "refund" ? "confirmed" : "authorized" });
      const body = action === "void" ? {} : { amount: "4" };
      const key = randomUUID();

      const answers = await Promise.all(Array.from({ length: 100 }, () => act(action, paymentId, body, { key })));

      const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
      expect(texts.size).toBe(1);
      const others = answers.filter(({ status }) => status !== 200);
      for (const other of others) expect(outcomeOf(other)).toEqual([409, "idempotency_in_flight"]);
      const balance = { capture: 96, refund: 94, void: 100 }[action];
      expect(await state()).toEqual({ ...SETTLED, balance });
      expect(await events(paymentId)).toHaveLength(1);
    },
  );

  it("refunds with different keys: never more than was paid, and all that fits", async () => {
    const { seed, act, state, payeeState, usage, stored } = await arrange({ cap: "50.00" });
    const paymentId = await seed({ status: "confirmed" });

    const answers = await Promise.all(Array.from({ length: 20 }, () => act("refund", paymentId, { amount: "3" })));

    expect([countOf(answers, 200), countOf(answers, 422)]).toEqual([3, 17]);
    expect(await stored(paymentId)).toMatchObject({
      status: "partially_refunded",
      refunded_base_units: "9000000",
    });
    expect(await state()).toMatchObject({ balance: 99 });
    expect(await payeeState()).toMatchObject({ balance: 21 });
    expect(await usage()).toMatchObject({ spent: "1.00" });
  });

  it("payments to each other that are captured and refunded: no deadlock, and the sums are exact", async () => {
    const { payer, payee, seed, act, state, payeeState } = await arrange({ cap: "1000.00" });
    const small = { baseUnits: 1_000_000n };
    const there = await Promise.all([1, 2, 3, 4, 5].map(() => seed(small)));
    const back = { ...small, payer: payee, payee: payer };
    const returned = await Promise.all([1, 2, 3, 4, 5].map(() => seed(back)));

    const { agentId } = payee;
    const captures = await Promise.all([
      ...there.map((id) => act("capture", id)),
      ...returned.map((id) => act("capture", id, {}, { agentId })),
    ]);
    const refunds = await Promise.all([
      ...there.map((id) => act("refund", id)),
      ...returned.map((id) => act("refund", id, {}, { agentId: payer.agentId })),
    ]);

    expect([countOf(captures, 200), countOf(refunds, 200)]).toEqual([10, 10]);
    expect(await state()).toEqual({ ...SETTLED, balance: 100 });
    expect(await payeeState()).toMatchObject({ balance: 20 });
  });

  it("cancel against the approval: the payment is canceled, or the approval is approved, never both", async () => {
    const { tenantId, payer, seed, act, stored } = await arrange();
    const approver = await harness.seedKey(tenantId, { mode: "test", scopes: SCOPES });
    for (let round = 0; round < 10; round += 1) {
      const paymentId = await seed({ status: "requires_approval", seconds: 3_600 });
      const subject = { type: "payment", id: paymentId };
      const { agentId } = payer;
      const approvalId = await seedApproval(harness.app, tenantId, {
        ...{ mode: "test", agentId, subject, rules: [] },
      });
      await query("update payments set approval_id = $2 where payment_id = $1", [paymentId, approvalId]);

      const [canceled, denied] = await Promise.all([
        act("cancel", paymentId),
        approver.post(`/approvals/${approvalId}/deny`, { note: String(round) }),
      ]);

      expect([canceled.status, denied.status].toSorted()).toEqual([200, 409]);
      expect((await stored(paymentId)).status).toBe(canceled.status === 200 ? "canceled" : "denied");
    }
  });

  it("expiry against capture around the second of expires_at: captured or expired, never both", async () => {
    const { seed, act, state, stored } = await arrange();
    for (let round = 0; round < 10; round += 1) {
      const paymentId = await seed({ baseUnits: 1_000_000n, seconds: 60 });
      harness.clock.advanceSeconds(59);
      const pending = [act("capture", paymentId), act("capture", paymentId)];
      harness.clock.advanceSeconds(1);
      const [answers] = await Promise.all([
        Promise.all([...pending, act("capture", paymentId)]),
        expirePayments(harness.app),
      ]);
      const isCaptured = countOf(answers, 200) === 1;
      expect(countOf(answers, 409)).toBe(isCaptured ? 2 : 3);
      expect((await stored(paymentId)).status).toBe(isCaptured ? "captured" : "expired");
    }
    expect(await state()).toMatchObject(SETTLED);
  });

  it("a freeze against captures: what is not captured is canceled, and nothing stays held", async () => {
    const { tenantId, payer, seed, act, freeze, state, payeeState } = await arrange({
      cap: "1000.00",
    });
    const small = { baseUnits: 1_000_000n };
    const ids = await Promise.all(Array.from({ length: 20 }, () => seed(small)));

    const [answers] = await Promise.all([
      Promise.all(ids.map((id) => act("capture", id))),
      freeze(payer.walletId).then(() => cancelPaymentsOf(harness.app, { tenantId, walletId: payer.walletId })),
    ]);

    const captured = countOf(answers, 200);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(outcomeOf(answer)).toEqual([403, "wallet_frozen"]);
    }
    expect(await state()).toEqual({ ...SETTLED, balance: 100 - captured });
    expect(await payeeState()).toMatchObject({ balance: 20 + captured });
  });

  it("500, and nothing changes: the transaction fails after the move in the ledger", async () => {
    const { seed, act, state, usage, stored, events } = await arrange({ cap: "50.00" });
    const paymentId = await seed();
    await query(
      `create function fail_of_test() returns trigger language plpgsql as $$ begin
        if new.payment_id = '${paymentId}' then raise exception 'the test fails this update'; end if;
        return new; end $$`,
      [],
    );
    await query(
      "create trigger fail_of_test before update on payments for each row execute function fail_of_test()",
      [],
    );

    const answers = [await act("capture", paymentId), await act("void", paymentId)];
    await query("drop trigger fail_of_test on payments", []);

    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(await state()).toEqual({ balance: 100, held: 10, openHolds: 1, openReservations: 1 });
    expect(await usage()).toMatchObject({ spent: "0.00", reserved: "10.00" });
    expect((await stored(paymentId)).status).toBe("authorized");
    expect(await events(paymentId)).toEqual([]);
    expect((await act("capture", paymentId)).status).toBe(200);
  });
});
