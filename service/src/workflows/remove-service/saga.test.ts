import { OUTCOMES as ALL_OUTCOMES } from "@purser/simulators/kit/outcome.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { auditOf } from "../../../test/project-seeds.ts";
import { servicesOf } from "../../../test/services.ts";

const OUTCOMES = ALL_OUTCOMES.filter((outcome) => outcome !== "refused");
const VENDOR_TIMEOUT_MS = 300;
/** The delay of a late response. It is longer than the adapters' timeout, but the vendor still executes the call. */
const TOO_LATE_MS = 600;

/** The outcomes that the normal suite tests for calls to Supabase. All outcomes are tested for Neon. */
const OUTCOMES_OF_OTHERS = isCampaign ? OUTCOMES : (["timeout_applied", "timeout_lost", "duplicate"] as const);

const VENDORS = [
  { provider: "neon", operation: "deleteProject", outcomes: OUTCOMES },
  { provider: "supabase", operation: "v1-delete-a-project", outcomes: OUTCOMES_OF_OTHERS },
] as const;

describe("removeServiceSaga", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 50, vendorAttempts: { brief: 2, long: 4 } },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: String(VENDOR_TIMEOUT_MS) },
  });
  const services = servicesOf(harness);
  const { add, heldFor, resourcesOf } = services;
  beforeAll(services.callEachVendorOnce);

  async function arrange(provider: "neon" | "supabase" = "neon") {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    if (provider === "neon") await services.linkNeon(tenant, projectId);
    else await services.linkSupabase(tenant, projectId);
    return { tenant, projectId };
  }

  async function arrangeService(provider: "neon" | "supabase" = "neon") {
    const { tenant, projectId } = await arrange(provider);
    const service = { neon: "neon/postgres", supabase: "supabase/project" }[provider];
    const { body } = await add(tenant, projectId, { service });
    await services.allEnded(projectId);
    const serviceId = body.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    return { tenant, projectId, serviceId, path };
  }

  /** Returns the project's newest operation after it has ended. */
  async function lastOperation(projectId: string) {
    await services.allEnded(projectId);
    return (await heldFor(projectId)).operations.at(-1);
  }

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  const alarms = () => harness.logLines.filter((line) => line.includes("operator action required"));

  describe.each(VENDORS)("when $provider's $operation", ({ provider, operation, outcomes }) => {
    it.each(outcomes)("is %s: the resource is deleted, and the service is removed once", async (outcome) => {
      const { tenant, projectId, serviceId, path } = await arrangeService(provider);
      harness.sandbox.force({ vendor: provider, operation, outcome, delayMs: TOO_LATE_MS });

      const response = await tenant.delete(path);

      expect([response.status, response.body.effect]).toEqual([200, "destroyed"]);
      const { status, steps } = await lastOperation(projectId);
      expect([status, new Set(Object.values(steps))]).toEqual(["succeeded", new Set(["succeeded"])]);
      expect(await resourcesOf(provider, [serviceId])).toEqual([]);
      const stored = await heldFor(projectId);
      expect(stored).toMatchObject({ services: [{ status: "removed" }], secrets: [] });
      const actions = (await auditOf(harness.app, serviceId)).map(({ action }) => action);
      expect(actions.filter((action) => action === "service.removed")).toHaveLength(1);
    });

    it("is refused, 502: the operation needs an operator, and a second call removes the service", async () => {
      const { tenant, projectId, serviceId, path } = await arrangeService(provider);
      harness.sandbox.force({ vendor: provider, operation, outcome: "refused" });

      const refused = await tenant.delete(path);

      expect([refused.status, refused.body.code]).toEqual([502, "provider_error"]);
      expect(await lastOperation(projectId)).toMatchObject({
        status: "needs_operator",
        steps: { provider_deprovisioning: "failed", credential_destruction: "pending" },
      });
      expect((await tenant.get(path)).body.status).toBe("removing");
      const again = await tenant.delete(path);
      expect([again.status, again.body.status]).toEqual([200, "removed"]);
      expect(await resourcesOf(provider, [serviceId])).toEqual([]);
    });
  });

  describe("when addServiceSaga is undone and neon's deleteProject", () => {
    it.each(OUTCOMES_OF_OTHERS)("is %s: nothing is left", async (outcome) => {
      const { tenant, projectId } = await arrange();
      const vendor = "neon";
      harness.sandbox.force({ vendor, operation: "getConnectionURI", outcome: "refused" });
      const operation = "deleteProject";
      harness.sandbox.force({ vendor, operation, outcome, delayMs: TOO_LATE_MS });

      const response = await add(tenant, projectId);

      expect(response.status).toBe(502);
      const stored = await heldFor(projectId);
      expect(stored).toMatchObject({
        services: [{ status: "failed" }],
        secrets: [],
        operations: [
          {
            status: "compensated",
            steps: { provider_provisioning: "compensated", credential_storage: "failed" },
          },
        ],
      });
      expect(await resourcesOf("neon", [stored.services[0].service_id])).toEqual([]);
    });

    it("never gets a response: the operation needs an operator, the charge remains reserved, and the service can be removed", async () => {
      const { tenant, projectId } = await arrange();
      await services.attachCard(tenant, projectId);
      const vendor = "neon";
      harness.sandbox.force({ vendor, operation: "getConnectionURI", outcome: "refused" });
      harness.sandbox.force({
        vendor,
        operation: "deleteProject",
        outcome: "timeout_lost",
        times: 4,
      });
      const before = alarms().length;

      const response = await add(tenant, projectId, { plan: "launch" });

      expect([response.status, response.body.operation?.error.code]).toEqual([202, "provider_error"]);
      const stored = await heldFor(projectId);
      const [{ service_id: serviceId }] = stored.services;
      expect(stored).toMatchObject({
        operations: [{ status: "needs_operator", steps: { credential_storage: "failed" } }],
        charges: [{ status: "reserved" }],
      });
      expect(await resourcesOf("neon", [serviceId])).toHaveLength(1);
      expect(alarms()).toHaveLength(before + 1);
      expect(alarms().at(-1)).toContain(stored.operations[0].operation_id);
      expect((await tenant.get(`/projects/${projectId}/env`)).body.env).toEqual({});

      const removal = await tenant.delete(`/projects/${projectId}/services/${serviceId}`);
      expect(removal.status).toBe(200);
      expect(await resourcesOf("neon", [serviceId])).toEqual([]);
      const [charge] = (await heldFor(projectId)).charges;
      expect(charge).toMatchObject({ status: "reserved", period_end: harness.clock.now() });
    });
  });

  it("503: the vendor never responds; the operation needs an operator, with one alarm", async () => {
    const { tenant, projectId, serviceId, path } = await arrangeService();
    const operation = "deleteProject";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "timeout_lost", times: 4 });
    const before = alarms().length;

    const response = await tenant.delete(path);

    expect([response.status, response.body.code]).toEqual([503, "provider_unavailable"]);
    const ended = await lastOperation(projectId);
    expect(ended.status).toBe("needs_operator");
    expect(alarms()).toHaveLength(before + 1);
    expect(alarms().at(-1)).toContain(ended.operation_id);
    expect(await resourcesOf("neon", [serviceId])).toHaveLength(1);
  });

  it("503: the provider does not respond; the addition is undone without an alarm", async () => {
    const { tenant, projectId } = await arrange();
    const operation = "listProjects";
    // The saga makes two attempts, and each starts with this read.
    harness.sandbox.force({ vendor: "neon", operation, outcome: "timeout_lost", times: 2 });
    const before = alarms().length;

    const response = await add(tenant, projectId);

    expect([response.status, response.body.code]).toEqual([503, "provider_unavailable"]);
    expect(await heldFor(projectId)).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed", steps: { provider_provisioning: "failed" } }],
      secrets: [],
    });
    expect(alarms()).toHaveLength(before);
    expect((await add(tenant, projectId)).status).toBe(202);
  });
});
