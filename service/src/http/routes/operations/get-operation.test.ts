import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedOperation } from "../../../../test/project-seeds.ts";
import { newId } from "../../../foundation/ids.ts";

describe("GET /operations/{operation_id}", () => {
  const harness = useHarness();

  async function arrange(operation: Omit<Parameters<typeof seedOperation>[1], "tenantId" | "projectId"> = {}) {
    const tenant = await harness.seedTenant();
    const projectId = (await tenant.post("/projects", { name: "one" })).body.project_id as string;
    const place = { tenantId: tenant.tenantId, projectId };
    const operationId = await seedOperation(harness.app, { ...place, ...operation });
    return { tenant, projectId, operationId, path: `/operations/${operationId}` };
  }

  const notFound = { status: 404, body: { code: "operation_not_found" } };

  it("200: returns the same object as the path below the project", async () => {
    const { tenant, projectId, path } = await arrange({ steps: { kya_gate: "running" } });

    const { status, body } = await tenant.get(path);

    expect(status).toBe(200);
    expect(body).toEqual((await tenant.get(`/projects/${projectId}${path}`)).body);
    expect(body.poll_url).toBe(`/api/v1/svc/projects/${projectId}${path}`);
  });

  it("200: returns the deletion of a project after the project is deleted", async () => {
    const { tenant, projectId, path } = await arrange({
      type: "project.delete",
      status: "succeeded",
    });
    await tenant.delete(`/projects/${projectId}`);
    expect((await tenant.get(`/projects/${projectId}${path}`)).status).toBe(404);

    const { status, body } = await tenant.get(path);

    expect([status, body.subject]).toEqual([200, { type: "project", id: projectId }]);
  });

  it("404: key is bound to other projects or agents", async () => {
    const { tenant, projectId, path } = await arrange();
    const bound = (seed: Parameters<typeof harness.seedKey>[1]) => harness.seedKey(tenant.tenantId, seed);
    const agentIds = ["5a9d0c1e-7b1f-4c58-9d6b-0f3a6c2e8b41"];

    expect(await (await bound({ projectIds: [newId("proj")] })).get(path)).toMatchObject(notFound);
    expect(await (await bound({ agentIds })).get(path)).toMatchObject(notFound);
    expect((await (await bound({ projectIds: [projectId] })).get(path)).status).toBe(200);

    await tenant.patch(`/projects/${projectId}`, { agent_ids: agentIds });
    expect((await (await bound({ agentIds })).get(path)).status).toBe(200);
  });

  it("403: key lacks the scope of the operation's type", async () => {
    const { tenant, path } = await arrange();
    const key = await harness.seedKey(tenant.tenantId, { scopes: ["wallets:read"] });

    expect(await key.get(path)).toMatchObject({
      status: 403,
      body: { code: "insufficient_scope" },
    });
  });
});
