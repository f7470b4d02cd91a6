import { describe, expect, it } from "vitest";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { connectTo, servicesOf, until } from "../../../../../test/services.ts";

describe("DELETE /projects/{project_id}/services/{service_id}", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { add, heldFor, resourcesOf } = services;

  async function arrange(body: object = {}) {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const added = (await add(tenant, projectId, body)).body;
    const serviceId = added.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    return { tenant, projectId, added, serviceId, path };
  }

  it("200: destroys the resource, and its credentials stop working", async () => {
    const { tenant, projectId, added, serviceId, path } = await arrange();

    const { status, body } = await tenant.delete(path);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      effect: "destroyed",
      poll_url: null,
      operation: { type: "service.remove", status: "succeeded", service_id: serviceId },
      object: "service",
      service_id: serviceId,
      status: "removed",
      removed_at: harness.clock.now().toISOString(),
    });
    expect(body.operation.steps.map(({ name }: { name: string }) => name)).toEqual([
      "provider_deprovisioning",
      "credential_destruction",
      "service_record",
      "audit",
    ]);
    await expect(connectTo(added.env.DATABASE_URL)).rejects.toThrow();
    expect(await resourcesOf("neon", [serviceId])).toEqual([]);
    expect((await heldFor(projectId)).secrets).toEqual([]);
    expect(body).not.toHaveProperty("env");
  });

  it("200: its variables are no longer in the env bundle, and the bundle's version increases", async () => {
    const { tenant, projectId, path } = await arrange();
    const env = async () => (await tenant.get(`/projects/${projectId}/env`)).body;
    const before = await env();

    await tenant.delete(path);

    const after = await env();
    expect(Object.keys(before.env)).toContain("DATABASE_URL");
    expect(after.env).toEqual({});
    expect(after.version).toBeGreaterThan(before.version);
  });

  it("200: writes audit entries and one event", async () => {
    const { tenant, serviceId, path } = await arrange();

    await tenant.delete(path);

    const entries = (await auditOf(harness.app, serviceId)).slice(-2);
    expect(entries).toMatchObject([
      { action: "service.removal_requested", actor: { id: tenant.tenantId } },
      { action: "service.removed", facts: { effect: "destroyed" }, actor: { id: tenant.tenantId } },
    ]);
    const events = await eventsOf(harness.app, serviceId);
    expect(events.map(({ type }) => type)).toEqual(["service.provisioning", "service.active", "service.removed"]);
  });

  it("404: service is removed", async () => {
    const { tenant, projectId, path } = await arrange();
    await tenant.delete(path);

    const answers = [await tenant.delete(path), await tenant.get(path)];

    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([404, "service_not_found"]);
    }
    expect((await tenant.get(`/projects/${projectId}/services`)).body.data).toEqual([]);
  });

  it("200: concurrent calls join one operation", async () => {
    const { tenant, projectId, serviceId, path } = await arrange();
    harness.sandbox.force({
      vendor: "neon",
      operation: "deleteProject",
      outcome: "slow",
      delayMs: 300,
    });

    const answers = await Promise.all(Array.from({ length: 6 }, () => tenant.delete(path)));

    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([]);
    const removals = (await heldFor(projectId)).operations.filter(({ type }) => type === "service.remove");
    expect(removals).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status === 200)) {
      expect(body.operation.operation_id).toBe(removals[0].operation_id);
    }
    const entries = await auditOf(harness.app, serviceId);
    expect(entries.filter(({ action }) => action === "service.removed")).toHaveLength(1);
  });

  it("409: service is being added; 200 afterwards", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    await services.linkSupabase(tenant, projectId);
    const { body } = await add(tenant, projectId, { service: "supabase/project" });
    const path = `/projects/${projectId}/services/${body.service.service_id}`;

    const early = await tenant.delete(path);
    await services.ended(tenant, body.poll_url);
    const late = await tenant.delete(path);

    expect([early.status, early.body.code]).toEqual([409, "conflict"]);
    expect(early.body.detail).toContain(body.operation.operation_id);
    expect([late.status, late.body.effect]).toEqual([200, "destroyed"]);
    expect(await resourcesOf("supabase", [body.service.service_id])).toEqual([]);
  });

  it("200: removes a failed service", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    harness.sandbox.force({ vendor: "neon", operation: "createProject", outcome: "refused" });
    await add(tenant, projectId);
    const [{ service_id: serviceId }] = (await heldFor(projectId)).services;
    const path = `/projects/${projectId}/services/${serviceId}`;
    expect((await tenant.get(path)).body.status).toBe("failed");

    const removal = await tenant.delete(path);

    expect([removal.status, removal.body.status]).toEqual([200, "removed"]);
    expect((await tenant.get(path)).status).toBe(404);
  });

  it("200: other services of the project are unchanged", async () => {
    const { tenant, projectId, path } = await arrange({ name: "one" });
    const other = (await add(tenant, projectId, { name: "two" })).body;

    await tenant.delete(path);

    expect(await connectTo(Object.values<string>(other.env)[0] ?? "")).toEqual([{ one: 1 }]);
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    expect(env).toEqual(other.env);
  });

  it("422: unknown query parameter, and the service remains", async () => {
    const { tenant, projectId, path } = await arrange();

    expect((await tenant.delete(`${path}?force=true`)).status).toBe(422);
    expect((await heldFor(projectId)).services).toMatchObject([{ status: "active" }]);
  });
});

describe("DELETE /projects/{project_id}/services/{service_id} with a slow vendor", () => {
  const harness = useHarness({ vendors: true, settings: { syncWaitMs: 100 } });
  const services = servicesOf(harness);

  it("200: returns a running operation with a poll_url, and a second call joins it", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    await services.allEnded(projectId);
    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    const operation = "deleteProject";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "timeout_lost" });

    const first = await tenant.delete(path);
    const second = await tenant.delete(path);

    expect(first.body).toMatchObject({
      status: "removing",
      operation: { status: "running" },
    });
    expect(second.body.poll_url).toBe(first.body.poll_url);
    expect(first.body.poll_url).toBe(`${PREFIX}/projects/${projectId}/operations/${first.body.operation.operation_id}`);
    expect((await tenant.get(`/projects/${projectId}/env`)).body.env).toEqual({});
    expect(await services.ended(tenant, first.body.poll_url)).toMatchObject({
      status: "succeeded",
      error: null,
    });
    await until(
      () => tenant.get(path),
      ({ status }) => status === 404,
    );
  });
});
