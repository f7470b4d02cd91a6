import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { withTransaction } from "../../../db/transaction.ts";

describe("GET /agents/{agent_id}", () => {
  const harness = useHarness();

  it("200: the agent with its projects, the id in any case", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const project = await tenant.post("/projects", { name: "P", agent_ids: [agent_id] });
    await tenant.post("/projects", { name: "Q" });

    const { status, body } = await tenant.get(`/agents/${agent_id.toUpperCase()}`);

    expect([status, body.project_ids]).toEqual([200, [project.body.project_id]]);
  });

  it("200: expired from the very second of the expiry", async () => {
    const tenant = await harness.seedTenant();
    const expires_at = new Date(harness.clock.now().getTime() + 60_000).toISOString();
    const { agent_id } = await postAgent(tenant, { expires_at });
    const status = async () => (await tenant.get(`/agents/${agent_id}`)).body.status;

    harness.clock.advanceSeconds(59);
    expect(await status()).toBe("active");
    harness.clock.advanceSeconds(1);
    expect(await status()).toBe("expired");
  });

  it("200: the developer's verified business gives the level verified until it expires", async () => {
    const tenant = await harness.seedTenant();
    const { agent_id } = await postAgent(tenant);
    const kybExpiresAt = new Date(harness.clock.now().getTime() + 60_000);
    await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      tx
        .updateTable("developers")
        .set({ kybStatus: "verified", kybVerifiedAt: harness.clock.now(), kybExpiresAt })
        .where("tenantId", "=", tenant.tenantId)
        .execute(),
    );
    const kya = async () => (await tenant.get(`/agents/${agent_id}`)).body.kya;

    expect(await kya()).toMatchObject({
      level: "verified",
      status: "passed",
      evidence: [{ type: "developer_kyb", status: "verified" }],
      expires_at: kybExpiresAt.toISOString(),
    });
    harness.clock.advanceSeconds(60);
    expect(await kya()).toMatchObject({ level: "none", status: "pending", evidence: [] });
  });

  it("a key bound to agents reads its own agent; another agent is not found", async () => {
    const tenant = await harness.seedTenant();
    const [own, other] = [await postAgent(tenant), await postAgent(tenant)];
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [own.agent_id] });

    expect((await bound.get(`/agents/${own.agent_id}`)).status).toBe(200);
    expect((await bound.get(`/agents/${other.agent_id}`)).status).toBe(404);
  });
});
