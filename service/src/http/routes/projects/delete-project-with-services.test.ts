import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf } from "../../../../test/project-seeds.ts";
import { connectTo, servicesOf, until } from "../../../../test/services.ts";

describe("DELETE /projects/{project_id} with services", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { add, heldFor, resourcesOf } = services;

  async function arrange(body?: object) {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant, body);
    return { tenant, projectId, path: `/projects/${projectId}` };
  }

  const idsOf = async (projectId: string) =>
    (await heldFor(projectId)).services.map(({ service_id }) => service_id as string);

  it("200: destroys the services, deletes the customer, and the project is 404 afterwards", async () => {
    const { tenant, projectId, path } = await arrange({ name: "doomed" });
    await services.attachCard(tenant, projectId);
    const first = (await add(tenant, projectId, { plan: "launch", name: "one" })).body;
    const second = (await add(tenant, projectId, { name: "two" })).body;

    const { status, body } = await tenant.delete(path);

    expect(status).toBe(200);
    expect(body).toEqual({
      project_id: projectId,
      status: "deleted",
      kept_customer_id: null,
      services: [first, second].map(({ service }) => ({
        service_id: service.service_id,
        effect: "destroyed",
        detail: null,
      })),
    });
    await expect(connectTo(first.env.DATABASE_URL)).rejects.toThrow();
    expect(await resourcesOf("neon", await idsOf(projectId))).toEqual([]);
    expect(await services.customersOf(projectId)).toEqual([]);
    const held = await heldFor(projectId);
    expect(held.secrets).toEqual([]);
    expect(held.services.map((service) => service.status)).toEqual(["removed", "removed"]);
    expect(held.charges).toMatchObject([{ status: "reserved", period_end: harness.clock.now() }]);
    expect(held.operations.at(-1)).toMatchObject({
      type: "project.delete",
      status: "succeeded",
      steps: { services: "succeeded", payment_customer: "succeeded", project_record: "succeeded" },
    });
    const after = [await tenant.get(path), await tenant.delete(path), await add(tenant, projectId)];
    expect(after.map((answer) => answer.status)).toEqual([404, 404, 404]);
    expect((await tenant.post("/projects", { name: "doomed" })).status).toBe(201);
  });

  it("200: the preview returns what would still be billed, and the deletion bills it", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, { monthly_cap: "500.00" });
    await services.linkByToken(tenant, projectId, "acme-db");
    await services.linkNeon(tenant, projectId);
    await services.attachCard(tenant, projectId);
    await add(tenant, projectId, { service: "acme-db/postgres", plan: "prorated", name: "one" });
    await add(tenant, projectId, { plan: "launch", name: "two" });
    await add(tenant, projectId, { name: "free" });
    await services.allEnded(projectId);

    const { body } = await tenant.post(`/projects/${projectId}/delete-preview`);

    expect(body.charges).toMatchObject([
      { provider: "acme-db", billed_by: "vendor", estimated: false },
      { provider: "neon", billed_by: "vendor", estimated: true },
    ]);
    const ofService = ({ service_id }: { readonly service_id: string }) => service_id;
    const charges = async () => (await tenant.get(`/projects/${projectId}/charges`)).body.data.toReversed();
    const reserved = await charges();
    expect(body.charges.map(ofService)).toEqual(reserved.map(ofService));
    expect(Number(body.charges[0].amount)).toBeLessThan(31);
    for (const { service_id } of reserved) {
      expect((await tenant.delete(`/projects/${projectId}/services/${service_id}`)).status).toBe(200);
    }
    const [settled, metered] = await charges();
    expect(settled).toMatchObject({ status: "succeeded", amount: body.charges[0].amount });
    expect(metered).toMatchObject({ status: "reserved", period_end: body.charges[1].period_end });
  });

  it("200: writes audit entries of the request and of the deleted customer", async () => {
    const { tenant, projectId } = await arrange();
    await services.attachCard(tenant, projectId);
    const [customer] = await services.customersOf(projectId);
    expect(customer).toBeDefined();

    await tenant.delete(`/projects/${projectId}`);

    const entries = await auditOf(harness.app, projectId);
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["project.deletion_requested", "project.deleted"]),
    );
    expect(entries.find(({ action }) => action === "project.deleted")?.facts).toMatchObject({
      payment_customer_destroyed: customer?.id,
    });
  });

  it("200: revokes links and deletes their tokens", async () => {
    const { tenant, projectId, path } = await arrange();
    await add(tenant, projectId);

    await tenant.delete(path);

    const links = await services.rows(
      `select l.status, s.access_sealed from provider_links l
         left join provider_link_secrets s using (tenant_id, link_id) where project_id = $1`,
      [projectId],
    );
    expect(links).toEqual([{ status: "revoked", access_sealed: null }]);
  });

  it("200: waits for a service that is being added, then destroys it", async () => {
    const { tenant, projectId, path } = await arrange();
    await services.linkSupabase(tenant, projectId);
    const { body } = await add(tenant, projectId, { service: "supabase/project" });
    expect(body.operation.status).toBe("running");

    const { status, body: report } = await tenant.delete(path);

    expect([status, report.status]).toEqual([200, "deleted"]);
    expect(report.services).toMatchObject([{ effect: "destroyed" }]);
    expect(await resourcesOf("supabase", [body.service.service_id])).toEqual([]);
  });

  it("200: the report does not contain failed services", async () => {
    const { tenant, projectId, path } = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "createProject", outcome: "refused" });
    await add(tenant, projectId);

    const { body } = await tenant.delete(path);

    expect(body).toMatchObject({ status: "deleted", services: [] });
  });

  it("200: destroys a service whose operation is needs_operator", async () => {
    const { tenant, projectId, path } = await arrange();
    await add(tenant, projectId);
    const ids = await idsOf(projectId);
    // Simulates a service addition that failed and could not be undone.
    await services.rows("update services set status = 'provisioning' where project_id = $1", [projectId]);
    await services.rows("update operations set status = 'needs_operator' where project_id = $1", [projectId]);

    const { body } = await tenant.delete(path);

    expect(body).toMatchObject({ status: "deleted", services: [{ effect: "destroyed" }] });
    expect(await resourcesOf("neon", ids)).toEqual([]);
  });

  it("200: while the deletion runs, a second call joins it and adding a service is 409", async () => {
    const { tenant, projectId, path } = await arrange();
    await add(tenant, projectId);
    harness.sandbox.force({
      vendor: "neon",
      operation: "deleteProject",
      outcome: "timeout_lost",
      times: 2,
    });

    const first = tenant.delete(path);
    await until(
      () => tenant.get(path),
      ({ body }) => body.status === "deleting",
    );
    const refused = await add(tenant, projectId);
    const second = await tenant.delete(path);

    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(second.body).toEqual((await first).body);
    expect(second.body).toMatchObject({ status: "deleted", services: [{ effect: "destroyed" }] });
    const operations = (await heldFor(projectId)).operations.filter(({ type }) => type === "project.delete");
    expect(operations).toHaveLength(1);
    const entries = await auditOf(harness.app, projectId);
    expect(entries.filter(({ action }) => action === "project.deleted")).toHaveLength(1);
  });

  it("200: a concurrent removal of a service and the deletion remove it once", async () => {
    const { tenant, projectId, path } = await arrange();
    const { body } = await add(tenant, projectId);
    const { service_id: serviceId } = body.service;

    const [removal, deletion] = await Promise.all([
      tenant.delete(`${path}/services/${serviceId}`),
      tenant.delete(path),
    ]);

    expect([200, 404]).toContain(removal.status);
    expect([deletion.status, deletion.body.status]).toEqual([200, "deleted"]);
    await services.allEnded(projectId);
    expect(await resourcesOf("neon", [serviceId])).toEqual([]);
    const entries = await auditOf(harness.app, serviceId);
    expect(entries.filter(({ action }) => action === "service.removed")).toHaveLength(1);
  });

  it("200: leaves nothing at the vendor, regardless of the step that an addition has reached", async () => {
    const races = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { tenant, projectId, path } = await arrange();
        return { tenant, projectId, path };
      }),
    );

    for (const [index, { tenant, projectId, path }] of races.entries()) {
      const adding = add(tenant, projectId);
      // Each deletion starts a little later than the previous one, so that it interrupts the addition at a different
      // step.
      await waitTurns(index * 4);
      const [added, deleted] = await Promise.all([adding, tenant.delete(path)]);
      expect(deleted.status).toBe(200);
      expect([202, 404, 409]).toContain(added.status);
      await services.allEnded(projectId);
    }

    for (const { tenant, projectId, path } of races) {
      expect((await tenant.get(path)).status).toBe(404);
      const held = await heldFor(projectId);
      const ids = held.services.map(({ service_id }) => service_id);
      expect(await resourcesOf("neon", ids)).toEqual([]);
      expect(held.services.map(({ status }) => status)).not.toContain("active");
      expect(held.secrets).toEqual([]);
    }
  }, 60_000);
});

/**
 * Waits for a number of event loop turns. Unlike a delay in milliseconds, it does not depend on the machine's speed.
 */
async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
