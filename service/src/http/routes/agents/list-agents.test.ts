import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";

describe("GET /agents", () => {
  const harness = useHarness();
  type Caller = Pick<Awaited<ReturnType<typeof harness.seedTenant>>, "get">;

  async function idsOf(caller: Caller, limit = 100): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { status, body } = await caller.get(`/agents?limit=${limit}${cursor}`);
      expect(status).toBe(200);
      ids.push(...body.data.map(({ agent_id }: { agent_id: string }) => agent_id));
      if (!body.has_more) return ids;
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  it("200: newest first, in pages, without deleted agents and those of the other mode", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    await postAgent(test);
    const created: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      created.unshift((await postAgent(tenant)).agent_id);
      if (number % 2 === 0) harness.clock.advanceSeconds(1);
    }
    const deleted = await postAgent(tenant);
    await tenant.delete(`/agents/${deleted.agent_id}`);

    const all = await idsOf(tenant);

    expect(all.toSorted()).toEqual(created.toSorted());
    expect(all[4]).toBe(created[4]);
    expect(await idsOf(tenant, 2)).toEqual(all);
  });

  it("200: only its own agents for a bound key", async () => {
    const tenant = await harness.seedTenant();
    const [one, two] = [await postAgent(tenant), await postAgent(tenant)];
    const project = await tenant.post("/projects", { name: "P", agent_ids: [two.agent_id] });
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [one.agent_id] });
    const ofProject = await harness.seedKey(tenant.tenantId, {
      projectIds: [project.body.project_id],
    });

    expect(await idsOf(bound)).toEqual([one.agent_id]);
    expect(await idsOf(ofProject)).toEqual([two.agent_id]);
  });

  it.each(["cursor=x", "cursor=MjAyNg", "limit=0", "limit=101", "page=1"])("422: %s", async (query) => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get(`/agents?${query}`)).status).toBe(422);
  });
});
