import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { outcomeOf, seedApproval } from "../../../../test/approvals/seed-approval.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";
import type { TenantId } from "../../../foundation/ids.ts";

describe("POST /payments/{payment_id}/cancel", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);
  const { seedAccount } = accountsOf(harness);

  it("200: releases what an authorized payment holds; the same key gets the same answer", async () => {
    const { seed, act, state, usage, events } = await arrange({ cap: "50.00" });
    const paymentId = await seed();
    const key = randomUUID();

    const canceled = await act("cancel", paymentId, {}, { key });

    expect([canceled.status, canceled.body]).toMatchObject([200, { status: "canceled", failure: null }]);
    expect((await act("cancel", paymentId, {}, { key })).text).toBe(canceled.text);
    expect(outcomeOf(await act("cancel", paymentId))).toEqual([409, "conflict"]);
    expect(await state()).toEqual({ balance: 100, held: 0, openHolds: 0, openReservations: 0 });
    expect(await usage()).toMatchObject({ reserved: "0.00" });
    expect(await events(paymentId)).toMatchObject([
      { type: "payment.canceled", sequence: 1, data: canceled.body, actor: "agent" },
    ]);
  });

  it("200: cancels the pending approval of a payment that waits for it", async () => {
    const { tenantId, payer, seed, act } = await arrange();
    const paymentId = await seed({ status: "requires_approval" });
    const subject = { type: "payment", id: paymentId };
    const { agentId } = payer;
    const approvalId = await seedApproval(harness.app, tenantId, {
      mode: "test",
      agentId,
      subject,
    });

    const { body } = await act("cancel", paymentId);

    expect(body.status).toBe("canceled");
    const [approval] = await query("select status from approvals where approval_id = $1", [approvalId]);
    expect(approval).toEqual({ status: "canceled" });
  });

  it("200: the wallet is frozen, and the agent is suspended", async () => {
    const { payer, seed, act, freeze } = await arrange();
    const paymentId = await seed();
    await freeze(payer.walletId, "full");
    await query("update agents set status = 'suspended' where agent_id = $1", [payer.agentId]);

    expect((await act("cancel", paymentId)).body.status).toBe("canceled");
  });

  it("200: by the developer, with a key without X-Agent-ID or with a dashboard session", async () => {
    const { developerId, as } = await seedAccount();
    const { tenant, seed, events } = await arrange({ tenantId: developerId as TenantId });
    const [byKey, bySession] = [await seed(), await seed()];

    const { status } = await tenant.post(`/payments/${byKey}/cancel`);
    const canceled = await harness.send({
      method: "POST",
      url: `${PREFIX}/payments/${bySession}/cancel`,
      headers: { ...as.headers, "x-svc-mode": "test" },
    });

    expect([status, canceled.status, canceled.body.status]).toEqual([200, 200, "canceled"]);
    expect(await events(byKey)).toMatchObject([{ actor: "developer" }]);
    expect(await events(bySession)).toMatchObject([{ actor: "developer" }]);
  });

  it("404: another agent's payment, even for the agent that is paid; another tenant's", async () => {
    const { tenantId, payee, seed, act } = await arrange();
    const paymentId = await seed();
    const other = await arrange();
    const bound = await harness.seedKey(tenantId, { mode: "test", agentIds: [payee.agentId] });

    for (const answer of [
      await act("cancel", paymentId, {}, { agentId: payee.agentId }),
      await act("cancel", paymentId, {}, { agentId: payee.agentId, caller: bound }),
      await bound.post(`/payments/${paymentId}/cancel`),
      await act("cancel", paymentId, {}, { caller: other.tenant }),
      await other.tenant.post(`/payments/${paymentId}/cancel`),
    ]) {
      expect(outcomeOf(answer)).toEqual([404, "payment_not_found"]);
    }
  });

  it("409 from the second of expires_at; 422 with a field", async () => {
    const { seed, act, state } = await arrange();
    const paymentId = await seed({ seconds: 60 });
    expect((await act("cancel", paymentId, { reason: "x" })).status).toBe(422);
    harness.clock.advanceSeconds(60);

    expect(outcomeOf(await act("cancel", paymentId))).toEqual([409, "conflict"]);
    expect(await state()).toMatchObject({ openHolds: 1 });
  });
});
