import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { seedCharge, seedService } from "../../../../test/project-seeds.ts";
import { encodeCursor } from "../../cursor.ts";

const OCTOBER = new Date("2026-10-31T23:59:59.999Z");
const NOVEMBER = new Date("2026-11-01T00:00:00.000Z");

describe("GET /projects/{project_id}/charges", () => {
  const harness = useHarness();

  async function arrange(fields: object = {}) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const { body } = await tenant.post("/projects", { name: randomUUID(), ...fields });
    const projectId = body.project_id as string;
    return {
      tenant,
      projectId,
      charge: (rest: object = {}) => seedCharge(harness.app, { tenantId, projectId, amountCents: 500n, ...rest }),
      list: (query = "") => tenant.get(`/projects/${projectId}/charges${query}`),
    };
  }

  const idsOf = ({ body }: { readonly body: AnyBody }): string[] =>
    body.data.map(({ charge_id }: AnyBody) => charge_id);

  it("200: the project has no charges", async () => {
    const { list } = await arrange();

    expect(await list()).toMatchObject({
      status: 200,
      body: { object: "list", data: [], has_more: false, next_cursor: null },
    });
  });

  it("200: returns every field of a charge", async () => {
    const { tenant, projectId, charge, list } = await arrange();
    const agentId = randomUUID();
    const serviceId = await seedService(harness.app, { tenantId: tenant.tenantId, projectId });
    const charge_id = await charge({ serviceId, agentId, status: "reserved", amountCents: 1_205n });

    const { body } = await list();

    expect(body).toEqual({
      object: "list",
      data: [
        {
          charge_id,
          service_id: serviceId,
          provider: "neon",
          type: "subscription",
          description: "launch",
          amount: "12.05",
          currency: "usd",
          status: "reserved",
          agent_id: agentId,
          payment_id: null,
          billed_by: "vendor",
          estimated: false,
          period_start: "2026-11-01T00:00:00.000Z",
          period_end: "2026-12-01T00:00:00.000Z",
          occurred_at: harness.clock.now().toISOString(),
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it("200: a refund is negative, and a charge that was released is listed", async () => {
    const { charge, list } = await arrange();
    await charge({ amountCents: -250n, type: "refund", status: "refunded" });
    await charge({ status: "released" });

    const { body } = await list();

    const summary = body.data.map(({ status, amount }: AnyBody) => `${status} ${amount}`);
    expect(summary).toEqual(["released 5.00", "refunded -2.50"]);
  });

  it("200: pages from newest to oldest, also over charges of the same time", async () => {
    const { charge, list } = await arrange();
    const ids: string[] = [];
    for (const seconds of [0, 1, 0, 0, 0, 1, 0]) {
      harness.clock.advanceSeconds(seconds);
      ids.push(await charge());
    }
    const older = await charge({ occurredAt: OCTOBER });
    const newestFirst = [...ids.reverse(), older];

    for (const limit of [1, 2, 3, 8]) {
      const found: string[] = [];
      let query = `?limit=${limit}`;
      for (let pages = 0; pages < 8 / limit; pages += 1) {
        const page = await list(query);
        found.push(...idsOf(page));
        expect(page.body.has_more).toBe(found.length < 8);
        expect(page.body.next_cursor === null).toBe(found.length === 8);
        query = `?limit=${limit}&cursor=${page.body.next_cursor}`;
      }
      expect(found).toEqual(newestFirst);
    }
  });

  it("200: a charge that is new after the first page is not on the second", async () => {
    const { charge, list } = await arrange();
    const oldest = await charge();
    await charge();
    const { body } = await list("?limit=1");
    harness.clock.advanceSeconds(1);
    await charge();

    expect(idsOf(await list(`?limit=1&cursor=${body.next_cursor}`))).toEqual([oldest]);
  });

  it("200: only the charges of a month, of a provider, or both, in pages too", async () => {
    const { charge, list } = await arrange();
    const october = await charge({ occurredAt: OCTOBER });
    const neon = await charge({ occurredAt: NOVEMBER });
    const supabase = await charge({ occurredAt: NOVEMBER, provider: "supabase" });
    const newer = await charge({ occurredAt: NOVEMBER });

    expect(idsOf(await list("?period=2026-10"))).toEqual([october]);
    expect(idsOf(await list("?period=2026-11"))).toEqual([newer, supabase, neon]);
    expect(idsOf(await list("?period=2026-12"))).toEqual([]);
    expect(idsOf(await list("?period=2999-12"))).toEqual([]);
    expect(idsOf(await list("?provider=neon"))).toEqual([newer, neon, october]);
    expect(idsOf(await list("?provider=absent"))).toEqual([]);
    expect(idsOf(await list("?provider=supabase&period=2026-11"))).toEqual([supabase]);
    expect(idsOf(await list("?provider=supabase&period=2026-10"))).toEqual([]);
    const filters = "?provider=neon&period=2026-11&limit=1";
    const first = await list(filters);
    const second = await list(`${filters}&cursor=${first.body.next_cursor}`);
    expect([first, second].map(idsOf)).toEqual([[newer], [neon]]);
    expect([first, second].map(({ body }) => body.has_more)).toEqual([true, false]);
  });

  it("200, empty: the cursor is of another project or another tenant, or its charge is unknown", async () => {
    const { tenant, charge, list } = await arrange();
    await charge({ occurredAt: OCTOBER });
    const own = await tenant.post("/projects", { name: "Second" });
    const place = { tenantId: tenant.tenantId, projectId: own.body.project_id };
    const sibling = await seedCharge(harness.app, { ...place, amountCents: 1n });
    const stranger = await arrange();
    const foreign = await stranger.charge();
    const unknown = "ch_01hf7yat00rm3czb8yy5nw42xz";

    for (const chargeId of [sibling, foreign, unknown]) {
      const { status, body } = await list(`?cursor=${encodeCursor(chargeId)}`);
      expect([status, body.data, body.has_more]).toEqual([200, [], false]);
    }
  });

  it("200: the key is bound to the project, or to one of its agents; 404 for another binding", async () => {
    const agent = randomUUID();
    const { tenant, projectId, charge } = await arrange({ agent_ids: [agent] });
    const chargeId = await charge();
    const listAs = async (seed: Parameters<typeof harness.seedKey>[1]) => {
      const key = await harness.seedKey(tenant.tenantId, { scopes: ["projects:read"], ...seed });
      return key.get(`/projects/${projectId}/charges`);
    };

    expect(idsOf(await listAs({ agentIds: [agent] }))).toEqual([chargeId]);
    expect(idsOf(await listAs({ projectIds: [projectId] }))).toEqual([chargeId]);
    expect((await listAs({ agentIds: [randomUUID()] })).status).toBe(404);
    const other = (await tenant.post("/projects", { name: "Other" })).body.project_id;
    expect((await listAs({ projectIds: [other] })).status).toBe(404);
  });

  it.each([
    ["period=2026-13", "/query/period"],
    ["period=2026-00", "/query/period"],
    ["period=1999-12", "/query/period"],
    ["period=3000-01", "/query/period"],
    ["period=10000-01", "/query/period"],
    ["period=2026-1", "/query/period"],
    ["period=2026-011", "/query/period"],
    ["period=2026-11-01", "/query/period"],
    ["period=-2026-11", "/query/period"],
    ["period=%202026-11", "/query/period"],
    ["period=2026-11%0A", "/query/period"],
    ["period=%D9%A2%D9%A0%D9%A2%D9%A6-11", "/query/period"],
    ["period=%EF%BC%92026-11", "/query/period"],
    ["period=", "/query/period"],
    ["period=2026-11&period=2026-12", "/query/period"],
    ["provider=Neon", "/query/provider"],
    ["provider=", "/query/provider"],
    [`provider=${"n".repeat(65)}`, "/query/provider"],
    ["provider=neon&provider=neon", "/query/provider"],
    ["limit=0", "/query/limit"],
    ["limit=101", "/query/limit"],
    ["limit=1.5", "/query/limit"],
    ["limit=%D9%A1", "/query/limit"],
    ["cursor=x", "/query/cursor"],
    ["cursor=", "/query/cursor"],
    [`cursor=${encodeCursor("proj_01hf7yat00rm3czb8yy5nw42xz")}`, "/query/cursor"],
    [`cursor=${encodeCursor("ch_' or true --")}`, "/query/cursor"],
    ["page=1", "/query/page"],
  ])("422: ?%s", async (query, pointer) => {
    const { list } = await arrange();

    const { status, body } = await list(`?${query}`);

    expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });
});
