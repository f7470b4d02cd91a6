import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { seedAgent, servicesOf, until } from "../../../../../test/services.ts";
import type { TenantId } from "../../../../foundation/ids.ts";

describe("POST /projects/{project_id}/services/{service_id}/upgrade: approvals and concurrent calls", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  const ALLOW = { id: "all", effect: "allow", operation: "*" };
  const ASK = { id: "ask", effect: "require_approval", operation: "service.upgrade" };

  async function arrange({ rules = [ALLOW] as readonly object[], project = {}, plan = "standard" } = {}) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const agentId = await seedAgent(harness.app, { tenantId, rules });
    const projectId = await services.newProject(tenant, { agent_ids: [agentId], ...project });
    await services.linkByToken(tenant, projectId, "acme-db");
    await services.attachCard(tenant, projectId);
    const add = async () => {
      const { body } = await services.add(tenant, projectId, { service: "acme-db/postgres", plan });
      return `/projects/${projectId}/services/${body.service.service_id}`;
    };
    const path = await add();
    const headers = { "x-agent-id": agentId };
    const upgrade = (at = path, request: object = { plan: "prorated" }) =>
      tenant.post(`${at}/upgrade`, request, { headers });
    const approver = await harness.seedKey(tenantId, { scopes: ["approvals:write"] });
    return { tenant, tenantId, agentId, projectId, path, add, upgrade, approver };
  }

  const expectExact = async (tenantId: TenantId) => expect(await services.wrongBudgets({ tenantId })).toEqual([]);

  it("403 policy_denied: no rule of the agent's policy allows it", async () => {
    const { upgrade, path, tenant } = await arrange({
      rules: [{ ...ALLOW, operation: "service.add" }],
    });

    const { status, body } = await upgrade();

    expect([status, body.code]).toEqual([403, "policy_denied"]);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "active" });
  });

  it("403 policy_denied: the difference does not fit into the agent's limit", async () => {
    const budget = { max: "6.99", currency: "usd", period: "rolling_24h" };
    const { upgrade, tenantId } = await arrange({
      rules: [ALLOW, { id: "daily", effect: "limit", budget }],
    });

    const { status, body } = await upgrade();

    expect([status, body.code]).toEqual([403, "policy_denied"]);
    expect(body.decision).toMatchObject({ rule_id: "daily", limit: "6.99" });
    await expectExact(tenantId);
  });

  it("404: an agent of another tenant", async () => {
    const { tenant, path } = await arrange();
    const other = await arrange();

    const { status, body } = await tenant.post(
      `${path}/upgrade`,
      { plan: "prorated" },
      { headers: { "x-agent-id": other.agentId } },
    );

    expect([status, body.code]).toEqual([404, "agent_not_found"]);
  });

  it("200 pending: a person approves the upgrade, and it then takes effect", async () => {
    const { tenant, path, upgrade, approver, projectId, tenantId } = await arrange({
      rules: [ALLOW, ASK],
    });

    const { status, body } = await upgrade();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      service: { plan: "standard", status: "active" },
      status: "pending",
      operation: { status: "requires_approval" },
      approval: {
        status: "pending",
        subject: { type: "operation", id: body.operation.operation_id },
        summary: { amount: "31.00" },
      },
    });
    expect(body.approval.summary.title).toContain("from the plan standard to prorated");
    const meanwhile = await upgrade(path, { plan: "free" });
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, "conflict"]);
    expect(meanwhile.body.next_action.url).toBe(body.poll_url);

    await approver.post(`/approvals/${body.approval.approval_id}/approve`, {});
    await services.allEnded(projectId);

    expect((await tenant.get(path)).body).toMatchObject({ plan: "prorated", status: "active" });
    await expectExact(tenantId);
  });

  it("403 policy_denied: a person denies it, and nothing is reserved", async () => {
    const { tenant, path, upgrade, approver, projectId, tenantId } = await arrange({
      rules: [ALLOW, ASK],
    });
    const { body } = await upgrade();

    await approver.post(`/approvals/${body.approval.approval_id}/deny`, {});
    await services.allEnded(projectId);

    const { body: operation } = await tenant.get(body.poll_url.slice("/api/v1/svc".length));
    expect(operation).toMatchObject({ status: "failed", error: { code: "policy_denied" } });
    expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "active" });
    expect((await services.heldFor(projectId)).charges).toHaveLength(1);
    await expectExact(tenantId);
  });

  it("a service whose upgrade waits for an approval can be removed, which cancels the approval", async () => {
    const { tenant, path, upgrade, projectId } = await arrange({ rules: [ALLOW, ASK] });
    const { body } = await upgrade();

    const removal = await tenant.delete(path);

    expect([removal.status, removal.body.status]).toEqual([200, "removed"]);
    const approval = await tenant.get(`/approvals/${body.approval.approval_id}`);
    expect(approval.body.status).toBe("canceled");
    const { operations } = await services.heldFor(projectId);
    expect(operations.map(({ type, status }) => `${type} ${status}`)).toEqual([
      "service.add succeeded",
      "service.upgrade failed",
      "service.remove succeeded",
    ]);
  });

  it("200 pending: with cap_behavior require_approval, a person decides about the cap", async () => {
    const { tenant, path, upgrade, approver, projectId, tenantId } = await arrange({
      project: { monthly_cap: "12.00", cap_behavior: "require_approval" },
    });

    const { body } = await upgrade();
    expect(body).toMatchObject({ status: "pending", operation: { status: "requires_approval" } });
    await approver.post(`/approvals/${body.approval.approval_id}/approve`, {});
    await services.allEnded(projectId);

    expect((await tenant.get(path)).body.plan).toBe("prorated");
    await expectExact(tenantId);
  });

  it("20 upgrades at once under a cap that fits one: one succeeds, and 19 are 403", async () => {
    const { add, upgrade, path, projectId, tenantId } = await arrange({
      plan: "free",
      project: { monthly_cap: "15.00" },
    });
    const paths = [path];
    for (let count = 1; count < 20; count += 1) paths.push(await add());

    const answers = await Promise.all(paths.map((at) => upgrade(at)));

    await services.allEnded(projectId);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(403)]);
    const stored = await services.heldFor(projectId);
    expect(stored.services.filter(({ plan }) => plan === "prorated")).toHaveLength(1);
    expect(stored.charges.map(({ status, amount_cents }) => [status, amount_cents])).toEqual([["reserved", "1034"]]);
    await expectExact(tenantId);
  });

  it("20 upgrades of one service at once: one changes it, and the others are 409 or change nothing", async () => {
    const { upgrade, path, projectId, tenantId } = await arrange();

    const answers = await Promise.all(Array.from({ length: 20 }, () => upgrade(path)));

    await services.allEnded(projectId);
    expect(answers.filter(({ body }) => body.changed === true)).toHaveLength(1);
    const others = answers.filter(({ body }) => body.changed !== true);
    expect(others.every(({ status, body }) => status === 409 || body.changed === false)).toBe(true);
    expect((await services.heldFor(projectId)).charges).toHaveLength(2);
    await expectExact(tenantId);
  });

  it("an upgrade against a removal: the service is removed, or the removal is 409", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tenant, upgrade, path, projectId, tenantId } = await arrange();

      const [upgraded, removed] = await Promise.all([upgrade(), tenant.delete(path)]);

      await services.allEnded(projectId);
      const [service] = (await services.heldFor(projectId)).services;
      if (removed.status === 200) {
        expect(service.status).toBe("removed");
        expect([200, 404, 409]).toContain(upgraded.status);
      } else {
        expect([removed.status, upgraded.status]).toEqual([409, 200]);
        expect(service).toMatchObject({ status: "active", plan: "prorated" });
      }
      await expectExact(tenantId);
    }
  });

  it("a project with a running upgrade is deleted after the upgrade has ended", async () => {
    const { tenant, path, upgrade, projectId } = await arrange();
    harness.sandbox.force({
      ...{ vendor: "acme-db", operation: "updateDatabase", outcome: "slow", delayMs: 500 },
    });

    const [, deletion] = await Promise.all([upgrade(), tenant.delete(`/projects/${projectId}`)]);

    expect(deletion.status).toBe(200);
    await until(
      () => tenant.get(`/projects/${projectId}`),
      ({ status }) => status === 404,
    );
    expect((await tenant.get(path)).status).toBe(404);
    const { charges } = await services.heldFor(projectId);
    expect(charges.every(({ status }) => status !== "reserved")).toBe(true);
  });
});
