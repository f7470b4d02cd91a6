import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { type Caller, seedAgent, servicesOf } from "../../../../../test/services.ts";

describe("POST /projects/{project_id}/services, for a resource that is there already", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { heldFor } = services;

  /** A project, linked to an account in which somebody else has made a resource too. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { token } = await services.linkNeon(tenant, projectId);
    return { tenant, projectId, token, resourceId: await madeElsewhere(token) };
  }

  /** Neon makes a project that is nobody's service. */
  async function madeElsewhere(token: string): Promise<string> {
    const call = (path: string, init: object = {}) =>
      fetch(`${harness.sandbox.neon.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      }).then((answer) => answer.json());
    const { organizations } = Object(await call("/users/me/organizations"));
    const body = JSON.stringify({ project: { name: "of-old", org_id: organizations[0].id } });
    return Object(await call("/projects", { method: "POST", body })).project.id;
  }

  /** Another project that is linked to the same account. */
  async function neighbour(caller: Caller, token: string): Promise<string> {
    const projectId = await services.newProject(caller);
    await services.linkNeon(caller, projectId, token);
    return projectId;
  }

  const takeIn = (caller: Caller, projectId: string, resourceId: string, options?: object) =>
    services.add(caller, projectId, { existing_resource_id: resourceId }, options);

  const neonCalls = () => harness.sandbox.requests("neon").length;

  it("403: a key that is bound to a project, or to an agent, though it may add services", async () => {
    const tenant = await harness.seedTenant();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId });
    const projectId = await services.newProject(tenant, { agent_ids: [agentId] });
    const { token } = await services.linkNeon(tenant, projectId);
    const resourceId = await madeElsewhere(token);
    const bound = [
      await harness.seedKey(tenant.tenantId, { projectIds: [projectId] }),
      await harness.seedKey(tenant.tenantId, { agentIds: [agentId] }),
    ];
    const before = neonCalls();

    for (const key of bound) {
      const { status, body } = await takeIn(key, projectId, resourceId);
      expect([status, body.code]).toEqual([403, "insufficient_scope"]);
    }

    expect(neonCalls()).toBe(before);
    expect((await heldFor(projectId)).services).toEqual([]);
    for (const key of bound) expect((await services.add(key, projectId)).status).toBe(202);
  });

  describe("409: one that a service of the tenant's has", () => {
    const TAKEN = {
      code: "conflict",
      errors: [{ pointer: "/body/existing_resource_id", code: "taken" }],
    };

    async function expectRefused(caller: Caller, projectId: string, resourceId: string) {
      const servicesBefore = (await heldFor(projectId)).services.length;
      const before = neonCalls();

      const { status, body } = await takeIn(caller, projectId, resourceId);

      expect([status, body]).toMatchObject([409, TAKEN]);
      expect(neonCalls()).toBe(before);
      expect((await heldFor(projectId)).services).toHaveLength(servicesBefore);
    }

    it("of the same project, which took it in", async () => {
      const { tenant, projectId, resourceId } = await arrange();
      expect((await takeIn(tenant, projectId, resourceId)).status).toBe(202);

      await expectRefused(tenant, projectId, resourceId);
    });

    it("of another project, which had it made", async () => {
      const { tenant, projectId, token } = await arrange();
      const { body } = await services.add(tenant, projectId);
      const other = await neighbour(tenant, token);

      await expectRefused(tenant, other, body.service.provider_resource_id);
    });

    it("of the other mode", async () => {
      const { tenant, projectId, token, resourceId } = await arrange();
      expect((await takeIn(tenant, projectId, resourceId)).status).toBe(202);
      const testKey = await harness.seedKey(tenant.tenantId, { mode: "test" });
      const testProject = await neighbour(testKey, token);

      await expectRefused(testKey, testProject, resourceId);
    });

    it("that a person has to look after", async () => {
      const { tenant, projectId, token } = await arrange();
      harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
      harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });
      const { body } = await services.add(tenant, projectId);
      expect(body.operation.status).toBe("needs_operator");
      const other = await neighbour(tenant, token);

      await expectRefused(tenant, other, body.service.provider_resource_id);
    });

    it("to all but one of those who ask for it at once", async () => {
      const { tenant, projectId, token, resourceId } = await arrange();
      const projects = [projectId, await neighbour(tenant, token), await neighbour(tenant, token)];

      const answers = await Promise.all(
        projects.map((project) => takeIn(tenant, project, resourceId)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    });

    it("and again by the same Idempotency-Key, though it is free by then", async () => {
      const { tenant, projectId, resourceId } = await arrange();
      const holder = (await takeIn(tenant, projectId, resourceId)).body.service.service_id;
      const once = { headers: { "idempotency-key": randomUUID() } };
      const refused = await takeIn(tenant, projectId, resourceId, once);
      await tenant.delete(`/projects/${projectId}/services/${holder}`);

      const again = await takeIn(tenant, projectId, resourceId, once);

      expect([again.status, again.text]).toEqual([409, refused.text]);
    });
  });

  it("202: one that another tenant's service has, whose account it is as well", async () => {
    const { tenant, projectId, token, resourceId } = await arrange();
    await takeIn(tenant, projectId, resourceId);
    const other = await harness.seedTenant();
    const otherProject = await neighbour(other, token);

    const { status } = await takeIn(other, otherProject, resourceId);

    expect(status).toBe(202);
  });

  it("202: one whose service was removed, or never came to be", async () => {
    const { tenant, projectId, token, resourceId } = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
    expect((await takeIn(tenant, projectId, resourceId)).status).toBe(502);
    const first = await takeIn(tenant, projectId, resourceId);
    await tenant.delete(`/projects/${projectId}/services/${first.body.service.service_id}`);
    const other = await neighbour(tenant, token);

    const second = await takeIn(tenant, other, resourceId);

    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.service.provider_resource_id).toBe(resourceId);
  });

  it("422: Supabase, which does not tell the password of what is there", async () => {
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
