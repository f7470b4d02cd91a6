import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedCharge } from "../../../../test/project-seeds.ts";

describe("GET /projects", () => {
  const harness = useHarness();

  const names = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);

  it("200: returns pages from newest to oldest, without a total", async () => {
    const tenant = await harness.seedTenant();
    for (const name of ["a", "b", "c", "d", "e"]) {
      await tenant.post("/projects", { name });
      // Two projects have the same creation time, so their ids decide the order.
      if (name !== "c") harness.clock.advanceSeconds(1);
    }

    const first = await tenant.get("/projects?per_page=2");
    const second = await tenant.get("/projects?page=2&per_page=2");
    const third = await tenant.get("/projects?page=3&per_page=2");
    const beyond = await tenant.get("/projects?page=1000000000&per_page=100");

    expect(first.body).toMatchObject({ object: "list", page: 1, per_page: 2, has_more: true });
    expect(Object.keys(first.body).sort()).toEqual(
      ["object", "data", "page", "per_page", "has_more", "next_cursor"].sort(),
    );
    expect([first, second, third].map(names)).toEqual([["e", "d"], ["c", "b"], ["a"]]);
    expect([second.body.has_more, third.body.has_more]).toEqual([true, false]);
    expect(beyond.body).toMatchObject({ data: [], has_more: false });
  });

  it("200: pages by cursor reach every project, also if those of the page before were deleted", async () => {
    const tenant = await harness.seedTenant();
    for (const name of ["a", "b", "c", "d", "e"]) await tenant.post("/projects", { name });

    const reached: string[] = [];
    for (let query = ""; query !== "&cursor=null"; ) {
      const { body } = await tenant.get(`/projects?per_page=2${query}`);
      reached.push(...names({ body }));
      for (const { project_id } of body.data) await tenant.delete(`/projects/${project_id}`);
      query = `&cursor=${body.next_cursor}`;
    }

    expect(reached.sort()).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("200: a cursor after a page with a number continues there", async () => {
    const tenant = await harness.seedTenant();
    for (const name of ["a", "b", "c"]) {
      await tenant.post("/projects", { name });
      harness.clock.advanceSeconds(1);
    }

    const { next_cursor } = (await tenant.get("/projects?page=2&per_page=1")).body;

    const { body } = await tenant.get(`/projects?cursor=${next_cursor}`);

    expect(names({ body })).toEqual(["a"]);
    expect(body).not.toHaveProperty("page");
  });

  it("200: has_more is false if the last page is full", async () => {
    const tenant = await harness.seedTenant();
    await tenant.post("/projects", { name: "a" });
    await tenant.post("/projects", { name: "b" });

    expect((await tenant.get("/projects?per_page=2")).body.has_more).toBe(false);
  });

  it("200: returns usage, and leaves out deleted projects", async () => {
    const tenant = await harness.seedTenant();
    const active = (await tenant.post("/projects", { name: "active" })).body.project_id;
    const deleted = (await tenant.post("/projects", { name: "deleted" })).body.project_id;
    await seedCharge(harness.app, {
      tenantId: tenant.tenantId,
      projectId: active,
      amountCents: 250n,
    });
    await tenant.delete(`/projects/${deleted}`);

    const { body } = await tenant.get("/projects");

    expect(body.data).toMatchObject([{ project_id: active, usage: { spent: "2.50" } }]);
    expect(body.data[0]).toEqual((await tenant.get(`/projects/${active}`)).body);
  });

  it("200: a key lists only the projects of its mode and of its agent and project bindings", async () => {
    const tenant = await harness.seedTenant();
    const agent = randomUUID();
    const ofAgent = { name: "agent's", agent_ids: [randomUUID(), agent] };
    await tenant.post("/projects", { name: "without agents" });
    await tenant.post("/projects", ofAgent);
    const own = (await tenant.post("/projects", { name: "own" })).body.project_id;
    const other = await harness.seedTenant();
    await other.post("/projects", ofAgent);
    const seenBy = async (key: Parameters<typeof harness.seedKey>[1]) =>
      names(await (await harness.seedKey(tenant.tenantId, key)).get("/projects"));

    expect(await seenBy({ mode: "test" })).toEqual([]);
    expect(await seenBy({ agentIds: [agent.toUpperCase()] })).toEqual(["agent's"]);
    expect(await seenBy({ agentIds: [randomUUID()] })).toEqual([]);
    expect(await seenBy({ projectIds: [own] })).toEqual(["own"]);
    expect(await seenBy({ projectIds: [own], agentIds: [agent] })).toEqual([]);
    expect((await seenBy({})).sort()).toEqual(["agent's", "own", "without agents"]);
  });

  it.each([
    ["page=0", "/query/page"],
    ["page=-1", "/query/page"],
    ["page=1.5", "/query/page"],
    ["page=x", "/query/page"],
    ["page=", "/query/page"],
    ["page=1&page=2", "/query/page"],
    ["page=99999999999999999999", "/query/page"],
    ["per_page=0", "/query/per_page"],
    ["per_page=101", "/query/per_page"],
    ["limit=5", "/query/limit"],
    ["cursor=eA", "/query/cursor"],
    [`cursor=${Buffer.from("1750000000000 proj_1").toString("base64url")}&page=1`, "/query/page"],
  ])("422: ?%s", async (query, pointer) => {
    const tenant = await harness.seedTenant();

    const answer = await tenant.get(`/projects?${query}`);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
