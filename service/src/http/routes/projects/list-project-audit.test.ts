import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";

describe("GET /projects/{project_id}/audit", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant();
    const create = async (name: string): Promise<string> => (await tenant.post("/projects", { name })).body.project_id;
    const [id, other] = [await create("One"), await create("Two")];
    await tenant.put(`/projects/${id}/variables/TOKEN`, { value: "v" });
    await tenant.put(`/projects/${other}/variables/TOKEN`, { value: "v" });
    await tenant.get(`/projects/${id}/env`);
    return { tenant, id, other };
  }

  const actionsOf = ({ data }: AnyBody) => data.map(({ action }: AnyBody) => action);

  it("200: returns the entries of the project, newest first, in pages", async () => {
    const { tenant, id } = await arrange();

    const { status, body } = await tenant.get(`/projects/${id}/audit`);
    const first = (await tenant.get(`/projects/${id}/audit?limit=2`)).body;
    const second = (await tenant.get(`/projects/${id}/audit?limit=2&cursor=${first.next_cursor}`)).body;

    expect([status, actionsOf(body), body.has_more]).toEqual([
      200,
      ["env.pulled", "project.variable_set", "project.created"],
      false,
    ]);
    expect([first, second].map(actionsOf)).toEqual([["env.pulled", "project.variable_set"], ["project.created"]]);
    expect(body.data[0]).toEqual((await tenant.get("/audit/entries?limit=1")).body.data[0]);
  });

  it("200: key has only audit:read and is bound to the project", async () => {
    const { tenant, id, other } = await arrange();
    const bound = { scopes: ["audit:read"], projectIds: [id] } as const;
    const auditor = await harness.seedKey(tenant.tenantId, bound);
    const reader = await harness.seedKey(tenant.tenantId, { scopes: ["projects:read"] });

    expect((await auditor.get(`/projects/${id}/audit`)).status).toBe(200);
    expect((await auditor.get(`/projects/${other}/audit`)).status).toBe(404);
    expect((await reader.get(`/projects/${id}/audit`)).status).toBe(403);
  });

  it("422: malformed cursor, unknown filter or invalid limit", async () => {
    const { tenant, id } = await arrange();

    for (const query of ["cursor=x", "action=project.created", "limit=0"]) {
      expect((await tenant.get(`/projects/${id}/audit?${query}`)).status).toBe(422);
    }
  });
});
