import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { servicesOf, type Tenant } from "../../test/services.ts";
import { checkInventory } from "./check-inventory.ts";

const HOUR_SECONDS = 3_600;

describe("checkInventory", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  /** Adds a service with this token, in a new project of the tenant. */
  async function addService(tenant: Tenant, token: string): Promise<string> {
    const projectId = await services.newProject(tenant);
    await services.linkNeon(tenant, projectId, token);
    const { body } = await services.add(tenant, projectId);
    await services.allEnded(projectId);
    return body.service.service_id;
  }

  /** Leaves the service's resource at Neon, as after an operator has removed only the row. */
  async function forgetService(serviceId: string): Promise<void> {
    const sql = "update services set status = 'removed' where service_id = $1";
    await services.rows(sql, [serviceId]);
  }

  /** Runs the check, and returns the log lines about this service. */
  async function check(serviceId: string): Promise<string[]> {
    const before = harness.logLines.length;
    await checkInventory(harness.app);
    return harness.logLines.slice(before).filter((line) => line.includes(`svc-${serviceId}`));
  }

  it("a resource that has no service is reported once an hour, and stays", async () => {
    const serviceId = await addService(await harness.seedTenant(), `sandbox-${randomUUID()}`);
    await forgetService(serviceId);

    const reports = await check(serviceId);

    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain("resource has no service: operator action required");
    expect(await check(serviceId)).toEqual([]);
    harness.clock.advanceSeconds(HOUR_SECONDS + 1);
    expect(await check(serviceId)).toHaveLength(1);
    expect(await services.resourcesOf("neon", [serviceId])).toHaveLength(1);
  });

  it("an account that is linked in several projects is listed once, by any number of processes", async () => {
    const tenant = await harness.seedTenant();
    const token = `sandbox-${randomUUID()}`;
    const serviceId = await addService(tenant, token);
    await addService(tenant, token);
    await forgetService(serviceId);

    const reports = await Promise.all([check(serviceId), check(serviceId), check(serviceId)]);

    expect(new Set(reports.flat())).toHaveLength(1);
  });

  it("services in place are not reported, even if another tenant has linked the same account", async () => {
    const token = `sandbox-${randomUUID()}`;
    const serviceId = await addService(await harness.seedTenant(), token);
    await addService(await harness.seedTenant(), token);

    expect(await check(serviceId)).toEqual([]);
  });

  it("a resource that was removed after the list was read is not reported", async () => {
    const tenant = await harness.seedTenant();
    const serviceId = await addService(tenant, `sandbox-${randomUUID()}`);
    const neon = harness.app.providers.get("neon");
    if (neon === undefined) throw new Error("Neon is configured");
    const list = async () => [{ resourceId: "gone-project-1", name: `svc-${serviceId}gone` }];
    const providers = new Map([["neon", { ...neon, list }]]);
    const before = harness.logLines.length;

    await checkInventory({ ...harness.app, providers });

    const added = harness.logLines.slice(before);
    expect(added.filter((line) => line.includes("gone-project-1"))).toEqual([]);
  });

  it("an account that the provider cannot list does not keep the others from being checked", async () => {
    const serviceIds = [];
    for (const _ of [1, 2]) {
      const serviceId = await addService(await harness.seedTenant(), `sandbox-${randomUUID()}`);
      await forgetService(serviceId);
      serviceIds.push(serviceId);
    }
    const operation = "listProjects";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "refused", times: 1 });
    const before = harness.logLines.length;

    await expect(checkInventory(harness.app)).rejects.toThrow();

    const lines = harness.logLines.slice(before).filter((line) => line.includes("has no service"));
    expect(serviceIds.filter((id) => lines.some((line) => line.includes(id)))).toHaveLength(1);
  });
});
