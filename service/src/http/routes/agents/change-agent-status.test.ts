import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";

describe("POST /agents/{agent_id}/suspend, /resume and /revoke", () => {
  const harness = useHarness();

  async function seed() {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const change = async (verb: string, body?: object) => {
      const response = await tenant.post(`/agents/${agent_id}/${verb}`, body);
      return response.status === 200 ? response.body.status : response.body.code;
    };
    return { tenant, agentId: agent_id as string, change };
  }

  it("200: suspends and resumes, with one entry and one event for each change", async () => {
    const { agentId, change } = await seed();

    expect(await change("suspend", { reason: "spends too much" })).toBe("suspended");
    expect(await change("suspend")).toBe("suspended");
    expect(await change("resume", {})).toBe("active");
    expect(await change("resume")).toBe("active");

    const entries = await auditOf(harness.app, agentId);
    expect(entries.slice(1)).toMatchObject([
      { action: "agent.suspended", facts: { reason: "spends too much" } },
      { action: "agent.resumed", facts: { previous_status: "suspended" } },
    ]);
    const [, suspended, ...others] = await eventsOf(harness.app, agentId);
    expect(suspended).toMatchObject({ type: "agent.suspended", data: { status: "suspended" } });
    expect(others).toHaveLength(1);
  });

  it("a revoked agent stays revoked", async () => {
    const { agentId, change } = await seed();

    expect(await change("suspend")).toBe("suspended");
    expect(await change("revoke")).toBe("revoked");
    expect(await change("revoke")).toBe("revoked");
    expect(await change("resume")).toBe("conflict");
    expect(await change("suspend")).toBe("conflict");

    expect(await eventsOf(harness.app, agentId)).toHaveLength(3);
  });

  it("an expired agent can only be revoked, even before the expiry is written down", async () => {
    const tenant = await harness.seedTenant();
    const expires_at = new Date(harness.clock.now().getTime() + 1_000).toISOString();
    const { agent_id } = await postAgent(tenant, { expires_at });
    await tenant.post(`/agents/${agent_id}/suspend`);
    harness.clock.advanceSeconds(1);
    const change = async (verb: string) => (await tenant.post(`/agents/${agent_id}/${verb}`)).status;

    expect(await change("suspend")).toBe(409);
    expect(await change("resume")).toBe(409);
    expect(await change("revoke")).toBe(200);
  });

  it("revokes the keys that are bound only to revoked agents, with their events", async () => {
    const { tenant, agentId, change } = await seed();
    const other = (await postAgent(tenant)).agent_id;
    const seedKey = (agentIds: string[], mode: "live" | "test" = "live") =>
      harness.seedKey(tenant.tenantId, { agentIds, mode });
    const own = await seedKey([agentId]);
    const both = await seedKey([agentId, other]);
    const ofOther = await seedKey([other]);
    const otherMode = await seedKey([agentId], "test");
    const works = async (key: typeof own) => (await key.get("/developers/me")).status === 200;
    expect(await works(own)).toBe(true);

    await change("revoke");

    expect(await Promise.all([own, both, ofOther, otherMode].map(works))).toEqual([false, true, true, true]);
    const [event] = await eventsOf(harness.app, own.keyId);
    expect(event).toMatchObject({ type: "api_key.revoked", data: { reason: "agent_revoked" } });
    await tenant.post(`/agents/${other}/revoke`);
    expect(await Promise.all([both, ofOther].map(works))).toEqual([false, false]);
  });

  it.each([{ reason: "x".repeat(501) }, { reason: 1 }, { reason: "a\nb" }, { why: "x" }])("422: %j", async (body) => {
    const { change } = await seed();

    for (const verb of ["suspend", "resume", "revoke"]) {
      expect(await change(verb, body)).toBe("validation_error");
    }
  });
});
