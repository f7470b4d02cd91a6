import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";

describe("POST /agents/{agent_id}/keys", () => {
  const harness = useHarness();

  it("200: a key of the agent's mode that is bound to the agent", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { agent_id } = await postAgent(tenant);

    const { status, body } = await tenant.post(`/agents/${agent_id}/keys`, {
      name: "k",
      scopes: ["agents:read"],
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ mode: "test", agent_ids: [agent_id], scopes: ["agents:read"] });
    const bound = harness.clientOf(body.api_key, body.api_secret);
    expect((await bound.get("/agents")).body.data).toMatchObject([{ agent_id }]);
  });

  it("403: more permissions than the caller", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const caller = await harness.seedKey(tenant.tenantId, { scopes: ["agents:write"] });

    const { status, body } = await caller.post(`/agents/${agent_id}/keys`, {
      name: "k",
      scopes: ["env:read"],
    });

    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("403: the agent or an ancestor is not active; 404: there is no such agent", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const child = await postAgent(tenant, { parent_agent_id: agent_id });
    await tenant.post(`/agents/${agent_id}/suspend`);
    const codeFor = async (id: string) => (await tenant.post(`/agents/${id}/keys`, { name: "k" })).body.code;

    expect(await codeFor(agent_id)).toBe("agent_suspended");
    expect(await codeFor(child.agent_id)).toBe("agent_suspended");
    expect(await codeFor(randomUUID())).toBe("agent_not_found");
  });

  it("a key that is issued during the revocation is refused or revoked", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);

    const [revoked, ...issued] = await Promise.all([
      tenant.post(`/agents/${agent_id}/revoke`),
      ...Array.from({ length: 4 }, () => tenant.post(`/agents/${agent_id}/keys`, { name: "k" })),
    ]);

    expect(revoked?.status).toBe(200);
    for (const { status, body } of issued) {
      if (status === 403) continue;
      const key = harness.clientOf(body.api_key, body.api_secret);
      expect((await key.get("/developers/me")).status).toBe(401);
    }
  });

  it.each(["agent_ids", "mode"])("422: %s", async (field) => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);

    const { status, body } = await tenant.post(`/agents/${agent_id}/keys`, {
      name: "k",
      [field]: "live",
    });

    expect([status, body.errors[0].pointer]).toEqual([422, `/body/${field}`]);
  });
});
