import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AnyBody, type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { asSuperuser, seedBilling, seedCharge, seedLink, seedService } from "../../../../test/project-seeds.ts";
import type { LinkStatus } from "../../../foundation/vocabulary.ts";

const ABSENT = `proj_${"0".repeat(26)}`;

describe("GET /projects/{project_id}", () => {
  const harness = useHarness();

  async function arrange(fields: object = {}) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one", ...fields });
    return { tenant, id: body.project_id as string };
  }

  it("200: pending, succeeded and disputed charges of this month count as spent", async () => {
    const { tenant, id } = await arrange({ monthly_cap: "20.00" });
    const charge = (amountCents: bigint, rest: object = {}) =>
      seedCharge(harness.app, { tenantId: tenant.tenantId, projectId: id, amountCents, ...rest });
    await charge(1000n);
    await charge(200n, { status: "pending" });
    await charge(40n, { status: "disputed" });
    await charge(500n, { status: "reserved" });
    for (const status of ["failed", "released", "refunded"]) await charge(9999n, { status });
    await charge(9999n, { occurredAt: new Date("2026-10-31T23:59:59.999Z") });
    await charge(9999n, { occurredAt: new Date("2026-12-01T00:00:00.000Z") });

    expect((await tenant.get(`/projects/${id}`)).body.usage).toEqual({
      period_start: "2026-11-01T00:00:00.000Z",
      period_end: "2026-12-01T00:00:00.000Z",
      spent: "12.40",
      reserved: "5.00",
      remaining: "2.60",
    });
  });

  it("200: returns the customer, and the card without data that could charge it", async () => {
    const { tenant, id } = await arrange();
    const other = (await tenant.post("/projects", { name: "two" })).body.project_id;
    await seedBilling(harness.app, { tenantId: tenant.tenantId, projectId: id });

    const withCustomer = await tenant.get(`/projects/${id}`);
    const withoutCustomer = await tenant.get(`/projects/${other}`);

    expect(withoutCustomer.body.billing).toEqual({
      customer_id: null,
      status: "none",
      default_payment_method: null,
    });
    expect(withCustomer.body.billing).toEqual({
      customer_id: "cus_seeded",
      status: "ready",
      default_payment_method: { id: "pm_seeded", type: "card", brand: "visa" },
    });
  });

  it("200: returns one link for each provider: the linked one, or else the newest", async () => {
    const { tenant, id } = await arrange();
    const link = (provider: string, status: LinkStatus, rest: object = {}) =>
      seedLink(harness.app, {
        tenantId: tenant.tenantId,
        projectId: id,
        provider,
        status,
        ...rest,
      });
    const later = new Date(harness.clock.now().getTime() + 5_000);
    const soon = new Date(harness.clock.now().getTime() + 1);
    await link("neon", "linked");
    await link("neon", "pending_auth", { createdAt: later });
    await link("supabase", "failed");
    await link("supabase", "pending_auth", { createdAt: later, expiresAt: harness.clock.now() });
    await link("acme", "revoked", { createdAt: later });
    await link("acme", "failed");
    await link("zeta", "pending_auth", { expiresAt: soon });
    const expected = [
      { provider: "neon", status: "linked" },
      { provider: "supabase", status: "expired" },
      { provider: "zeta", status: "pending_auth" },
    ];

    expect((await tenant.get(`/projects/${id}`)).body.links).toEqual(expected);
    expect((await tenant.get("/projects")).body.data[0].links).toEqual(expected);
    expect((await tenant.patch(`/projects/${id}`, { description: "d" })).body.links).toEqual(expected);
  });

  it("200: returns its own services, newest first, without removed and failed ones", async () => {
    const { tenant, id } = await arrange();
    const other = (await tenant.post("/projects", { name: "two" })).body.project_id;
    const seed = (projectId: string, rest: object = {}) =>
      seedService(harness.app, { tenantId: tenant.tenantId, projectId, ...rest });
    const at = (seconds: number) => ({
      createdAt: new Date(harness.clock.now().getTime() + seconds * 1000),
    });
    const first = await seed(id, { ...at(1), service: "supabase/project" });
    const second = await seed(id, { ...at(2), status: "provisioning" });
    await seed(id, { ...at(3), status: "removed" });
    await seed(id, { ...at(4), status: "failed" });
    const foreign = await seed(other, at(5));
    const expected = [
      { service_id: second, service: "neon/postgres", status: "provisioning" },
      { service_id: first, service: "supabase/project", status: "active" },
    ];

    expect((await tenant.get(`/projects/${id}`)).body.services).toEqual(expected);
    const { data } = (await tenant.get("/projects")).body;
    expect(Object.fromEntries(data.map(serviceIdsById))).toEqual({
      [id]: [second, first],
      [other]: [foreign],
    });
  });

  const serviceIdsById = (project: AnyBody) => [
    project.project_id,
    project.services.map((service: AnyBody) => service.service_id),
  ];

  it("200: remaining is zero if the spending exceeds the cap", async () => {
    const { tenant, id } = await arrange({ monthly_cap: "1.00" });
    await seedCharge(harness.app, { tenantId: tenant.tenantId, projectId: id, amountCents: 300n });

    expect((await tenant.get(`/projects/${id}`)).body.usage.remaining).toBe("0.00");
  });

  it("200: returns an amount exactly that a float cannot represent", async () => {
    const { tenant, id } = await arrange({ monthly_cap: "999999999999999999.99" });

    expect((await tenant.get(`/projects/${id}`)).body).toMatchObject({
      monthly_cap: "999999999999999999.99",
      usage: { remaining: "999999999999999999.99" },
    });
  });

  it("200: key is bound to an agent of the project", async () => {
    const agent = randomUUID();
    const { tenant, id } = await arrange({ agent_ids: [agent] });
    const key = await harness.seedKey(tenant.tenantId, { agentIds: [agent] });

    expect((await key.get(`/projects/${id}`)).status).toBe(200);
    expect((await key.get(`/projects/${id}/status`)).status).toBe(200);
    expect((await key.get(`/projects/${id}/variables`)).status).toBe(200);
    expect((await key.get(`/projects/${id}/services`)).status).toBe(200);
  });

  describe("404: the same response for unknown projects, other tenants, other modes and bound keys", () => {
    const requests: [string, (key: Key, id: string) => Promise<ApiResponse>][] = [
      ["GET", (key, id) => key.get(`/projects/${id}`)],
      ["PATCH", (key, id) => key.patch(`/projects/${id}`, { name: "taken over" })],
      ["DELETE", (key, id) => key.delete(`/projects/${id}`)],
      ["POST delete-preview", (key, id) => key.post(`/projects/${id}/delete-preview`)],
      ["GET status", (key, id) => key.get(`/projects/${id}/status`)],
      ["GET env", (key, id) => key.get(`/projects/${id}/env`)],
      ["GET variables", (key, id) => key.get(`/projects/${id}/variables`)],
      ["GET variable", (key, id) => key.get(`/projects/${id}/variables/NAME`)],
      ["PUT variable", (key, id) => key.put(`/projects/${id}/variables/NAME`, { value: "x" })],
      ["GET services", (key, id) => key.get(`/projects/${id}/services`)],
      ["GET service", (key, id) => key.get(`/projects/${id}/services/srv_${"0".repeat(26)}`)],
      ["GET operation", (key, id) => key.get(`/projects/${id}/operations/op_${"0".repeat(26)}`)],
      ["DELETE variable", (key, id) => key.delete(`/projects/${id}/variables/NAME`)],
    ];
    type Key = Awaited<ReturnType<typeof harness.seedKey>>;

    it.each(requests)("%s", async (what, send) => {
      const { tenant, id } = await arrange();
      await tenant.put(`/projects/${id}/variables/NAME`, { value: "v" });
      const otherTenant = await harness.seedTenant();
      const other = (await tenant.post("/projects", { name: "other" })).body.project_id;
      const agents = { agentIds: [randomUUID()] };
      const isRead = what.startsWith("GET");
      const rowsBefore = await projectsAndVariables();

      const absent = await send(tenant, ABSENT);
      const others = [
        await send(tenant, "nonsense"),
        await send(tenant, "x".repeat(300)),
        await send(tenant, id.toUpperCase()),
        await send(otherTenant, id),
        await send(await harness.seedKey(tenant.tenantId, { mode: "test" }), id),
        await send(await harness.seedKey(tenant.tenantId, { projectIds: [other] }), id),
        ...(isRead ? [await send(await harness.seedKey(tenant.tenantId, agents), id)] : []),
      ];

      expect(absent).toMatchObject({ status: 404, body: { code: "project_not_found" } });
      for (const answer of others) expect(withoutRequestId(answer)).toEqual(withoutRequestId(absent));
      expect(await projectsAndVariables()).toEqual(rowsBefore);
    });

    const projectsAndVariables = () =>
      asSuperuser(harness.database.superuserUrl, async (client) => [
        (await client.query("select * from projects order by project_id")).rows,
        (await client.query("select * from project_variables order by project_id")).rows,
      ]);

    const withoutRequestId = ({ status, text, body, headers }: ApiResponse) => ({
      status,
      text: text.replace(body.request_id, ""),
      type: headers["content-type"],
    });
  });

  it("422: unknown query parameter", async () => {
    const { tenant, id } = await arrange();

    const answer = await tenant.get(`/projects/${id}?expand=usage`);

    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: "/query/expand" }] } });
  });
});
