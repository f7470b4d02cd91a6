import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedAgent } from "../../../../test/services.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { ensureStarterPolicy } from "../../../modules/policies/ensure-starter-policy.ts";

const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";

describe("GET /policies", () => {
  const harness = useHarness();

  const actorOf = (tenantId: TenantId) =>
    ({
      tenantId,
      mode: "live",
      actor: { type: "system", id: "purser", key_id: null, ip: null },
      requestId: null,
    }) as const;

  it("200: pages, newest first, without deleted policies and those of the other mode", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      ids.unshift((await tenant.post("/policies", { name, rules: [] })).body.policy_id);
    }
    await test.post("/policies", { name: "other mode", rules: [] });
    await tenant.delete(`/policies/${ids.pop()}`);

    const first = await tenant.get("/policies?limit=2");
    const second = await tenant.get(`/policies?limit=2&cursor=${first.body.next_cursor}`);

    expect(first.body).toMatchObject({ object: "list", has_more: true });
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const listed = [...first.body.data, ...second.body.data];
    expect(listed.map(({ policy_id }) => policy_id)).toEqual(ids);
    expect((await tenant.get("/policies?cursor=x")).status).toBe(422);
  });

  it("200: a key bound to an agent gets only the policies of the agent and the starter policy", async () => {
    const tenant = await harness.seedTenant();
    const { app } = harness;
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [AGENT.toUpperCase()] });
    await seedAgent(app, { tenantId: tenant.tenantId, agentId: AGENT, rules: [] });
    const create = async (name: string, agentIds: string[] = []) => {
      const applies_to = { agent_ids: agentIds };
      const { body } = await tenant.post("/policies", { name, applies_to, rules: [] });
      return body.policy_id as string;
    };
    const foreign = await create("foreign");
    const naming = await create("naming", [AGENT, randomUUID()]);
    const named = await create("named");
    const starter = await withTransaction(app.db, tenant.tenantId, async (tx) => {
      const agents = tx.updateTable("agents").set({ policyId: named });
      await agents.where("tenantId", "=", tenant.tenantId).execute();
      return ensureStarterPolicy(tx, app, actorOf(tenant.tenantId));
    });

    const { body } = await bound.get("/policies");

    const listed = body.data.map((policy: { policy_id: string }) => policy.policy_id);
    expect(listed.sort()).toEqual([naming, named, starter].sort());
    const shown = await bound.get(`/policies/${naming}`);
    const inList = body.data.find((policy: { policy_id: string }) => policy.policy_id === naming);
    for (const policy of [shown.body, inList]) {
      expect(policy.applies_to.agent_ids, "without the ids of other agents").toEqual([AGENT]);
    }
    const own = await tenant.get(`/policies/${naming}`);
    expect(own.body.applies_to.agent_ids).toHaveLength(2);
    expect((await bound.get(`/policies/${named}`)).status).toBe(200);
    expect(await bound.get(`/policies/${foreign}`)).toMatchObject({
      status: 404,
      body: { code: "policy_not_found" },
    });
  });
});
