import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { type Caller, seedAgent, servicesOf } from "../../../../../test/services.ts";

describe("POST /projects/{project_id}/services for an agent", () => {
  const harness = useHarness({ vendors: true });
  const { add, linkedProject, heldFor, resourcesOf } = servicesOf(harness);

  async function arrange(body?: object) {
    const tenant = await harness.seedTenant();
    return { tenant, projectId: await linkedProject(tenant, body) };
  }

  /** Creates a project with two agents, and an API key that is bound to the first agent or to both agents. */
  async function arrangeBound(count: 1 | 2) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const own = await seedAgent(harness.app, { tenantId });
    const other = await seedAgent(harness.app, { tenantId });
    const projectId = await linkedProject(tenant, { agent_ids: [own, other] });
    const agentIds = [own, other].slice(0, count);
    const bound = await harness.seedKey(tenantId, { agentIds });
    return { tenant, projectId, own, other, bound };
  }

  const asAgent = (caller: Caller, projectId: string, agentId: string, body: object = {}) =>
    add(caller, projectId, body, { headers: { "x-agent-id": agentId } });

  it("202: active agent in the header, in the body, or in both, in any case", async () => {
    const { tenant, projectId } = await arrange();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId });

    const answers = [
      await asAgent(tenant, projectId, agentId),
      await add(tenant, projectId, { agent_id: agentId }),
      await asAgent(tenant, projectId, agentId.toUpperCase(), { agent_id: agentId }),
    ];

    for (const { status, body } of answers) {
      expect([status, body.service?.agent_id]).toEqual([202, agentId]);
    }
  });

  it("404: unknown agent, or agent of another tenant or mode, with the same response", async () => {
    const { tenant, projectId } = await arrange();
    const other = await harness.seedTenant();
    const { tenantId } = tenant;
    const absent = await Promise.all([
      randomUUID(),
      seedAgent(harness.app, { tenantId: other.tenantId }),
      seedAgent(harness.app, { tenantId, mode: "test" }),
    ]);

    const answers = await Promise.all(absent.map((id) => asAgent(tenant, projectId, id)));

    const [first] = answers;
    for (const { status, body } of answers) {
      expect([status, body.code, body.detail]).toEqual([404, "agent_not_found", first?.body.detail]);
    }
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it.each(["suspended", "revoked", "expired"] as const)("403: agent is %s", async (status) => {
    const { tenant, projectId } = await arrange();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId, status });

    const answer = await asAgent(tenant, projectId, agentId);

    expect([answer.status, answer.body.code]).toEqual([403, "agent_suspended"]);
    const held = await heldFor(projectId);
    expect(held).toMatchObject({
      services: [{ status: "failed", agent_id: agentId }],
      operations: [{ status: "failed", steps: { kya_gate: "failed", policy: "skipped" } }],
      charges: [],
      secrets: [],
    });
    expect(await resourcesOf("neon", [held.services[0].service_id])).toEqual([]);
  });

  it("422: header and body contain different agents", async () => {
    const { tenant, projectId } = await arrange();
    const [one, other] = await Promise.all([
      seedAgent(harness.app, { tenantId: tenant.tenantId }),
      seedAgent(harness.app, { tenantId: tenant.tenantId }),
    ]);

    const answer = await asAgent(tenant, projectId, one, { agent_id: other });

    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body/agent_id" }] },
    });
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it.each([
    ["header", { headers: { "x-agent-id": "buyer" } }, {}, "/headers/x-agent-id"],
    ["body", {}, { agent_id: "buyer" }, "/body/agent_id"],
  ])("422: agent in the %s is not a UUID", async (_, options, body, pointer) => {
    const { tenant, projectId } = await arrange();

    const answer = await add(tenant, projectId, body, options);

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it("202: key is bound to one agent, with and without the header", async () => {
    const { projectId, own, bound } = await arrangeBound(1);

    const unnamed = await add(bound, projectId);
    const named = await asAgent(bound, projectId, own);

    expect([unnamed.status, unnamed.body.service?.agent_id]).toEqual([202, own]);
    expect([named.status, named.body.service?.agent_id]).toEqual([202, own]);
  });

  it("404: bound key sends another agent of the project", async () => {
    const { projectId, other, bound } = await arrangeBound(1);

    const answer = await asAgent(bound, projectId, other);

    expect([answer.status, answer.body.code]).toEqual([404, "agent_not_found"]);
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it("422: key is bound to several agents and sends none; 202 with the header", async () => {
    const { projectId, other, bound } = await arrangeBound(2);

    const unnamed = await add(bound, projectId);
    const named = await asAgent(bound, projectId, other);

    expect(unnamed.body.errors).toMatchObject([{ pointer: "/headers/x-agent-id" }]);
    expect([named.status, named.body.service?.agent_id]).toEqual([202, other]);
  });

  it("404: project has none of the bound key's agents", async () => {
    const { tenant, projectId } = await arrange();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId });
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [agentId] });

    const answer = await add(bound, projectId);

    expect([answer.status, answer.body.code]).toEqual([404, "project_not_found"]);
    expect((await heldFor(projectId)).services).toEqual([]);
  });

  it("403: bound key removes a service", async () => {
    const { projectId, bound } = await arrangeBound(1);
    const { body } = await add(bound, projectId);

    const answer = await bound.delete(`/projects/${projectId}/services/${body.service.service_id}`);

    expect([answer.status, answer.body.code]).toEqual([403, "insufficient_scope"]);
    expect((await heldFor(projectId)).services).toMatchObject([{ status: "active" }]);
  });
});
