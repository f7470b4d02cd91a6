import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf } from "../../../../../test/project-seeds.ts";
import { seedAgent, servicesOf } from "../../../../../test/services.ts";
import { listWrongBudgets } from "../../../../budgets/queries.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import type { TenantId } from "../../../../foundation/ids.ts";
import { expireApprovals } from "../../../../workflows/decide-approval/decide-approval.ts";

const SECONDS_PER_DAY = 86_400;

describe("POST /projects/{project_id}/services under the policies of an agent", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  async function arrange({
    project = {},
    ...policy
  }: {
    readonly rules?: readonly object[];
    readonly approvals?: object;
    readonly project?: object;
  } = {}) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const agentId = await seedAgent(harness.app, { tenantId, ...policy });
    const projectId = await services.linkedProject(tenant, { agent_ids: [agentId], ...project });
    await services.attachCard(tenant, projectId);
    const add = (body: object = {}) => services.add(tenant, projectId, { agent_id: agentId, plan: "launch", ...body });
    const approver = await harness.seedKey(tenantId, { scopes: ["approvals:write"] });
    return { tenant, tenantId, agentId, projectId, add, approver };
  }

  const wrongBudgets = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) => listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }));

  const ALLOW = { id: "services", effect: "allow", operation: "service.add" };
  const ASK = { id: "ask", effect: "require_approval", operation: "service.add" };

  it.each([
    ["no rule allows it", [{ ...ALLOW, operation: "payment" }], "default"],
    ["a rule denies it", [ALLOW, { id: "no_neon", effect: "deny", when: { provider: { eq: "neon" } } }], "no_neon"],
    ["it costs too much", [{ ...ALLOW, when: { monthly_cost_usd: { lte: "4.99" } } }], "default"],
  ])("403 policy_denied with the rule: %s", async (_name, rules, ruleId) => {
    const { add, projectId } = await arrange({ rules });

    const { status, body } = await add();

    expect([status, body.code]).toEqual([403, "policy_denied"]);
    expect(body.decision).toEqual({
      rule_id: ruleId,
      policy_id: expect.stringMatching(/^pol_/),
      policy_version: 1,
    });
    expect((await services.heldFor(projectId)).charges).toEqual([]);
  });

  it("403 kya_required: the policy requires a level that the agent has not", async () => {
    const rules = [ALLOW, { id: "kya", effect: "deny", when: { kya_level: { in: ["none", "basic"] } } }];
    const { add } = await arrange({ rules });

    const { status, body } = await add();

    expect([status, body.code]).toEqual([403, "kya_required"]);
    expect(body.decision).toEqual({
      gate: "kya",
      required_level: "verified",
      actual_level: "none",
      missing: ["developer_kyb"],
    });
  });

  it("403 policy_denied with the numbers of the limit, which counts what was added in the window", async () => {
    const daily = { max: "8.00", currency: "usd", period: "rolling_24h" };
    const rules = [ALLOW, { id: "daily", effect: "limit", budget: daily }];
    const { add, tenantId } = await arrange({ rules });
    expect((await add()).status).toBe(202);

    const { status, body } = await add();

    expect([status, body.code]).toEqual([403, "policy_denied"]);
    expect(body.decision).toMatchObject({
      rule_id: "daily",
      limit: "8.00",
      used: "5.00",
      remaining: "3.00",
      resets_at: "2026-11-22T11:00:00.000Z",
    });
    harness.clock.advanceSeconds(SECONDS_PER_DAY + 3_600);
    expect((await add()).status).toBe(202);
    expect(await wrongBudgets(tenantId)).toEqual([]);
  });

  it("403 policy_denied: a limit counts free services too", async () => {
    const rules = [ALLOW, { id: "two", effect: "limit", count: { max: 2, period: "rolling_1h" } }];
    const { add } = await arrange({ rules });
    const statuses = [];
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await add({ plan: "free" })).status);
    }

    expect(statuses).toEqual([202, 202, 403]);
  });

  it.each([
    ["launch", { budget: { max: "5.00", currency: "usd", period: "rolling_1h" } }],
    ["free", { count: { max: 1, period: "rolling_1h" } }],
  ])("a service of the plan %s that fails is given back to the limit", async (plan, limit) => {
    const { add, tenantId } = await arrange({
      rules: [ALLOW, { id: "hourly", effect: "limit", ...limit }],
    });
    harness.sandbox.force({ vendor: "neon", operation: "createProject", outcome: "refused" });

    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await add({ plan })).status);

    expect(statuses).toEqual([502, 202, 403]);
    expect(await wrongBudgets(tenantId)).toEqual([]);
  });

  it("403 policy_denied: more than 100 limits apply, or more than 256 KiB of policies", async () => {
    const limits = Array.from({ length: 101 }, (_, number) => ({
      ...{ id: `limit_${number}`, effect: "limit" },
      count: { max: 1_000, period: "rolling_1h" },
    }));
    const many = await arrange({ rules: [ALLOW, ...limits] });
    // Random texts, because the stored rules are compressed.
    const texts = Array.from({ length: 8_000 }, () => randomUUID());
    const large = await arrange({
      rules: [ALLOW, { id: "no", effect: "deny", when: { plan: { in: texts } } }],
    });

    for (const { add, projectId } of [many, large]) {
      const { status, body } = await add();
      expect([status, body.code]).toEqual([403, "policy_denied"]);
      expect(body.detail).toMatch(/more than (100 limits|256 KiB)/);
      expect((await services.heldFor(projectId)).charges).toEqual([]);
    }
  });

  it("each decision is recorded once, for back-tests", async () => {
    const recorded = async (rules: object[], project: object = {}) => {
      const { add, approver, tenant, tenantId, projectId } = await arrange({ rules, project });
      await add();
      const [approval] = (await tenant.get("/approvals")).body.data;
      if (approval !== undefined) {
        await approver.post(`/approvals/${approval.approval_id}/approve`, {});
        await services.allEnded(projectId);
      }
      return harness.app.db
        .selectFrom("policyDecisions")
        .select(["outcome", "ruleId"])
        .where("tenantId", "=", tenantId)
        .execute();
    };

    expect(await recorded([ALLOW])).toEqual([{ outcome: "allow", ruleId: "services" }]);
    expect(await recorded([])).toEqual([]);
    expect(await recorded([{ id: "no", effect: "deny" }])).toEqual([{ outcome: "deny", ruleId: "no" }]);
    const kya = { id: "kya", effect: "deny", when: { kya_level: { eq: "none" } } };
    expect(await recorded([ALLOW, kya])).toEqual([{ outcome: "deny", ruleId: "kya" }]);
    expect(await recorded([ASK])).toEqual([{ outcome: "require_approval", ruleId: "ask" }]);
    const project = { monthly_cap: "1.00", cap_behavior: "require_approval" };
    expect(await recorded([ALLOW], project)).toEqual([{ outcome: "allow", ruleId: "services" }]);
  });

  describe("with a rule that asks", () => {
    it("202 requires_approval at once, and the service is there after the approval", async () => {
      const { add, projectId, agentId, tenant, approver } = await arrange({ rules: [ASK] });

      const { status, body } = await add();

      expect(status).toBe(202);
      expect(body.operation.status).toBe("requires_approval");
      expect(body.service.status).toBe("pending");
      expect((await services.heldFor(projectId)).charges).toEqual([]);
      const { approval_id: approvalId } = (await tenant.get("/approvals")).body.data[0];
      const path = `/approvals/${approvalId}`;
      expect((await tenant.get(path)).body).toMatchObject({
        status: "pending",
        subject: { type: "service", id: body.service.service_id },
        agent_id: agentId,
        summary: { amount: "5.00", payee: "Neon", risk_flags: ["ask"] },
        rules: [{ rule_id: "ask", policy_version: 1 }],
      });

      const approved = await approver.post(`${path}/approve`, {});

      expect([approved.status, approved.body.status]).toEqual([200, "approved"]);
      await services.allEnded(projectId);
      const service = `/projects/${projectId}/services/${body.service.service_id}`;
      expect((await tenant.get(service)).body.status).toBe("active");
      expect((await services.heldFor(projectId)).charges).toHaveLength(1);
      expect((await approver.post(`${path}/deny`, {})).status).toBe(409);
    });

    it.each(["deny", "expire"])("the addition fails after %s, and nothing is reserved", async (end) => {
      const { add, projectId, tenant, approver } = await arrange({ rules: [ASK] });
      const { body } = await add();
      const { approval_id: approvalId } = (await tenant.get("/approvals")).body.data[0];

      if (end === "deny") await approver.post(`/approvals/${approvalId}/deny`, {});
      else {
        harness.clock.advanceSeconds(600);
        await expireApprovals(harness.app);
      }

      await services.allEnded(projectId);
      const { operation_id: operationId } = body.operation;
      expect((await tenant.get(`/operations/${operationId}`)).body).toMatchObject({
        status: "failed",
        error: { code: "policy_denied", status: 403 },
      });
      expect((await services.heldFor(projectId)).charges).toEqual([]);
    });

    it("the limit is asked anew after the approval", async () => {
      const hourly = { max: "5.00", currency: "usd", period: "rolling_1h" };
      const rules = [ASK, { id: "hourly", effect: "limit", budget: hourly }];
      const { add, projectId, tenant, approver } = await arrange({ rules });
      const additions = [await add(), await add()];
      expect(additions.map(({ body }) => body.operation.status)).toEqual(["requires_approval", "requires_approval"]);
      const approvals: { approval_id: string }[] = (await tenant.get("/approvals")).body.data;

      for (const { approval_id: id } of approvals) {
        expect((await approver.post(`/approvals/${id}/approve`, {})).status).toBe(200);
        await services.allEnded(projectId);
      }

      const operations = await Promise.all(
        additions.map(({ body }) => tenant.get(`/operations/${body.operation.operation_id}`)),
      );
      expect(operations.map(({ body }) => body.status).sort()).toEqual(["failed", "succeeded"]);
    });

    it("DELETE of the service cancels the approval and removes the service", async () => {
      const { add, projectId, tenant, approver } = await arrange({ rules: [ASK] });
      const { body } = await add();
      const { service_id: serviceId } = body.service;

      const removed = await tenant.delete(`/projects/${projectId}/services/${serviceId}`);

      expect([removed.status, removed.body.status]).toEqual([200, "removed"]);
      const [approval] = (await tenant.get("/approvals")).body.data;
      expect(approval.status).toBe("canceled");
      const { approval_id: id } = approval;
      expect((await approver.post(`/approvals/${id}/approve`, {})).status).toBe(409);
      expect((await services.heldFor(projectId)).charges).toEqual([]);
    });

    it("DELETE while the addition asks again: nothing is left that a person could approve", async () => {
      const project = { monthly_cap: "1.00", cap_behavior: "require_approval" };
      const { add, projectId, tenant, approver } = await arrange({ rules: [ASK], project });
      for (let round = 0; round < 10; round += 1) {
        const { body } = await add();
        const path = `/projects/${projectId}/services/${body.service.service_id}`;
        const { approval_id: id } = body.approval;

        const approving = approver.post(`/approvals/${id}/approve`, {});
        await setTimeout(round);
        const removed = await tenant.delete(path);
        await approving;

        expect([200, 409]).toContain(removed.status);
        if (removed.status === 409) {
          await expect.poll(async () => (await tenant.delete(path)).status, { interval: 1_000 }).toBe(200);
        }
        const pending = (await tenant.get("/approvals?status=pending")).body.data;
        expect(pending).toEqual([]);
      }
      expect(await services.heldFor(projectId)).toMatchObject({ charges: [] });
    });

    it("DELETE of the project cancels the approval", async () => {
      const { add, projectId, tenant } = await arrange({ rules: [ASK] });
      await add();

      expect((await tenant.delete(`/projects/${projectId}`)).body.status).toBe("deleted");

      const [approval] = (await tenant.get("/approvals")).body.data;
      expect(approval.status).toBe("canceled");
    });
  });

  it("403 cap_exceeded: a person is not asked about a service that the project's cap blocks", async () => {
    const { add, projectId, tenant } = await arrange({
      rules: [ASK],
      project: { monthly_cap: "1.00" },
    });

    const { status, body } = await add();

    expect([status, body.code]).toEqual([403, "cap_exceeded"]);
    expect((await tenant.get("/approvals")).body.data).toEqual([]);
    expect((await services.heldFor(projectId)).charges).toEqual([]);
  });

  it("cap_behavior require_approval: an approved excess is reserved over the cap once", async () => {
    const project = { monthly_cap: "7.00", cap_behavior: "require_approval" };
    const { add, projectId, tenant, approver } = await arrange({ rules: [ALLOW], project });
    expect((await add()).body.operation.status).toBe("succeeded");

    const second = await add();

    expect([second.status, second.body.operation.status]).toEqual([202, "requires_approval"]);
    const [approval] = (await tenant.get("/approvals")).body.data;
    expect(approval.rules).toEqual([{ policy_id: null, policy_version: null, rule_id: "project_cap" }]);
    await approver.post(`/approvals/${approval.approval_id}/approve`, {});
    await services.allEnded(projectId);
    const { usage } = (await tenant.get(`/projects/${projectId}`)).body;
    expect([usage.reserved, usage.remaining]).toEqual(["10.00", "0.00"]);
    expect((await add()).body.operation.status).toBe("requires_approval");
  });

  it("a developer's own call has no policy", async () => {
    const { tenant, projectId } = await arrange({ rules: [{ id: "no", effect: "deny" }] });

    expect((await services.add(tenant, projectId)).status).toBe(202);
    expect(await auditOf(harness.app, randomUUID())).toEqual([]);
  });
});
