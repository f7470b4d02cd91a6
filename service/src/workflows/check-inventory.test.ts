import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { eventsOf } from "../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../test/services.ts";
import { RETRY_WITHIN_REQUEST, retry } from "../foundation/retry.ts";
import { isFailure, VendorError } from "../ports/vendor-error.ts";
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

    // A process that is not configured with the provider leaves the account to others.
    await checkInventory({ ...harness.app, providers: new Map() });
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

  describe("a service whose resource was deleted by hand at the provider", () => {
    async function arrange() {
      const tenant = await harness.seedTenant();
      const token = `sandbox-${randomUUID()}`;
      const serviceId = await addService(tenant, token);
      const sql = "select project_id, provider_resource_id from services where service_id = $1";
      const [row] = await services.rows(sql, [serviceId]);
      const projectId: string = row?.["project_id"];
      const resourceId: string = row?.["provider_resource_id"];
      const neon = harness.app.providers.get("neon");
      if (neon === undefined) throw new Error("Neon is configured");
      const path = `/projects/${projectId}/services/${serviceId}`;
      return {
        ...{ tenant, serviceId, projectId, resourceId, neon, path },
        // PostgreSQL drops the project's database only after a checkpoint, which can take longer than a call may.
        deleteByHand: () =>
          retry(() => neon.deprovision({ accessToken: token, accountId: null }, resourceId), RETRY_WITHIN_REQUEST, {
            isWorthRetrying: (error) => isFailure(error, "unknown"),
          }),
        warnings: async () => (await tenant.get(`/projects/${projectId}/env`)).body.warnings,
        service: async () => (await tenant.get(path)).body,
        events: async () => (await eventsOf(harness.app, serviceId)).filter(({ type }) => type.includes("resource")),
      };
    }

    it("has a notification, a warning in the bundle, and one event", async () => {
      const { serviceId, projectId, deleteByHand, warnings, service, events } = await arrange();
      await check(serviceId);
      expect([(await service()).notification, await warnings()]).toEqual([null, []]);
      await deleteByHand();
      harness.clock.advanceSeconds(HOUR_SECONDS + 1);
      const at = harness.clock.now().toISOString();

      await check(serviceId);
      harness.clock.advanceSeconds(HOUR_SECONDS + 1);
      await check(serviceId);

      const notification = {
        level: "error",
        title: expect.stringContaining(`The resource was not found at neon at ${at}.`),
        href: `/api/v1/svc/projects/${projectId}/services/${serviceId}`,
      };
      expect(await service()).toMatchObject({ status: "active", notification });
      expect(await warnings()).toEqual([
        `The resource of the service postgres was not found at neon at ${at}. Its variables may not work.`,
      ]);
      expect(await events()).toMatchObject([
        { type: "service.resource_missing", data: { service_id: serviceId, notification } },
      ]);
    });

    it("has none of these again when the resource is back, listed or not", async () => {
      const { serviceId, resourceId, neon, deleteByHand, warnings, service, events } = await arrange();
      await deleteByHand();
      const isThere = async () => ({ status: "ready" as const, resourceId });
      const found = [
        { ...neon, list: async () => [], inspect: isThere },
        { ...neon, list: async () => [{ resourceId, name: `svc-${serviceId}` }] },
      ];
      for (const provider of found) {
        harness.clock.advanceSeconds(HOUR_SECONDS + 1);
        await check(serviceId);
        expect((await service()).notification).toMatchObject({ level: "error" });
        harness.clock.advanceSeconds(HOUR_SECONDS + 1);

        const providers = new Map([["neon", provider]]);
        await checkInventory({ ...harness.app, providers });

        expect([(await service()).notification, await warnings()]).toEqual([null, []]);
      }
      expect((await events()).map(({ type }) => type)).toEqual([
        ...["service.resource_missing", "service.resource_found"],
        ...["service.resource_missing", "service.resource_found"],
      ]);
    });

    it("is noted by a rotation, which fails", async () => {
      const { tenant, path, deleteByHand, service, events } = await arrange();
      await deleteByHand();

      const { status, body } = await tenant.post(`${path}/rotate`, {});

      expect([status, body.code]).toEqual([502, "provider_error"]);
      expect((await service()).notification).toMatchObject({ level: "error" });
      expect((await events()).map(({ type }) => type)).toEqual(["service.resource_missing"]);
    });

    it("stays as it is while the provider does not respond", async () => {
      const { serviceId, neon, service } = await arrange();
      const inspect = async () => {
        throw new VendorError("unavailable", { vendor: "neon", operation: "getProject" });
      };
      const providers = new Map([["neon", { ...neon, list: async () => [], inspect }]]);

      await expect(checkInventory({ ...harness.app, providers })).rejects.toThrow();

      expect(await service()).toMatchObject({ service_id: serviceId, notification: null });
    });
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
