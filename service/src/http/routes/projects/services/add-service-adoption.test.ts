import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { type Caller, connectTo, seedAgent, servicesOf } from "../../../../../test/services.ts";

describe("POST /projects/{project_id}/services with existing_resource_id", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { heldFor } = services;

  /** Creates a linked project and, in the linked account, a resource that Purser does not manage. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { token } = await services.linkNeon(tenant, projectId);
    return { tenant, projectId, token, resourceId: await createElsewhere(token) };
  }

  /** Creates a Neon project that Purser does not manage. */
  async function createElsewhere(token: string): Promise<string> {
    const call = (path: string, init: object = {}) =>
      fetch(`${harness.sandbox.neon.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      }).then((answer) => answer.json());
    const { organizations } = Object(await call("/users/me/organizations"));
    const body = JSON.stringify({ project: { name: "existing", org_id: organizations[0].id } });
    return Object(await call("/projects", { method: "POST", body })).project.id;
  }

  /** Creates another project and links it to the token's Neon account. */
  async function projectWithSameAccount(caller: Caller, token: string): Promise<string> {
    const projectId = await services.newProject(caller);
    await services.linkNeon(caller, projectId, token);
    return projectId;
  }

  const adopt = (caller: Caller, projectId: string, resourceId: string, options?: object) =>
    services.add(caller, projectId, { existing_resource_id: resourceId }, options);

  const neonCalls = () => harness.sandbox.requests("neon").length;

  it("403: key is bound to a project or an agent, although it can add services", async () => {
    const tenant = await harness.seedTenant();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId });
    const projectId = await services.newProject(tenant, { agent_ids: [agentId] });
    const { token } = await services.linkNeon(tenant, projectId);
    const resourceId = await createElsewhere(token);
    const bound = [
      await harness.seedKey(tenant.tenantId, { projectIds: [projectId] }),
      await harness.seedKey(tenant.tenantId, { agentIds: [agentId] }),
    ];
    const before = neonCalls();

    for (const key of bound) {
      const { status, body } = await adopt(key, projectId, resourceId);
      expect([status, body.code]).toEqual([403, "insufficient_scope"]);
    }

    expect(neonCalls()).toBe(before);
    expect((await heldFor(projectId)).services).toEqual([]);
    for (const key of bound) expect((await services.add(key, projectId)).status).toBe(202);
  });

  describe("409: another service of the tenant uses the resource", () => {
    const TAKEN = {
      code: "conflict",
      errors: [{ pointer: "/body/existing_resource_id", code: "taken" }],
    };

    async function expectRefused(caller: Caller, projectId: string, resourceId: string) {
      const servicesBefore = (await heldFor(projectId)).services.length;
      const before = neonCalls();

      const { status, body } = await adopt(caller, projectId, resourceId);

      expect([status, body]).toMatchObject([409, TAKEN]);
      expect(neonCalls()).toBe(before);
      expect((await heldFor(projectId)).services).toHaveLength(servicesBefore);
    }

    it("a service of the same project has adopted it", async () => {
      const { tenant, projectId, resourceId } = await arrange();
      expect((await adopt(tenant, projectId, resourceId)).status).toBe(202);

      await expectRefused(tenant, projectId, resourceId);
    });

    it("a service of another project has created it", async () => {
      const { tenant, projectId, token } = await arrange();
      const { body } = await services.add(tenant, projectId);
      const other = await projectWithSameAccount(tenant, token);

      await expectRefused(tenant, other, body.service.provider_resource_id);
    });

    it("a service of the other mode has adopted it", async () => {
      const { tenant, projectId, token, resourceId } = await arrange();
      expect((await adopt(tenant, projectId, resourceId)).status).toBe(202);
      const testKey = await harness.seedKey(tenant.tenantId, { mode: "test" });
      const testProject = await projectWithSameAccount(testKey, token);

      await expectRefused(testKey, testProject, resourceId);
    });

    it("the operation of the other service is needs_operator", async () => {
      const { tenant, projectId, token } = await arrange();
      harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
      harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });
      const { body } = await services.add(tenant, projectId);
      expect(body.operation.status).toBe("needs_operator");
      const other = await projectWithSameAccount(tenant, token);

      await expectRefused(tenant, other, body.service.provider_resource_id);
    });

    it("two of three concurrent calls", async () => {
      const { tenant, projectId, token, resourceId } = await arrange();
      const projects = [
        projectId,
        await projectWithSameAccount(tenant, token),
        await projectWithSameAccount(tenant, token),
      ];

      const answers = await Promise.all(projects.map((project) => adopt(tenant, project, resourceId)));

      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    });

    it("a repeated Idempotency-Key, although the resource is free now", async () => {
      const { tenant, projectId, resourceId } = await arrange();
      const first = (await adopt(tenant, projectId, resourceId)).body.service.service_id;
      const once = { headers: { "idempotency-key": randomUUID() } };
      const refused = await adopt(tenant, projectId, resourceId, once);
      await tenant.delete(`/projects/${projectId}/services/${first}`);

      const again = await adopt(tenant, projectId, resourceId, once);

      expect([again.status, again.text]).toEqual([409, refused.text]);
    });
  });

  it("202: a service of another tenant with the same account uses the resource", async () => {
    const { tenant, projectId, token, resourceId } = await arrange();
    await adopt(tenant, projectId, resourceId);
    const other = await harness.seedTenant();
    const otherProject = await projectWithSameAccount(other, token);

    const { status } = await adopt(other, otherProject, resourceId);

    expect(status).toBe(202);
  });

  it("202: the other service of the resource has failed or was removed", async () => {
    const { tenant, projectId, token, resourceId } = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
    expect((await adopt(tenant, projectId, resourceId)).status).toBe(502);
    const first = await adopt(tenant, projectId, resourceId);
    await tenant.delete(`/projects/${projectId}/services/${first.body.service.service_id}`);
    const other = await projectWithSameAccount(tenant, token);

    const second = await adopt(tenant, other, resourceId);

    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.service.provider_resource_id).toBe(resourceId);
  });

  describe("removal during the grace period of a rotation", () => {
    async function arrangeRotating() {
      const { tenant, projectId, token, resourceId } = await arrange();
      const { body } = await adopt(tenant, projectId, resourceId);
      const readUrl = async (): Promise<string> =>
        (await tenant.get(`/projects/${projectId}/env`)).body.env.DATABASE_URL;
      const path = `/projects/${projectId}/services/${body.service.service_id}`;
      const url = await readUrl();
      expect((await tenant.post(`${path}/rotate`, {})).body.status).toBe("pending");
      return { tenant, projectId, token, resourceId, path, url, renewed: await readUrl() };
    }

    const removeService = ({ tenant, path }: Awaited<ReturnType<typeof arrangeRotating>>) => tenant.delete(path);
    const removeProject = ({ tenant, projectId }: Awaited<ReturnType<typeof arrangeRotating>>) =>
      tenant.delete(`/projects/${projectId}`);

    it.each([
      ["DELETE of the service", removeService],
      ["DELETE of the project", removeProject],
    ])("200: %s ends the former credential, and the resource and the other one stay", async (_call, remove) => {
      const arranged = await arrangeRotating();

      const { status } = await remove(arranged);

      expect(status).toBe(200);
      await services.allEnded(arranged.projectId);
      await expect(connectTo(arranged.url)).rejects.toMatchObject({ code: "28P01" });
      expect(await connectTo(arranged.renewed)).toEqual([{ one: 1 }]);
      expect(await heldFor(arranged.projectId)).toMatchObject({
        services: [{ status: "removed" }],
        secrets: [],
      });
    });

    it("502: the provider refuses to end it; the next call does, and removes the service", async () => {
      const arranged = await arrangeRotating();
      const operation = "resetProjectBranchRolePassword";
      harness.sandbox.force({ vendor: "neon", operation, outcome: "refused" });

      const first = await removeService(arranged);

      expect([first.status, first.body.code]).toEqual([502, "provider_error"]);
      expect((await removeService(arranged)).body.effect).toBe("detached");
      await expect(connectTo(arranged.url)).rejects.toMatchObject({ code: "28P01" });
    });

    it("200: the resource no longer exists", async () => {
      const arranged = await arrangeRotating();
      const { token, resourceId } = arranged;
      await fetch(`${harness.sandbox.neon.url}/projects/${resourceId}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}` },
      });

      const { status, body } = await removeService(arranged);

      expect([status, body.effect]).toEqual([200, "detached"]);
    });
  });

  it("422: Supabase does not return the password of an existing resource", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    await services.linkSupabase(tenant, projectId);
    const before = harness.sandbox.requests("supabase").length;

    const { status, body } = await services.add(tenant, projectId, {
      service: "supabase/project",
      existing_resource_id: "abcdefghijklmnopqrst",
    });

    expect([status, body]).toMatchObject([
      422,
      {
        code: "validation_error",
        errors: [{ pointer: "/body/existing_resource_id", code: "not_supported" }],
      },
    ]);
    expect(harness.sandbox.requests("supabase")).toHaveLength(before);
    expect((await heldFor(projectId)).services).toEqual([]);
  });
});
