import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { newId } from "../../../foundation/ids.ts";

const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";
const ALLOW = { id: "payments", effect: "allow", operation: "payment" };

describe("POST /policies", () => {
  const harness = useHarness();

  const countPolicies = async (tenantId: string) =>
    (await harness.app.db.selectFrom("policies").select("tenantId").execute()).filter(
      (row) => row.tenantId === tenantId,
    ).length;

  it("201: only name and rules are required, and the defaults are as documented", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.post("/policies", { name: "buyer", rules: [ALLOW] });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "policy",
      policy_id: expect.stringMatching(/^pol_[0-9a-z]{26}$/),
      mode: "live",
      name: "buyer",
      version: 1,
      status: "active",
      default: "deny",
      starter: false,
      applies_to: { agent_ids: [], wallet_ids: [], project_ids: [] },
      rules: [ALLOW],
      approvals: { approvers: ["role:owner"], required: 1, expires_in_seconds: 600 },
      created_at: "2026-11-21T10:00:00.000Z",
      updated_at: "2026-11-21T10:00:00.000Z",
    });
    expect((await tenant.get(`/policies/${body.policy_id}`)).body).toEqual(body);
  });

  it("201: every field of the contract's example; amounts get one form", async () => {
    const tenant = await harness.seedTenant();
    const applies_to = {
      agent_ids: [AGENT.toUpperCase()],
      wallet_ids: [newId("wal")],
      project_ids: [newId("proj")],
    };
    const limit = { id: "daily_cap", effect: "limit", operation: "*" };
    const service = { id: "svc", effect: "allow", operation: "service.add" };

    const { status, body } = await tenant.post("/policies", {
      name: "buyer",
      default: "deny",
      applies_to,
      rules: [
        { id: "tx_cap", effect: "deny", operation: "payment", when: { amount_usd: { gt: 25 } } },
        { ...limit, budget: { max: "50", currency: "usd", period: "rolling_24h" } },
        { id: "velocity", effect: "limit", count: { max: 20, period: "rolling_1h" } },
        { ...ALLOW, when: { payee: { in: ["0xabc", "api.example.com"] } } },
        { id: "new_payee", effect: "require_approval", when: { payee_first_seen: true } },
        { id: "hours", effect: "deny", when: { time_utc: { outside: "06:00-22:00" } } },
        { ...service, when: { category: { in: ["database"] }, monthly_cost_usd: { lte: "20.0" } } },
      ],
      approvals: { threshold_usd: 20.5, approvers: ["role:owner"], expires_in_seconds: 900 },
    });

    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        applies_to: { ...applies_to, agent_ids: [AGENT] },
        rules: [
          { when: { amount_usd: { gt: "25.00" } } },
          { budget: { max: "50.00", currency: "usd", period: "rolling_24h" } },
          { count: { max: 20, period: "rolling_1h" } },
          { when: { payee: { in: ["0xabc", "api.example.com"] } } },
          { when: { payee_first_seen: true } },
          { when: { time_utc: { outside: "06:00-22:00" } } },
          { when: { monthly_cost_usd: { lte: "20.00" } } },
        ],
        approvals: { threshold_usd: "20.50", required: 1, expires_in_seconds: 900 },
      },
    });
  });

  it("201: writes an audit entry, an event and the first version, and raises the revision", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });

    const { body } = await tenant.post("/policies", { name: "watched", rules: [ALLOW] });

    expect(await auditOf(harness.app, body.policy_id)).toMatchObject([
      {
        action: "policy.created",
        mode: "test",
        facts: { name: "watched", version: 1, rules: 1 },
        actor: { type: "developer", id: tenant.tenantId, key_id: tenant.keyId },
      },
    ]);
    expect(await eventsOf(harness.app, body.policy_id)).toMatchObject([{ type: "policy.created", data: body }]);
    const { db } = harness.app;
    const versions = db.selectFrom("policyVersions").selectAll();
    expect(await versions.where("tenantId", "=", tenant.tenantId).execute()).toMatchObject([
      { policyId: body.policy_id, version: 1, content: { name: "watched", rules: [ALLOW] } },
    ]);
    const revisions = db.selectFrom("policyRevisions").select(["mode", "revision"]);
    expect(await revisions.where("tenantId", "=", tenant.tenantId).execute()).toEqual([{ mode: "test", revision: 1n }]);
  });

  it("201: rules that contradict each other", async () => {
    const tenant = await harness.seedTenant();
    const rules = [ALLOW, { id: "never", effect: "deny", operation: "payment" }];

    const { status } = await tenant.post("/policies", { name: "no", rules });

    expect(status).toBe(201);
  });

  it("201: a repeated Idempotency-Key returns the same bytes and creates one policy", async () => {
    const tenant = await harness.seedTenant();
    const headers = { "idempotency-key": randomUUID() };
    const body = { name: "once", rules: [] };

    const first = await tenant.post("/policies", body, { headers });
    const again = await tenant.post("/policies", body, { headers });

    expect(again.text).toBe(first.text);
    expect(await countPolicies(tenant.tenantId)).toBe(1);
  });

  it("409: concurrent calls exceed 200 policies of the mode; deleted policies do not count", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const create = (caller = tenant as Pick<typeof tenant, "post">) =>
      caller.post("/policies", { name: randomUUID(), rules: [] });
    const first = await create();
    for (let n = 0; n < 194; n += 1) await create();

    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill("conflict"));
    expect(refused[0]?.body.detail).toContain("200 live policies");
    expect((await create(test)).status).toBe(201);
    expect((await tenant.delete(`/policies/${first.body.policy_id}`)).status).toBe(204);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
  });

  const manyRules = Array.from({ length: 201 }, (_, n) => ({ ...ALLOW, id: `r${n}` }));
  const withRule = (fields: object) => ({ rules: [{ ...ALLOW, ...fields }] });
  const withAmount = (amount: unknown) => withRule({ when: { amount_usd: { gt: amount } } });
  const amountPointer = "/body/rules/0/when/amount_usd/gt";

  it.each<[string, object, string]>([
    ["no name", { name: undefined }, "/body/name"],
    ["a name of two lines", { name: "a\nb" }, "/body/name"],
    ["no rules", { rules: undefined }, "/body/rules"],
    ["1,000 rules", { rules: Array.from({ length: 1_000 }, () => ALLOW) }, "/body/rules"],
    ["201 rules", { rules: manyRules }, "/body/rules"],
    ["a repeated rule id", { rules: [ALLOW, ALLOW] }, "/body/rules/1/id"],
    ["a default other than deny", { default: "allow" }, "/body/default"],
    ["an unknown operation", withRule({ operation: "pay" }), "/body/rules/0/operation"],
    ["an unknown effect", withRule({ effect: "warn" }), "/body/rules/0/effect"],
    ["an unknown fact", withRule({ when: { amount: { gt: "1" } } }), "/body/rules/0/when/amount"],
    ["an unknown operator", withRule({ when: { amount_usd: { above: "1" } } }), "/body/rules/0/when/amount_usd/above"],
    ["a negative amount", withAmount("-1"), amountPointer],
    ["an amount with an exponent", withAmount("1e2"), amountPointer],
    ["an amount with a plus sign", withAmount("+1"), amountPointer],
    ["an amount with a comma", withAmount("1,000"), amountPointer],
    ["an amount with leading zeros", withAmount("01"), amountPointer],
    ["an amount with seven decimals", withAmount("0.0000001"), amountPointer],
    ["an amount with a currency", withAmount("$5"), amountPointer],
    ["an amount of null", withAmount(null), amountPointer],
    ["a threshold with an exponent", { approvals: { threshold_usd: "1e2" } }, "/body/approvals/threshold_usd"],
    ["two required approvals", { approvals: { required: 2 } }, "/body/approvals/required"],
    ["an agent that is not a UUID", { applies_to: { agent_ids: ["me"] } }, "/body/applies_to/agent_ids/0"],
    ["a repeated agent", { applies_to: { agent_ids: [AGENT, AGENT.toUpperCase()] } }, "/body/applies_to/agent_ids"],
    ["a malformed project id", { applies_to: { project_ids: ["proj_1"] } }, "/body/applies_to/project_ids/0"],
    ["a status", { status: "active" }, "/body/status"],
  ])("422: %s", async (_what, fields, pointer) => {
    const tenant = await harness.seedTenant();

    const answer = await tenant.post("/policies", { name: "valid", rules: [], ...fields });

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(await countPolicies(tenant.tenantId)).toBe(0);
  });
});
