import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../test/accounts.ts";
import { outcomeOf } from "../../../test/approvals/seed-approval.ts";
import { PREFIX, useHarness } from "../../../test/harness.ts";
import { expectSumsToMatch } from "../../../test/payments/money-state.ts";
import { type Payer, seedPayer } from "../../../test/payments/pay.ts";
import { SCOPES } from "../../foundation/vocabulary.ts";
import { expireApprovals } from "./decide-approval.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const ASK = { id: "ask", effect: "require_approval", operation: "payment" };
const DAY = {
  ...{ id: "day", effect: "limit", operation: "payment" },
  budget: { max: "8.00", currency: "usd", period: "rolling_24h" },
};

describe("payments that wait for an approval", () => {
  const harness = useHarness();
  const { query } = accountsOf(harness);

  async function arrange({
    rules = [ALLOW, ASK],
    project,
    send = {},
  }: {
    readonly rules?: readonly object[];
    readonly project?: object;
    readonly send?: object;
  } = {}) {
    const payer = await seedPayer(harness, { rules });
    const { tenant, agentId, walletId } = payer;
    const approver = await harness.seedKey(tenant.tenantId, { mode: "test", scopes: SCOPES });
    const projectId: string | undefined =
      project && (await tenant.post("/projects", { name: "shop", agent_ids: [agentId], ...project })).body.project_id;
    const sent = await payer.pay(send);
    expect(sent.status).toBe(202);
    const paymentId: string = sent.body.payment_id;
    const read = async () => (await tenant.get(`/payments/${paymentId}`)).body;
    const decide = async (decision: "approve" | "deny" = "approve") => {
      const { approval } = await read();
      const answer = await approver.post(`/approvals/${approval.approval_id}/${decision}`);
      await expectSumsToMatch(harness.app, tenant.tenantId);
      return {
        answer,
        payment: await read(),
        approval: (await approver.get(approval.long_poll_url.slice(PREFIX.length))).body,
      };
    };
    const money = async () => {
      const { total, held } = await payer.balance();
      const [{ open }] = await query(
        "select count(*)::integer as open from budget_reservations where tenant_id = $1 and status = 'held'",
        [tenant.tenantId],
      );
      return [Number(total) / 1e6, Number(held) / 1e6, open];
    };
    const usage = async () => (await tenant.get(`/projects/${projectId}`)).body.usage;
    const eventsOf = async () =>
      (
        await query("select type from events where subject_id = $1 and sequence is not null order by sequence", [
          paymentId,
        ])
      ).map(({ type }: { type: string }) => type);
    return {
      ...{ payer, tenant, approver, walletId, agentId, projectId, paymentId, sent: sent.body },
      ...{ read, decide, money, usage, eventsOf },
    };
  }

  const setRules = async ({ tenant }: Pick<Payer, "tenant">, rules: readonly object[]) => {
    const [policy] = (await tenant.get("/policies")).body.data.filter(
      ({ rules: [first] }: { rules: { id: string }[] }) => first?.id === ALLOW.id,
    );
    const owner = await harness.seedKey(tenant.tenantId, { mode: "test", scopes: SCOPES });
    expect((await owner.patch(`/policies/${policy.policy_id}`, { rules })).status).toBe(200);
  };

  it("approved: the payment is made, and counts from then on", async () => {
    const { decide, money, usage, eventsOf, agentId, sent } = await arrange({
      project: { monthly_cap: "50.00" },
    });
    expect([await money(), (await usage()).spent]).toEqual([[1_000, 0, 0], "0.00"]);

    const { answer, payment, approval } = await decide();

    expect(outcomeOf(answer)).toEqual([200, undefined]);
    expect(answer.body.outcome).toEqual({ status: "confirmed", failure: null });
    expect([sent.approval.outcome, approval.outcome]).toEqual([undefined, answer.body.outcome]);
    expect(payment).toMatchObject({
      ...{ status: "confirmed", paid_amount: "5.00", failure: null, expires_at: null },
      receipt: { alg: "ed25519" },
      decision: { outcome: "allow", rule_id: "allow" },
    });
    expect(await money()).toEqual([995, 0, 0]);
    expect(await usage()).toMatchObject({ spent: "5.00", reserved: "0.00" });
    expect(await eventsOf()).toEqual(["payment.requires_approval", "payment.confirmed"]);
    const seen = await query("select count(*)::integer from paid_payees where agent_id = $1", [agentId]);
    expect(seen).toEqual([{ count: 1 }]);
    const decisions = await query("select outcome from policy_decisions where agent_id = $1 order by decision_id", [
      agentId,
    ]);
    expect(decisions).toEqual([{ outcome: "require_approval" }, { outcome: "allow" }]);
  });

  it("approved: authorize_only holds the amount, for seven days from then on", async () => {
    const { decide, money } = await arrange({ send: { execution: "authorize_only" } });
    harness.clock.advanceSeconds(300);

    const { payment } = await decide();

    expect(payment.status).toBe("authorized");
    const heldMs = Date.parse(payment.expires_at) - harness.clock.now().getTime();
    expect(heldMs).toBe(7 * 86_400_000);
    expect(await money()).toEqual([1_000, 5, 0]);
  });

  it("denied, expired, and canceled with its agent: the payment ends, and nothing moves", async () => {
    const denied = await arrange();
    expect((await denied.decide("deny")).payment).toMatchObject({
      status: "denied",
      failure: { code: "approval_denied" },
    });
    expect(await denied.eventsOf()).toEqual(["payment.requires_approval", "payment.denied"]);

    const revoked = await arrange();
    const path = `/agents/${revoked.agentId}/revoke`;
    expect((await revoked.tenant.post(path)).status).toBe(200);
    expect(await revoked.read()).toMatchObject({
      status: "canceled",
      failure: { code: "approval_canceled" },
    });

    const expired = await arrange();
    harness.clock.advanceSeconds(7 * 86_400);
    await expireApprovals(harness.app);
    expect(await expired.read()).toMatchObject({ status: "expired", failure: null });
    expect(await expired.eventsOf()).toEqual(["payment.requires_approval", "payment.expired"]);
    for (const { money } of [denied, revoked, expired]) {
      expect(await money()).toEqual([1_000, 0, 0]);
    }
  });

  it.each([
    [
      "the wallet is frozen",
      "wallet_frozen",
      "update wallets set freeze_mode = 'outgoing_only', freeze_source = 'developer', frozen_at = now() where agent_id = $1",
    ],
    ["the agent is suspended", "agent_suspended", "update agents set status = 'suspended' where agent_id = $1"],
    ["the wallet has too little", "insufficient_funds", null],
  ])("approving answers 200, and the payment fails: %s", async (_case, code, change) => {
    const { payer, agentId, decide, eventsOf } = await arrange();
    if (change === null) {
      await setRules(payer, [ALLOW]);
      expect((await payer.pay({ amount: "996" })).status).toBe(200);
    } else await query(change, [agentId]);

    const { answer, payment, approval } = await decide();

    expect([answer.status, answer.body.status]).toEqual([200, "approved"]);
    expect(answer.body.outcome).toEqual({ status: "failed", failure: payment.failure });
    expect(approval.outcome).toEqual(answer.body.outcome);
    expect(payment).toMatchObject({ status: "failed", paid_amount: null, failure: { code } });
    expect(await eventsOf()).toEqual(["payment.requires_approval", "payment.failed"]);
  });

  it("approving answers 200, and the payment fails: the project's cap is too small meanwhile", async () => {
    const { tenant, projectId, decide, usage } = await arrange({
      project: { monthly_cap: "50.00" },
    });
    await tenant.patch(`/projects/${projectId}`, { monthly_cap: "4.00" });

    const { payment } = await decide();

    expect(payment).toMatchObject({ status: "failed", failure: { code: "cap_exceeded" } });
    expect(await usage()).toMatchObject({ spent: "0.00", reserved: "0.00" });
  });

  it("approving answers 200, and the payment is denied: a policy or a limit refuses it now", async () => {
    const deny = { id: "no", effect: "deny", operation: "payment" };
    const refused = await arrange();
    await setRules(refused, [ALLOW, ASK, deny]);
    expect((await refused.decide()).payment).toMatchObject({
      status: "denied",
      failure: { code: "policy_denied" },
    });

    const limited = await arrange({ rules: [ALLOW, ASK, DAY] });
    const second = (await limited.payer.pay()).body;
    expect((await limited.decide()).payment.status).toBe("confirmed");
    const { approval } = second;
    await limited.approver.post(`/approvals/${approval.approval_id}/approve`);
    const { body } = await limited.tenant.get(`/payments/${second.payment_id}`);
    expect(body).toMatchObject({ status: "denied", failure: { code: "policy_denied" } });
    expect(await limited.money()).toEqual([995, 0, 0]);
  });

  it("approved: an excess of the cap is reserved over it, once", async () => {
    const project = { monthly_cap: "3.00", cap_behavior: "require_approval" };
    const { decide, usage, payer } = await arrange({ rules: [ALLOW], project });

    expect((await decide()).payment).toMatchObject({ status: "confirmed" });

    expect(await usage()).toMatchObject({ spent: "5.00", remaining: "0.00" });
    expect((await payer.pay()).status).toBe(202);
  });

  it("approved for a rule: the cap asks another approval, after which the payment is made", async () => {
    const project = { monthly_cap: "3.00", cap_behavior: "require_approval" };
    const { decide, read, sent, money, usage, eventsOf } = await arrange({ project });

    const first = await decide();
    expect(first.answer.status).toBe(200);
    expect(first.payment.status).toBe("requires_approval");
    expect(first.payment.approval.approval_id).not.toBe(sent.approval.approval_id);
    expect(await money()).toEqual([1_000, 0, 0]);

    const second = await decide();
    expect(second.payment).toMatchObject({ status: "confirmed" });
    expect(await usage()).toMatchObject({ spent: "5.00" });
    expect((await read()).approval).toEqual(first.payment.approval);
    expect(await eventsOf()).toEqual(["payment.requires_approval", "payment.requires_approval", "payment.confirmed"]);
  });

  it("approved: a rule of a later version of the policy asks again", async () => {
    const arranged = await arrange();
    await setRules(arranged, [ALLOW, { ...ASK, id: "asks_more" }]);

    expect((await arranged.decide()).payment.status).toBe("requires_approval");
    expect((await arranged.decide()).payment.status).toBe("confirmed");
  });

  it("canceled: the project is gone, or the payee's wallet has another address", async () => {
    const inProject = await arrange({ project: { monthly_cap: "50.00" } });
    const { projectId } = inProject;
    await query("update projects set deleted_at = now() where project_id = $1", [projectId]);
    expect((await inProject.decide()).payment).toMatchObject({
      status: "canceled",
      failure: { code: "project_not_found" },
    });

    const tenantOwner = await seedPayer(harness, { rules: [ALLOW, ASK] });
    const payee = await seedPayer(harness, { tenant: tenantOwner.tenant, rules: [ALLOW] });
    const sent = (await tenantOwner.pay({ to: payee.walletId })).body;
    const other = `0x${"12".repeat(20)}`;
    await query("update wallets set address = $2 where wallet_id = $1", [payee.walletId, other]);
    const key = { mode: "test", scopes: SCOPES } as const;
    const approver = await harness.seedKey(tenantOwner.tenant.tenantId, key);
    await approver.post(`/approvals/${sent.approval.approval_id}/approve`);
    const { body } = await tenantOwner.tenant.get(`/payments/${sent.payment_id}`);
    expect(body).toMatchObject({ status: "canceled", failure: { code: "conflict" } });
  });

  it("approved: an address that has become a wallet of the account is paid in the ledger", async () => {
    const to = `0x${"ab".repeat(20)}`;
    const { payer, decide } = await arrange({ send: { to } });
    const payee = await seedPayer(harness, { tenant: payer.tenant, rules: [ALLOW], baseUnits: 0n });
    await query("update wallets set address = $2 where wallet_id = $1", [payee.walletId, to]);

    const { payment } = await decide();

    expect(payment).toMatchObject({ status: "confirmed", to: { wallet_id: payee.walletId } });
    expect((await payee.balance()).total).toBe(5_000_000n);
  });

  it("cancel against approve: canceled or confirmed, never both, and nothing stays held", async () => {
    for (let round = 0; round < 8; round += 1) {
      const { payer, paymentId, decide, money, read } = await arrange();

      const [canceled, { answer }] = await Promise.all([payer.post(`/payments/${paymentId}/cancel`), decide()]);

      const { status } = await read();
      expect([canceled.status, answer.status].toSorted()).toEqual([200, 409]);
      expect(status).toBe(canceled.status === 200 ? "canceled" : "confirmed");
      expect(await money()).toEqual([canceled.status === 200 ? 1_000 : 995, 0, 0]);
    }
  });
});
