import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../../test/harness.ts";
import { seedService } from "../../../../../test/project-seeds.ts";
import { withTransaction } from "../../../../db/transaction.ts";

describe("GET /projects/{project_id}/services", () => {
  const harness = useHarness();

  /** Creates a project with services that were added one second apart. */
  async function arrange(count = 0) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const place = { tenantId: tenant.tenantId, projectId: body.project_id as string };
    const serviceIds: string[] = [];
    for (let second = 0; second < count; second += 1) {
      const createdAt = new Date(harness.clock.now().getTime() + second * 1000);
      serviceIds.unshift(await seedService(harness.app, { ...place, createdAt }));
    }
    const path = `/projects/${place.projectId}/services`;
    return { tenant, place, serviceIds, path };
  }

  const idsOf = (body: AnyBody): string[] => body.data.map(({ service_id }: AnyBody) => service_id);

  it("200: project without services", async () => {
    const { tenant, path } = await arrange();

    expect((await tenant.get(path)).body).toEqual({
      object: "list",
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it("200: newest first, with failed services, without removed ones and those of other projects", async () => {
    const { tenant, place, serviceIds, path } = await arrange(2);
    const createdAt = new Date(harness.clock.now().getTime() + 60_000);
    const failed = await seedService(harness.app, { ...place, createdAt, status: "failed" });
    await seedService(harness.app, { ...place, status: "removed" });
    const other = (await tenant.post("/projects", { name: "two" })).body.project_id;
    await seedService(harness.app, { ...place, projectId: other });

    const { body } = await tenant.get(path);

    expect(idsOf(body)).toEqual([failed, ...serviceIds]);
    expect(body.data[0]).toMatchObject({ object: "service", status: "failed" });
  });

  it("200: pages contain each service once, although all have the same time and new ones are added", async () => {
    const { tenant, place, path } = await arrange();
    const serviceIds: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      serviceIds.push(await seedService(harness.app, place));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: AnyBody = await tenant.get(`${path}?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      seen.push(...idsOf(body));
      cursor = body.next_cursor;
      expect(body.has_more).toBe(cursor !== null);
      await seedService(harness.app, { ...place, createdAt: new Date("2026-12-24T00:00:00Z") });
    } while (cursor !== null);

    expect(seen).toEqual(serviceIds.sort().reverse());
  });

  it("200: a page starts after a service although it was removed since the previous page", async () => {
    const { tenant, place, serviceIds, path } = await arrange(3);
    const { body } = await tenant.get(`${path}?limit=1`);
    await withTransaction(harness.app.db, place.tenantId, (tx) =>
      tx.updateTable("services").set({ status: "removed" }).where("serviceId", "=", body.data[0].service_id).execute(),
    );

    const next = await tenant.get(`${path}?cursor=${body.next_cursor}`);

    expect(idsOf(next.body)).toEqual(serviceIds.slice(1));
  });

  it("200: a cursor from another tenant's list returns none of that tenant's services", async () => {
    const { tenant, path } = await arrange(1);
    const other = await arrange(2);
    const { body } = await other.tenant.get(`${other.path}?limit=1`);

    expect((await tenant.get(`${path}?cursor=${body.next_cursor}`)).body.data).toEqual([]);
  });

  it.each(["limit=0", "limit=101", "cursor=", "cursor=!", "cursor=c3J2Xw", "page=1"])("422: %s", async (query) => {
    const { tenant, path } = await arrange();

    expect((await tenant.get(`${path}?${query}`)).status).toBe(422);
  });
});
