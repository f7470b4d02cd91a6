import { afterEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, dumpDatabase } from "../../../../../test/project-seeds.ts";
import { servicesOf } from "../../../../../test/services.ts";

describe("DELETE /projects/{project_id}/services/{service_id} of a failed service", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { heldFor } = services;

  /** Adds a service whose resource is created and then deleted, because its credentials cannot be read. */
  async function arrange(body: object = {}) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const { linkId } = await services.linkNeon(tenant, projectId);
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
    await services.add(tenant, projectId, body);
    const [service] = (await heldFor(projectId)).services;
    expect(service.status).toBe("failed");
    const serviceId = service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    return { tenant, projectId, linkId, serviceId, path };
  }

  const neonCalls = () => harness.sandbox.requests("neon").length;

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  it("200: removes the service immediately, without a call to the vendor", async () => {
    const { tenant, projectId, serviceId, path } = await arrange();
    const before = neonCalls();

    const { status, body } = await tenant.delete(path);

    await services.allEnded(projectId);
    expect([status, body.status, body.poll_url]).toEqual([200, "removed", null]);
    expect(body.operation).toMatchObject({ type: "service.remove", status: "succeeded" });
    expect(body.operation.steps.map((step: { name: string; status: string }) => [step.name, step.status])).toEqual([
      ["provider_deprovisioning", "skipped"],
      ["credential_destruction", "succeeded"],
      ["service_record", "succeeded"],
      ["audit", "succeeded"],
    ]);
    expect(neonCalls()).toBe(before);
    const actions = (await auditOf(harness.app, serviceId)).map(({ action }) => action);
    expect(actions.filter((action) => action === "service.removed")).toHaveLength(1);
    expect([(await tenant.get(path)).status, (await tenant.delete(path)).status]).toEqual([404, 404]);
  });

  it("200: another service that now has the name is unchanged", async () => {
    const { tenant, projectId, path } = await arrange({ name: "db" });
    const { body: other } = await services.add(tenant, projectId, { name: "db" });
    expect(other.service.status).toBe("active");

    const { status, body } = await tenant.delete(path);

    expect([status, body.status, body.operation.status]).toEqual([200, "removed", "succeeded"]);
    const { service_id: otherId } = other.service;
    expect((await tenant.get(`/projects/${projectId}/services/${otherId}`)).body).toMatchObject(other.service);
    expect(await services.resourcesOf("neon", [otherId])).toHaveLength(1);
    expect((await tenant.get(`/projects/${projectId}/env`)).body.env).toEqual(other.env);
  });

  it("200: its link is revoked", async () => {
    const { tenant, projectId, linkId, path } = await arrange();
    expect((await tenant.delete(`/projects/${projectId}/links/${linkId}`)).status).toBe(200);
    const before = neonCalls();

    const { status, body } = await tenant.delete(path);

    await services.allEnded(projectId);
    expect([status, body.status]).toEqual([200, "removed"]);
    expect(neonCalls()).toBe(before);
    expect((await heldFor(projectId)).operations.at(-1).status).toBe("succeeded");
    expect(harness.logLines.join("")).not.toContain("operator action required");
  });

  it("200: deletes the addition's data from the workflow engine", async () => {
    const { tenant, projectId, path } = await arrange();
    const [{ operation_id: provisioning }] = (await heldFor(projectId)).operations;
    const engine = () => dumpDatabase(harness.database.superuserUrl, ["dbos"]);
    expect(await engine()).toContain(provisioning);

    await tenant.delete(path);

    expect(await engine()).not.toContain(provisioning);
  });
});
