import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { type Payer, seedPayer } from "../../../../test/payments/pay.ts";
import { randomAddress } from "../../../../test/wallets/seed-wallet.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };

describe("POST /payments/simulate", () => {
  const harness = useHarness();

  const simulate = (payer: Payer, body: object = {}) =>
    payer.post("/payments/simulate", {
      ...{ agent_id: payer.agentId, amount: "5.00", to: randomAddress(), ...body },
    });

  /** Everything that a payment changes, as counts. */
  async function rowsOf(payer: Payer) {
    const { tenantId } = payer.tenant;
    const tables = ["payments", "events", "budgetReservations", "ledgerTransfers", "approvals"];
    return Promise.all(
      tables.map(async (table) => {
        const { count } = await harness.app.db
          .selectFrom(table as "payments")
          .select(({ fn }) => fn.countAll<string>().as("count"))
          .where("tenantId", "=", tenantId)
          .executeTakeFirstOrThrow();
        return [table, count];
      }),
    );
  }

  it("200: the outcome, the fees and the rule, and nothing changes", async () => {
    const asks = {
      ...{ id: "ask", effect: "require_approval", operation: "payment" },
      when: { amount_usd: { gt: "10.00", lt: "20.00" } },
    };
    const max = { id: "max", effect: "deny", when: { amount_usd: { gt: "80.00" } } };
    const payer = await seedPayer(harness, {
      ...{ rules: [ALLOW, asks, max], baseUnits: 20_000_000n },
    });
    const before = await rowsOf(payer);

    const answers = [
      await simulate(payer),
      await simulate(payer, { amount: "15.00" }),
      await simulate(payer, { amount: "90.00" }),
      await simulate(payer, { amount: "20.01" }),
    ];

    expect(
      answers.map(({ status, body }) => [
        ...[status, body.outcome, body.decision.rule_id, body.refusal?.code, body.refusal?.status],
      ]),
    ).toEqual([
      [200, "allow", "allow", undefined, undefined],
      [200, "require_approval", "ask", undefined, undefined],
      [200, "deny", "max", "policy_denied", 403],
      [200, "deny", "allow", "insufficient_funds", 402],
    ]);
    expect(answers[0]?.body).toMatchObject({
      object: "payment_simulation",
      wallet_id: payer.walletId,
      amount: "5.00",
      fees: [{ type: "network", amount: "0.00", sponsored: true }],
    });
    expect(answers[0]?.body).not.toHaveProperty("payment_id");
    expect(await rowsOf(payer)).toEqual(before);
    expect((await payer.balance()).held).toBe(0n);
  });

  it("200: a project's cap refuses or asks as it would", async () => {
    const payer = await seedPayer(harness);
    const fields = { name: randomUUID(), agent_ids: [payer.agentId], monthly_cap: "1.00" };
    const { project_id } = (await payer.tenant.post("/projects", fields)).body;

    const blocked = (await simulate(payer)).body;
    await payer.tenant.patch(`/projects/${project_id}`, { cap_behavior: "require_approval" });
    const asked = (await simulate(payer)).body;

    expect([blocked.outcome, blocked.refusal.code, blocked.project_id]).toEqual(["deny", "cap_exceeded", project_id]);
    expect([asked.outcome, asked.refusal]).toEqual(["require_approval", null]);
  });

  it("200: send with simulate responds the same, and pays nothing", async () => {
    const payer = await seedPayer(harness);
    const to = randomAddress();

    const answers = [await payer.pay({ to, simulate: true }), await simulate(payer, { to })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect((await payer.balance()).total).toBe(1_000_000_000n);
  });

  it("404 and 422, as the payment would", async () => {
    const payer = await seedPayer(harness);

    expect((await simulate(payer, { network: "polygon" })).body.code).toBe("wallet_not_found");
    expect((await simulate(payer, { amount: "0" })).status).toBe(422);
  });
});
