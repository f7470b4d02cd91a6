import { AsyncLocalStorage } from "node:async_hooks";
import { randomInt, randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testMaxMs } from "../../../../test/campaign.ts";
import { useHarness } from "../../../../test/harness.ts";
import { seedAgent } from "../../../../test/services.ts";
import { createSpendTable, setWalletBalance, testSpendRoute } from "../../../../test/test-spend.ts";
import { listWrongBudgets } from "../../../budgets/queries.ts";
import { withTransaction } from "../../../db/transaction.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };

describe("money that an agent spends under its policies", () => {
  let beforeMove: (() => Promise<unknown>) | undefined;
  /** Runs requests outside the transaction in which `beforeMove` is called. */
  const outside = AsyncLocalStorage.snapshot();
  const route = testSpendRoute({
    beforeMove: async () => void (await outside(async () => beforeMove?.())),
  });
  const harness = useHarness({ routes: [route] });
  beforeAll(() => createSpendTable(harness.database));
  beforeEach(() => {
    beforeMove = undefined;
  });

  async function arrange(rules: readonly object[]) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    await setWalletBalance(harness.app.db, { tenantId, mode: "live" }, 1_000_000_000n);
    const policy = (await tenant.post("/policies", { name: "p", rules })).body;
    const path = `/policies/${policy.policy_id}`;
    const agent = async (fields: object = {}): Promise<string> =>
      (await tenant.post("/agents", { name: "a", policy_id: policy.policy_id, ...fields })).body.agent_id;
    // More than one, because a key has a rate limit.
    const keys = await Promise.all([1, 2, 3].map(() => harness.seedKey(tenantId)));
    const spendOnce = (agentId: string, amount: string) => {
      const key = keys[randomInt(keys.length)] ?? tenant;
      return key.post(
        "/test/spend",
        { amount, reference: randomUUID() },
        { headers: { "x-agent-id": agentId, "idempotency-key": randomUUID() } },
      );
    };
    const spend = async (agentId: string, amount: string) => {
      let answer = await spendOnce(agentId, amount);
      // The test sends more requests at once than there are connections.
      while (answer.status === 503) answer = await spendOnce(agentId, amount);
      return answer;
    };
    return { tenant, tenantId, path, agent, spend };
  }

  const codes = (answers: readonly { status: number; body: { code?: string } }[]) =>
    answers.map(({ status, body }) => (status === 200 ? 200 : body.code));

  const wrongBudgets = (tenantId: Awaited<ReturnType<typeof arrange>>["tenantId"]) =>
    withTransaction(harness.app.db, tenantId, (tx) => listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }));

  it("403 policy_denied with the numbers of the limit, until the amounts leave the window", async () => {
    const hourly = {
      id: "hourly",
      effect: "limit",
      budget: { max: "10.00", period: "rolling_1h" },
    };
    const daily = {
      id: "daily",
      effect: "limit",
      budget: { max: "50.00", period: "calendar_day" },
    };
    const { tenant, agent, spend } = await arrange([ALLOW, hourly, daily]);
    const agentId = await agent();
    expect(codes([await spend(agentId, "4.00"), await spend(agentId, "6.00")])).toEqual([200, 200]);

    const refused = await spend(agentId, "0.000001");

    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      code: "policy_denied",
      decision: {
        rule_id: "hourly",
        limit: "10.00",
        used: "10.00",
        remaining: "0.00",
        resets_at: "2026-11-21T11:01:00.000Z",
      },
    });
    const facts = { amount_usd: "1.00" };
    const dryRun = { operation: "payment", agent_id: agentId, facts };
    expect((await tenant.post("/policies/evaluate", dryRun)).body).toMatchObject({
      outcome: "deny",
      decision: { rule_id: "hourly", used: "10.00", resets_at: "2026-11-21T11:01:00.000Z" },
    });
    expect((await tenant.get(`/agents/${agentId}`)).body.budget).toEqual({
      currency: "usd",
      daily: { limit: "50.00", used: "10.00", remaining: "40.00" },
      monthly: null,
    });
    harness.clock.advanceSeconds(3_660);
    expect(codes([await spend(agentId, "10.00")])).toEqual([200]);
  });

  it("a child's amounts count in the limits of its parent, and the parent's policy binds it", async () => {
    const daily = {
      id: "daily",
      effect: "limit",
      budget: { max: "10.00", period: "calendar_day" },
    };
    const { tenant, tenantId, agent, spend } = await arrange([ALLOW, daily]);
    const parent = await agent();
    const wide = (await tenant.post("/policies", { name: "wide", rules: [ALLOW] })).body.policy_id;
    const child = await agent({ parent_agent_id: parent, policy_id: wide });

    const answers = [await spend(child, "6.00"), await spend(parent, "6.00"), await spend(child, "4.00")];

    expect(codes(answers)).toEqual([200, "policy_denied", 200]);
    expect(await wrongBudgets(tenantId)).toEqual([]);
  });

  it(
    "20 agents with 50 spendings each at once: a shared limit is never exceeded, and refuses only when it is full",
    async () => {
      const shared = {
        ...{ id: "shared", effect: "limit", shared: true },
        budget: { max: "300.00", period: "rolling_24h" },
      };
      const { tenantId, agent, spend } = await arrange([ALLOW, shared]);
      const agents = await Promise.all(Array.from({ length: 20 }, () => agent()));

      const answers = await Promise.all(
        agents.flatMap((agentId) => Array.from({ length: 50 }, () => spend(agentId, "0.70"))),
      );

      const outcomes = codes(answers);
      // 428 amounts of 0.70 are 299.60.
      expect(outcomes.filter((code) => code === 200)).toHaveLength(428);
      expect(outcomes.filter((code) => code === "policy_denied")).toHaveLength(572);
      expect(await wrongBudgets(tenantId)).toEqual([]);
    },
    testMaxMs(60_000),
  );

  it("a policy that changes after the decision decides again", async () => {
    const { tenant, path, agent, spend } = await arrange([ALLOW]);
    const agentId = await agent();
    let changes = 0;
    beforeMove = async () => {
      changes += 1;
      if (changes > 1) return;
      await tenant.patch(path, { rules: [ALLOW, { id: "stop", effect: "deny" }] });
    };

    const refused = await spend(agentId, "1.00");

    expect([refused.status, refused.body.decision?.rule_id]).toEqual([403, "stop"]);
    expect(refused.body.decision.policy_version).toBe(2);
  });

  it("409 version_conflict: policies change whenever the request is decided", async () => {
    const { tenant, agent, spend } = await arrange([ALLOW]);
    const agentId = await agent();
    beforeMove = () => tenant.post("/policies", { name: randomUUID(), rules: [] });

    const refused = await spend(agentId, "1.00");

    expect([refused.status, refused.body.code]).toEqual([409, "version_conflict"]);
    beforeMove = undefined;
    expect(codes([await spend(agentId, "1.00")])).toEqual([200]);
  });

  it("403 agent_suspended: the agent or its parent is suspended after the decision", async () => {
    const { tenant, agent, spend } = await arrange([ALLOW]);
    const parent = await agent();
    const child = await agent({ parent_agent_id: parent });
    let changes = 0;
    beforeMove = async () => {
      changes += 1;
      if (changes === 1) await tenant.post(`/agents/${parent}/suspend`, {});
    };

    expect(codes([await spend(child, "1.00"), await spend(parent, "1.00")])).toEqual([
      "agent_suspended",
      "agent_suspended",
    ]);
    await tenant.post(`/agents/${parent}/resume`, {});
    expect(codes([await spend(child, "1.00")])).toEqual([200]);
  });

  it("404: an unknown agent; 403: an agent without any policy", async () => {
    const { tenantId, spend } = await arrange([ALLOW]);
    const bare = await seedAgent(harness.app, { tenantId, rules: [] });

    const answers = [await spend(randomUUID(), "1.00"), await spend(bare, "1.00")];

    expect(codes(answers)).toEqual(["agent_not_found", "policy_denied"]);
  });
});
