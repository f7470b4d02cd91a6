import { beforeAll, describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { servicesOf } from "../../../../../test/services.ts";

describe("running operations of an account", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { query } = accountsOf(harness);

  beforeAll(() => services.callEachVendorOnce());

  it("409: 100 operations run, but removals and compromised credentials do not wait", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, { monthly_cap: "1000.00" });
    await services.attachCard(tenant, projectId);
    await services.linkByToken(tenant, projectId, "acme-db");
    const add = (name: string) =>
      services.add(tenant, projectId, { service: "acme-db/postgres", plan: "standard", name });
    const { service_id: serviceId } = (await add("first")).body.service;
    const path = `/projects/${projectId}/services/${serviceId}`;
    await query(
      `insert into operations select (jsonb_populate_record(o, jsonb_build_object('operation_id', 'op_' || n,
          'subject_id', 'srv_' || n, 'service_id', 'srv_' || n, 'status', 'running', 'type', 'none'))).*
        from operations o, generate_series(1, 100) n where subject_id = $1`,
      [serviceId],
    );

    const refused = [
      await add("second"),
      await tenant.post(`${path}/upgrade`, { plan: "free" }),
      await tenant.post(`${path}/rotate`, {}),
    ];

    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([409, "conflict"]);
      expect(body.detail).toContain("100 live operations of this account are running.");
    }
    expect((await tenant.post(`${path}/rotate`, { reason: "compromised" })).status).toBe(200);
    expect((await tenant.delete(path)).status).toBe(200);
  });
});
