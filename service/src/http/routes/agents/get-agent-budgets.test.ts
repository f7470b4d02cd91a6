import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";
import { seedWallet } from "../../../../test/wallets/seed-wallet.ts";

const ALLOW = { id: "allow", effect: "allow" };
const limitOf = (id: string, max: string, period: string, more: object = {}) => ({
  ...{ id, effect: "limit", operation: "payment", budget: { max, currency: "usd", period } },
  ...more,
});
const DAY = limitOf("day", "20.00", "rolling_24h");
const TX = limitOf("tx", "50.00", "per_tx", { when: { token: { eq: "USDC" } } });
const MONTH = limitOf("month", "10.00", "calendar_month", { shared: true });
const COUNT = { id: "count", effect: "limit", count: { max: 3, period: "calendar_day" } };

describe("GET /agents/{agent_id}/budgets", () => {
  const harness = useHarness();
  const HOLD = { amount: "3.00", execution: "authorize_only" };

  const budgetsOf = async ({ tenant, agentId }: Pick<Awaited<ReturnType<typeof seedPayer>>, "tenant" | "agentId">) =>
    (await tenant.get(`/agents/${agentId}/budgets`)).body;
  const rowsOf = (body: AnyBody) =>
    body.limits.map((limit: AnyBody) => [limit.rule_id, limit.limit, limit.spent, limit.reserved, limit.remaining]);

  it("200: each limit with what is spent, reserved and left of it, as decisions count it", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW, TX, DAY, COUNT] });
    const { body: policies } = await payer.tenant.get("/policies");
    const policy = policies.data.find(({ name }: AnyBody) => name !== "Starter policy");
    const at = harness.clock.now();
    await payer.pay({ amount: "5.00" });
    await payer.pay(HOLD);

    const { status, body } = await payer.tenant.get(`/agents/${payer.agentId.toUpperCase()}/budgets`);

    const common = {
      ...{ policy_id: policy.policy_id, policy_name: policy.name, policy_version: 1, operation: "payment" },
      ...{ conditional: false, kind: "budget", shared: false, agent_id: payer.agentId, wallet_id: null },
      ...{ project_id: null, currency: "usd" },
    };
    const hour = Math.floor(at.getTime() / 3_600_000) * 3_600_000;
    expect([status, body]).toEqual([
      200,
      {
        ...{ object: "agent_budgets", agent_id: payer.agentId, mode: "test", caps: [], as_of: at.toISOString() },
        limits: [
          {
            ...{ ...common, rule_id: "tx", window: "per_tx", conditional: true, agent_id: null },
            ...{ limit: "50.00", spent: "0.00", reserved: "0.00", remaining: "50.00", resets_at: null },
          },
          {
            ...{ ...common, rule_id: "day", window: "rolling_24h", limit: "20.00", spent: "5.00", reserved: "3.00" },
            ...{ remaining: "12.00", resets_at: new Date(hour + 25 * 3_600_000).toISOString() },
          },
          {
            ...{ ...common, rule_id: "count", window: "calendar_day", operation: null, kind: "count", currency: null },
            ...{ limit: "3", spent: "1", reserved: "1", remaining: "1" },
            resets_at: new Date(Math.floor(at.getTime() / 86_400_000 + 1) * 86_400_000).toISOString(),
          },
        ],
      },
    ]);
    const refused = await payer.pay({ amount: "12.01" });
    expect(refused.body.decision).toMatchObject({ rule_id: "day", limit: "20.00", used: "8.00", remaining: "12.00" });
    expect((await payer.pay({ amount: "12.00" })).status).toBe(200);
    expect(rowsOf(await budgetsOf(payer))[1]).toEqual(["day", "20.00", "17.00", "3.00", "0.00"]);
    harness.clock.advanceSeconds(26 * 3_600);
    expect(rowsOf(await budgetsOf(payer))[1]).toEqual(["day", "20.00", "0.00", "0.00", "20.00"]);
  });

  it("200: limits of an ancestor; a shared limit counts all agents of the policy, once", async () => {
    const parent = await seedPayer(harness, { rules: [ALLOW, DAY, MONTH] });
    const { tenant } = parent;
    const { agent_id: agentId } = (await tenant.post("/agents", { name: "child", parent_agent_id: parent.agentId }))
      .body;
    await parent.pay({ amount: "4.00" });

    const { limits } = await budgetsOf({ tenant, agentId });

    const ofParent = limits.filter(({ policy_name }: AnyBody) => policy_name !== "Starter policy");
    expect(rowsOf({ limits: ofParent })).toEqual([
      ["day", "20.00", "4.00", "0.00", "16.00"],
      ["month", "10.00", "4.00", "0.00", "6.00"],
    ]);
    expect(ofParent).toMatchObject([
      { agent_id: parent.agentId, shared: false },
      { agent_id: null, shared: true },
    ]);
  });

  it("200: limits of the policies of a wallet and of a project name them, and are not repeated", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW, DAY] });
    const { tenant, agentId, walletId } = payer;
    await seedWallet(harness.app, { tenantId: tenant.tenantId, agentId, mode: "test", network: "polygon" });
    const newPolicy = async (rules: readonly object[], more: object = {}) =>
      (await tenant.post("/policies", { name: randomUUID(), rules, ...more })).body.policy_id as string;
    const ofWallet = await newPolicy([ALLOW, limitOf("wallet", "7.00", "calendar_day")], {
      applies_to: { wallet_ids: [walletId] },
    });
    const policy_id = await newPolicy([ALLOW, limitOf("project", "9.00", "calendar_day")]);
    const { project_id } = (await tenant.post("/projects", { name: "shop", policy_id, agent_ids: [agentId] })).body;
    await tenant.post("/projects", { name: "foreign", agent_ids: [] });
    expect((await payer.pay({ amount: "2.00", wallet_id: walletId })).status).toBe(200);

    const { limits } = await budgetsOf(payer);

    expect(
      limits.map((limit: AnyBody) => [limit.rule_id, limit.wallet_id, limit.project_id, limit.spent, limit.remaining]),
    ).toEqual([
      ["day", null, null, "2.00", "18.00"],
      ["wallet", walletId, null, "2.00", "5.00"],
      ["project", null, project_id, "2.00", "7.00"],
    ]);
    expect(limits[1].policy_id).toBe(ofWallet);
    const { project_id: another } = (await tenant.post("/projects", { name: "another", agent_ids: [agentId] })).body;
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", projectIds: [another] });
    const { body } = await bound.get(`/agents/${agentId}/budgets`);
    expect(rowsOf(body).map(([ruleId]: string[]) => ruleId)).toEqual(["day", "wallet"]);
    expect(body.caps).toMatchObject([{ project_id: another }]);
  });

  it("200: the caps of the agent's projects, and of their providers", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    const { tenant, agentId } = payer;
    const fields = { monthly_cap: "30.00", provider_caps: { neon: "12.50" }, cap_behavior: "require_approval" };
    const { project_id } = (await tenant.post("/projects", { name: "shop", ...fields, agent_ids: [agentId] })).body;
    await tenant.post("/projects", { name: "of others" });
    await payer.pay({ amount: "5.00" });
    await payer.pay(HOLD);

    const { limits, caps } = await budgetsOf(payer);

    const now = harness.clock.now();
    const common = {
      ...{ project_id, project_name: "shop", cap_behavior: "require_approval", window: "calendar_month" },
      ...{ currency: "usd", resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString() },
    };
    expect(limits).toEqual([]);
    expect(caps).toEqual([
      {
        ...{ ...common, rule_id: "project_cap", provider: null },
        ...{ limit: "30.00", spent: "5.00", reserved: "3.00", remaining: "22.00" },
      },
      {
        ...{ ...common, rule_id: "provider_cap", provider: "neon" },
        ...{ limit: "12.50", spent: "0.00", reserved: "0.00", remaining: "12.50" },
      },
    ]);
    await tenant.patch(`/projects/${project_id}`, { monthly_cap: "6.00" });
    expect((await budgetsOf(payer)).caps[0]).toMatchObject({ limit: "6.00", remaining: "0.00" });
  });

  it("200: a key of the agent; 404: a key of another agent, another account's, the other mode's, a deleted one", async () => {
    const { tenant, agentId } = await seedPayer(harness);
    const keyOf = (agentIds: readonly string[]) => harness.seedKey(tenant.tenantId, { mode: "test", agentIds });
    const other = await harness.seedTenant({ mode: "test" });
    const live = await harness.seedKey(tenant.tenantId, { mode: "live" });
    const { agent_id: deleted } = await postAgent(tenant);
    await tenant.delete(`/agents/${deleted}`);

    expect((await (await keyOf([agentId])).get(`/agents/${agentId}/budgets`)).status).toBe(200);
    for (const refused of [
      await (await keyOf([randomUUID()])).get(`/agents/${agentId}/budgets`),
      await other.get(`/agents/${agentId}/budgets`),
      await live.get(`/agents/${agentId}/budgets`),
      await tenant.get(`/agents/${deleted}/budgets`),
      await tenant.get(`/agents/${randomUUID()}/budgets`),
      await tenant.get("/agents/x/budgets"),
    ]) {
      expect(outcomeOf(refused)).toEqual([404, "agent_not_found"]);
    }
    const withoutScope = await harness.seedKey(tenant.tenantId, { mode: "test", scopes: ["payments:read"] });
    expect(outcomeOf(await withoutScope.get(`/agents/${agentId}/budgets`))).toEqual([403, "insufficient_scope"]);
  });
});
