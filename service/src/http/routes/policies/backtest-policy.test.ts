import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { asSuperuser } from "../../../../test/project-seeds.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import type { Mode, PolicyOutcome } from "../../../foundation/vocabulary.ts";

const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";
const DAY_SECONDS = 86_400;
const ALLOW = { id: "payments", effect: "allow", operation: "payment" };
const DAILY = {
  id: "daily_cap",
  effect: "limit",
  operation: "payment",
  budget: { max: "50.00", period: "rolling_24h" },
};

describe("POST /policies/{policy_id}/backtest", () => {
  const harness = useHarness();

  async function arrange(rules: object[] = [ALLOW]) {
    const tenant = await harness.seedTenant();
    const { body: policy } = await tenant.post("/policies", { name: "buyer", rules });
    const path = `/policies/${policy.policy_id}/backtest`;
    const run = (body: object = {}) => tenant.post(path, { agent_id: AGENT, ...body });
    return { tenant, policy, path, run };
  }

  /** Stores a decision about a payment at the current time. */
  async function decide(
    tenantId: TenantId,
    amount: string,
    fields: { agentId?: string; mode?: Mode; outcome?: PolicyOutcome } = {},
  ) {
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx
        .insertInto("policyDecisions")
        .values({
          tenantId,
          decisionId: newId("pdc"),
          mode: "live",
          agentId: AGENT,
          operation: "payment",
          facts: JSON.stringify({ amount_usd: amount, payee_first_seen: false }),
          outcome: "allow",
          policyId: null,
          policyVersion: null,
          ruleId: null,
          decidedAt: harness.clock.now(),
          ...fields,
        })
        .execute(),
    );
  }

  /** Stores decisions about payments of 1 USD, a second apart, in one statement. */
  async function decideOften(tenantId: TenantId, count: number) {
    await withTransaction(harness.app.db, tenantId, (tx) =>
      sql`insert into policy_decisions (tenant_id, decision_id, mode, agent_id, operation, facts, outcome, decided_at)
        select ${tenantId}, 'pdc_' || n, 'live', ${AGENT}::uuid, 'payment', '{"amount_usd":"1.00"}', 'allow',
          ${harness.clock.now()}::timestamptz - n * interval '1 second'
        from generate_series(1, ${count}::int) as n`.execute(tx),
    );
  }

  it("200: what the draft would have refused and asked, by rule and by day", async () => {
    const { tenant, policy, run } = await arrange();
    for (const amount of ["30", "15", "20", "40"]) await decide(tenant.tenantId, amount);
    harness.clock.advanceSeconds(2 * DAY_SECONDS);
    await decide(tenant.tenantId, "12.50");
    await decide(tenant.tenantId, "1");
    const ask = {
      id: "ask",
      effect: "require_approval",
      when: { amount_usd: { gte: "10", lt: "15" } },
    };

    const { status, body } = await run({ rules: [DAILY, ask, ALLOW] });

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: "backtest",
        policy_id: policy.policy_id,
        agent_id: AGENT,
        from: new Date(harness.clock.now().getTime() - 30 * DAY_SECONDS * 1_000).toISOString(),
        to: harness.clock.now().toISOString(),
        decisions: 6,
        truncated: false,
        totals: {
          allowed: 3,
          refused: 2,
          asked: 1,
          allowed_usd: "46.00",
          refused_usd: "60.00",
          asked_usd: "12.50",
        },
        by_rule: [
          { rule_id: "daily_cap", refused: 2, asked: 0, amount_usd: "60.00" },
          { rule_id: "ask", refused: 0, asked: 1, amount_usd: "12.50" },
        ],
        by_day: [
          { date: "2026-11-21", allowed: 2, refused: 2, asked: 0, amount_usd: "60.00" },
          { date: "2026-11-23", allowed: 1, refused: 0, asked: 1, amount_usd: "12.50" },
        ],
      },
    });
    expect((await tenant.get(`/policies/${policy.policy_id}`)).body).toEqual(policy);
  });

  it("200: the stored rules, and a draft threshold", async () => {
    const { tenant, run } = await arrange();
    await decide(tenant.tenantId, "30");

    expect((await run()).body.totals).toMatchObject({ allowed: 1, asked: 0 });
    const asked = await run({ approvals: { threshold_usd: "20" } });
    expect(asked.body.by_rule).toEqual([{ rule_id: "threshold", refused: 0, asked: 1, amount_usd: "30.00" }]);
  });

  it("200: only the agent's decisions of the mode and of the last 30 days", async () => {
    const { tenant, run } = await arrange();
    const other = await harness.seedTenant();
    await decide(tenant.tenantId, "1");
    harness.clock.advanceSeconds(1);
    await decide(tenant.tenantId, "2");
    await decide(tenant.tenantId, "4", { agentId: "1b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10" });
    await decide(tenant.tenantId, "8", { mode: "test" });
    await decide(other.tenantId, "16");
    harness.clock.advanceSeconds(30 * DAY_SECONDS);

    expect((await run()).body).toMatchObject({ decisions: 1, totals: { allowed_usd: "2.00" } });
    harness.clock.advanceSeconds(1);
    expect((await run()).body).toMatchObject({ decisions: 0, by_rule: [], by_day: [] });
  });

  it("200: at most the oldest 100,000 decisions", { timeout: 60_000 }, async () => {
    const { tenant, run } = await arrange();
    await decideOften(tenant.tenantId, 100_000);
    await decide(tenant.tenantId, "1000");

    expect((await run()).body).toMatchObject({
      decisions: 100_000,
      truncated: true,
      totals: { allowed: 100_000, allowed_usd: "100000.00" },
    });
  });

  it("409: another back-test of the tenant and mode runs, even in another process", async () => {
    const { tenant, run } = await arrange();
    const lock = `select pg_advisory_xact_lock(hashtextextended('backtest ${tenant.tenantId} live', 0))`;

    await asSuperuser(harness.database.superuserUrl, async (client) => {
      await client.query(`begin; ${lock}`);
      expect(await run()).toMatchObject({ status: 409, body: { code: "conflict" } });
      await client.query("rollback");
    });

    expect((await run()).status).toBe(200);
  });

  it("404: the policy is deleted", async () => {
    const { tenant, policy, run } = await arrange();
    await tenant.delete(`/policies/${policy.policy_id}`);

    expect(await run()).toMatchObject({ status: 404, body: { code: "policy_not_found" } });
  });

  it.each<[string, object, string]>([
    ["no agent", { agent_id: undefined }, "/body/agent_id"],
    ["an agent that is not a UUID", { agent_id: "me" }, "/body/agent_id"],
    ["1,000 rules", { rules: Array.from({ length: 1_000 }, () => ALLOW) }, "/body/rules"],
    ["a repeated rule id", { rules: [ALLOW, ALLOW] }, "/body/rules/1/id"],
  ])("422: %s", async (_what, fields, pointer) => {
    const { run } = await arrange();

    const answer = await run(fields);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
