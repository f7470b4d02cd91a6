import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";

describe("DELETE /agents/{agent_id}", () => {
  const harness = useHarness();

  it("204: the agent is revoked and not found from then on; its keys are revoked", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [agent_id] });

    const { status, text } = await tenant.delete(`/agents/${agent_id}`);

    expect([status, text]).toEqual([204, ""]);
    expect((await tenant.get(`/agents/${agent_id}`)).status).toBe(404);
    expect((await tenant.delete(`/agents/${agent_id}`)).status).toBe(404);
    expect((await tenant.post(`/agents/${agent_id}/resume`)).status).toBe(404);
    expect((await bound.get("/developers/me")).status).toBe(401);
    const actions = (await auditOf(harness.app, agent_id)).map(({ action }) => action);
    expect(actions).toEqual(["agent.created", "agent.revoked", "agent.deleted"]);
    const types = (await eventsOf(harness.app, agent_id)).map(({ type }) => type);
    expect(types).toEqual(["agent.created", "agent.revoked"]);
  });

  it("204: an agent that was revoked before", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    await tenant.post(`/agents/${agent_id}/revoke`);

    expect((await tenant.delete(`/agents/${agent_id}`)).status).toBe(204);
    const types = (await eventsOf(harness.app, agent_id)).map(({ type }) => type);
    expect(types).toEqual(["agent.created", "agent.revoked"]);
  });

  it("children remain, but cannot act", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const child = await postAgent(tenant, { parent_agent_id: agent_id });
    await tenant.delete(`/agents/${agent_id}`);

    expect((await tenant.get(`/agents/${child.agent_id}`)).body.status).toBe("active");
    const token = await tenant.get(`/agents/${child.agent_id}/kya-token?audience=x`);
    expect([token.status, token.body.code]).toEqual([403, "agent_suspended"]);
  });
});
