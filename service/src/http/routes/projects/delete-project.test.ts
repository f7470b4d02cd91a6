import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { asSuperuser, auditOf, eventsOf, seedCharge, seedService } from "../../../../test/project-seeds.ts";

describe("DELETE /projects/{project_id}", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "doomed" });
    const id = body.project_id as string;
    await tenant.put(`/projects/${id}/variables/A_SECRET`, { value: "s3cret" });
    await tenant.put(`/projects/${id}/variables/ANOTHER`, { value: "s3cret" });
    const storedValues = () =>
      asSuperuser(harness.database.superuserUrl, async (client) =>
        Number(
          (await client.query("select count(*) from project_variables where project_id = $1", [id])).rows[0].count,
        ),
      );
    return { tenant, id, path: `/projects/${id}`, storedValues };
  }

  it("200: destroys the variables, and the project is 404 afterwards", async () => {
    const { tenant, id, path, storedValues } = await arrange();
    await seedCharge(harness.app, { tenantId: tenant.tenantId, projectId: id, amountCents: 100n });
    expect(await storedValues()).toBe(4);

    const answer = await tenant.delete(path);

    expect(answer).toMatchObject({
      status: 200,
      body: { project_id: id, status: "deleted", services: [] },
    });
    expect(await storedValues()).toBe(0);
    const after = [
      await tenant.get(path),
      await tenant.delete(path),
      await tenant.get(`${path}/env`),
      await tenant.get(`${path}/status`),
    ];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await auditOf(harness.app, id)).at(-1)).toMatchObject({
      action: "project.deleted",
      facts: { name: "doomed", variables_destroyed: 2 },
    });
    expect((await eventsOf(harness.app, id)).at(-1)).toMatchObject({
      type: "project.deleted",
      data: { project_id: id, status: "deleted", usage: { spent: "1.00" } },
    });
  });

  it("200: the name is available again, and a new project with this name is empty", async () => {
    const { tenant, id, path } = await arrange();
    await tenant.delete(path);

    const again = await tenant.post("/projects", { name: "DOOMED" });

    expect(again.status).toBe(201);
    expect(again.body.project_id).not.toBe(id);
    expect((await tenant.get(`/projects/${again.body.project_id}/variables`)).body.data).toEqual([]);
  });

  it("404: nine of ten concurrent calls, and one audit entry is written", async () => {
    const { tenant, id, path } = await arrange();

    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.delete(path)));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    const entries = (await auditOf(harness.app, id)).filter(({ action }) => action === "project.deleted");
    expect(entries).toHaveLength(1);
  });

  it("200: destroys variables that are set during the deletion", async () => {
    const { tenant, path, storedValues } = await arrange();

    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => tenant.put(`${path}/variables/LATE_${index}`, { value: "s3cret" })),
      tenant.delete(path),
    ]);

    expect(await storedValues()).toBe(0);
  });

  it("200: the preview returns the effects and changes nothing", async () => {
    const { tenant, id, path, storedValues } = await arrange();
    const entryCount = (await auditOf(harness.app, id)).length;

    const answer = await tenant.post(`${path}/delete-preview`);

    expect(answer).toMatchObject({
      status: 200,
      body: { project_id: id, name: "doomed", services: [], variables: 2 },
    });
    expect((await tenant.get(path)).body.status).toBe("active");
    expect(await storedValues()).toBe(4);
    expect(await auditOf(harness.app, id)).toHaveLength(entryCount);
  });

  it("200: the preview returns whether each service would be destroyed or detached", async () => {
    const { tenant, id, path } = await arrange();
    const seed = (rest: object) => seedService(harness.app, { tenantId: tenant.tenantId, projectId: id, ...rest });
    const created = await seed({ createdAt: harness.clock.now() });
    const adopted = await seed({
      adopted: true,
      createdAt: new Date(harness.clock.now().getTime() + 1),
    });
    await seed({ status: "removed" });
    await seed({ status: "failed" });

    const { body } = await tenant.post(`${path}/delete-preview`);

    expect(body.services).toEqual([
      { service_id: created, effect: "destroyed", detail: null },
      { service_id: adopted, effect: "detached", detail: null },
    ]);
    expect((await tenant.get(path)).body.services).toHaveLength(2);
  });

  it.each(["dry_run=true", "force=true"])("422: unknown query parameter %s, and the project remains", async (query) => {
    const { tenant, path } = await arrange();

    expect((await tenant.delete(`${path}?${query}`)).status).toBe(422);
    expect((await tenant.get(path)).status).toBe(200);
  });

  it("422: the preview accepts no fields in the body", async () => {
    const { tenant, path } = await arrange();

    expect((await tenant.post(`${path}/delete-preview`, { force: true })).status).toBe(422);
  });
});
