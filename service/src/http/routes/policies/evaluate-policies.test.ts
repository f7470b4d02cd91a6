import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { dumpDatabase } from "../../../../test/project-seeds.ts";
import { seedAgent } from "../../../../test/services.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";
import { ensureStarterPolicy } from "../../../modules/policies/ensure-starter-policy.ts";

const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";
const ALLOW = { id: "payments", effect: "allow", operation: "payment" };
const TX_CAP = {
  id: "tx_cap",
  effect: "deny",
  operation: "payment",
  when: { amount_usd: { gt: "25.00" } },
};
const PAYMENT = { operation: "payment", facts: { amount_usd: "30" } };

describe("POST /policies/evaluate", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant({ mode: "test" });
    const evaluate = (body: object) => tenant.post("/policies/evaluate", body);
    const create = async (rules: object[], fields: object = {}) => {
      const { body } = await tenant.post("/policies", { name: "p", rules, ...fields });
      return body.policy_id as string;
    };
    return { tenant, evaluate, create };
  }

  it("200: a stored policy, with the rule that decides and each rule's reason; changes nothing", async () => {
    const { evaluate, create } = await arrange();
    const policyId = await create([TX_CAP, ALLOW]);
    const before = await dumpDatabase(harness.database.superuserUrl);

    const { status, body } = await evaluate({ ...PAYMENT, policy_id: policyId });

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        object: "policy_evaluation",
        outcome: "deny",
        policy_id: policyId,
        policy_version: 1,
        rule_id: "tx_cap",
        decision: { rule_id: "tx_cap", policy_id: policyId, policy_version: 1 },
        policies: [
          {
            policy_id: policyId,
            version: 1,
            outcome: "deny",
            rule_id: "tx_cap",
            rules: [
              { rule_id: "tx_cap", effect: "deny", matched: true, reason: expect.any(String) },
              { rule_id: "payments", effect: "allow", matched: true, reason: expect.any(String) },
            ],
          },
        ],
      },
    });
    expect(await dumpDatabase(harness.database.superuserUrl)).toEqual(before);
  });

  it("200: a draft; deny wins over a contradicting allow", async () => {
    const { evaluate } = await arrange();
    const rules = [ALLOW, { id: "never", effect: "deny" }];

    const { status, body } = await evaluate({ operation: "payment", policy: { rules } });

    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        outcome: "deny",
        policy_id: null,
        policy_version: null,
        rule_id: "never",
        decision: { rule_id: "never" },
        policies: [{ policy_id: null, version: null }],
      },
    });
  });

  it.each<[string, object[], object, object]>([
    ["allow", [ALLOW], {}, { outcome: "allow", rule_id: "payments", decision: null }],
    ["no rule permits", [], {}, { outcome: "deny", rule_id: "default" }],
    [
      "a rule asks",
      [ALLOW, { id: "ask", effect: "require_approval" }],
      {},
      { outcome: "require_approval", rule_id: "ask", decision: null },
    ],
    [
      "a limit for each operation",
      [ALLOW, { id: "max", effect: "limit", budget: { max: "5", period: "per_tx" } }],
      { amount_usd: 5.01 },
      {
        outcome: "deny",
        rule_id: "max",
        decision: {
          rule_id: "max",
          limit: "5.00",
          used: "0.00",
          remaining: "5.00",
          resets_at: null,
        },
      },
    ],
    [
      "a count of zero",
      [ALLOW, { id: "none", effect: "limit", count: { max: 0, period: "calendar_day" } }],
      {},
      { outcome: "deny", decision: { limit: "0", used: "0", remaining: "0" } },
    ],
    [
      "a know-your-agent level",
      [ALLOW, { id: "kya", effect: "deny", when: { kya_level: { in: ["none", "basic"] } } }],
      { kya_level: "none" },
      {
        outcome: "deny",
        rule_id: "kya",
        decision: {
          gate: "kya",
          required_level: "verified",
          actual_level: "none",
          missing: ["developer_kyb"],
        },
      },
    ],
    [
      "the given time",
      [ALLOW, { id: "night", effect: "deny", when: { time_utc: { inside: "22:00-06:00" } } }],
      { time_utc: "23:59" },
      { outcome: "deny", rule_id: "night" },
    ],
    [
      "the current time, 10:00",
      [ALLOW, { id: "night", effect: "deny", when: { time_utc: { inside: "22:00-06:00" } } }],
      {},
      { outcome: "allow", rule_id: "payments" },
    ],
  ])("200: %s", async (_what, rules, facts, expected) => {
    const { evaluate } = await arrange();

    const { status, body } = await evaluate({ operation: "payment", policy: { rules }, facts });

    expect({ status, body }).toMatchObject({ status: 200, body: expected });
  });

  it("200: the policies that name, or are named by, the agent, the wallet and the project", async () => {
    const { tenant, evaluate, create } = await arrange();
    const { tenantId } = tenant;
    const walletId = newId("wal");
    const ofAgent = await create([ALLOW], { applies_to: { agent_ids: [AGENT] } });
    const ofWallet = await create([ALLOW], { applies_to: { wallet_ids: [walletId] } });
    const namedByProject = await create([TX_CAP, ALLOW]);
    const namedByAgent = await create([ALLOW]);
    await create([ALLOW], { applies_to: { agent_ids: ["1b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10"] } });
    const starter = await withTransaction(harness.app.db, tenantId, (tx) =>
      ensureStarterPolicy(tx, harness.app, systemActor({ tenantId, mode: "test" })),
    );
    const named = { name: "My App", policy_id: namedByProject };
    const project = (await tenant.post("/projects", named)).body.project_id;
    await seedAgent(harness.app, { tenantId, mode: "test", agentId: AGENT, rules: [] });
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx.updateTable("agents").set({ policyId: namedByAgent }).where("tenantId", "=", tenantId).execute(),
    );
    const evaluated = async (subjects: object) => {
      const { body } = await evaluate({ ...PAYMENT, ...subjects });
      const ids = body.policies.map((policy: { policy_id: string }) => policy.policy_id);
      return { outcome: body.outcome, policyId: body.policy_id, ids };
    };

    expect(await evaluated({ agent_id: AGENT.toUpperCase() })).toEqual({
      outcome: "allow",
      policyId: ofAgent,
      ids: [ofAgent, namedByAgent],
    });
    expect(await evaluated({ agent_id: AGENT, wallet_id: walletId, project_id: project })).toEqual({
      outcome: "deny",
      policyId: namedByProject,
      ids: [ofAgent, ofWallet, namedByProject, namedByAgent],
    });
    expect(await evaluated({ agent_id: "2b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10" })).toEqual({
      outcome: "allow",
      policyId: starter,
      ids: [starter],
    });
  });

  it("200: the starter policy before it exists", async () => {
    const { evaluate } = await arrange();

    const { body } = await evaluate({ ...PAYMENT, agent_id: AGENT });

    expect(body).toMatchObject({
      outcome: "allow",
      policy_id: null,
      rule_id: "allow_payments",
      policies: [{ policy_id: null, version: null }],
    });
  });

  const draft = { operation: "payment", policy: { rules: [] } };
  it.each<[string, object, string]>([
    ["no operation", {}, "/body/operation"],
    ["every operation", { operation: "*" }, "/body/operation"],
    ["an unknown policy", { operation: "payment", policy_id: newId("pol") }, "/body/policy_id"],
    ["a malformed policy id", { operation: "payment", policy_id: "pol_1" }, "/body/policy_id"],
    ["a policy and a draft", { ...draft, policy_id: newId("pol") }, "/body/policy"],
    ["a draft with a repeated id", { ...draft, policy: { rules: [ALLOW, ALLOW] } }, "/body/policy/rules/1/id"],
    ["an unknown fact", { ...draft, facts: { amount: "1" } }, "/body/facts/amount"],
    ["an amount with an exponent", { ...draft, facts: { amount_usd: "1e2" } }, "/body/facts/amount_usd"],
    ["a time of 24:00", { ...draft, facts: { time_utc: "24:00" } }, "/body/facts/time_utc"],
    ["an agent that is not a UUID", { ...draft, agent_id: "me" }, "/body/agent_id"],
  ])("422: %s", async (_what, body, pointer) => {
    const { evaluate } = await arrange();

    const answer = await evaluate(body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
