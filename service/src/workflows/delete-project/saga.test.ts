import { OUTCOMES as ALL_OUTCOMES } from "@purser/simulators/kit/outcome.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { auditOf } from "../../../test/project-seeds.ts";
import { servicesOf, until } from "../../../test/services.ts";

const OUTCOMES = ALL_OUTCOMES.filter((outcome) => outcome !== "refused");
const VENDOR_TIMEOUT_MS = 300;
/** The delay of a late response. It is longer than the adapters' timeout, but the vendor still executes the call. */
const TOO_LATE_MS = 600;

/** The normal suite tests only two outcomes, because the tests of `removeServiceSaga` cover all of them. */
const OUTCOMES_OF_NEON = isCampaign ? OUTCOMES : (["ok", "timeout_lost"] as const);
/** Stripe's client library handles a late response like no response, so the normal suite omits `slow`. */
const OUTCOMES_OF_STRIPE = OUTCOMES.filter((outcome) => isCampaign || outcome !== "slow");

const CALLS = [
  {
    vendor: "neon",
    operation: "deleteProject",
    failed: "services",
    outcomes: OUTCOMES_OF_NEON,
  },
  {
    vendor: "stripe",
    operation: "DeleteCustomersCustomer",
    failed: "payment_customer",
    outcomes: OUTCOMES_OF_STRIPE,
  },
] as const;

describe("deleteProjectSaga", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 50, vendorAttempts: { brief: 2, long: 3 } },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: String(VENDOR_TIMEOUT_MS) },
  });
  const services = servicesOf(harness);
  beforeAll(services.callEachVendorOnce);

  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    await services.attachCard(tenant, projectId);
    const { status, text, body } = await services.add(tenant, projectId, { plan: "launch" });
    expect(status, text).toBe(202);
    const serviceId = body.service.service_id as string;
    return { tenant, projectId, serviceId, path: `/projects/${projectId}` };
  }

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  const alarms = () => harness.logLines.filter((line) => line.includes("operator action required"));

  async function expectDeleted(projectId: string, serviceId: string): Promise<void> {
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
    expect(await services.customersOf(projectId)).toEqual([]);
    expect(await services.heldFor(projectId)).toMatchObject({
      services: [{ status: "removed" }],
      charges: [{ status: "reserved", period_end: harness.clock.now() }],
      secrets: [],
    });
    const actions = (await auditOf(harness.app, projectId)).map(({ action }) => action);
    expect(actions.filter((action) => action === "project.deleted")).toHaveLength(1);
  }

  describe.each(CALLS)("when $vendor's $operation", ({ vendor, operation, failed, outcomes }) => {
    it.each(outcomes)("is %s: nothing is left, and the project is deleted once", async (outcome) => {
      const { projectId, serviceId, tenant, path } = await arrange();
      harness.sandbox.force({ vendor, operation, outcome, delayMs: TOO_LATE_MS });

      const { status, body } = await tenant.delete(path);

      expect([status, body.status]).toEqual([200, "deleted"]);
      expect(body.services).toMatchObject([{ service_id: serviceId, effect: "destroyed" }]);
      await expectDeleted(projectId, serviceId);
      expect((await tenant.get(path)).status).toBe(404);
    });

    it.each([
      ["refused", 1],
      ["timeout_lost", 3],
    ] as const)(
      "is always %s: the operation needs an operator, and a second call completes the deletion",
      async (outcome, times) => {
        const { tenant, projectId, serviceId, path } = await arrange();
        harness.sandbox.force({ vendor, operation, outcome, times });
        const before = alarms().length;

        const first = await tenant.delete(path);

        await services.allEnded(projectId);
        expect([first.status, first.body.status]).toEqual([200, "deleting"]);
        expect((await tenant.get(path)).body.status).toBe("delete_failed");
        const ended = (await services.heldFor(projectId)).operations.at(-1);
        expect(ended.status).toBe("needs_operator");
        expect(ended.steps[failed]).toBe("failed");
        expect(alarms()).toHaveLength(before + 1);
        expect((await services.add(tenant, projectId)).status).toBe(409);
        const again = await tenant.delete(path);
        expect([again.status, again.body.status]).toEqual([200, "deleted"]);
        await expectDeleted(projectId, serviceId);
      },
    );
  });

  it("waits for a rotation that starts after the services were listed, and for what it changes", async () => {
    const { tenant, projectId, serviceId, path } = await arrange();
    const { body } = await services.add(tenant, projectId);
    await services.allEnded(projectId);
    const { service_id: other } = body.service;
    const slow = { vendor: "neon", outcome: "slow", delayMs: TOO_LATE_MS } as const;
    harness.sandbox.force({ ...slow, operation: "createProjectBranchRole" });
    const neon = harness.app.providers.get("neon");
    const deprovision = neon?.deprovision;
    const [isRemoving, isRotating] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deprovisionLater: typeof deprovision = async (...args) => {
      isRemoving.resolve();
      await isRotating.promise;
      await deprovision?.(...args);
    };
    Object.assign(neon ?? {}, { deprovision: deprovisionLater });

    const deleting = tenant.delete(path);
    await isRemoving.promise;
    const rotating = tenant.post(`${path}/services/${other}/rotate`, { grace_period_seconds: 0 });
    // The second service is removed after the first, whose removal ends only now.
    const status = async () => (await tenant.get(`${path}/services/${other}`)).body.status;
    await until(status, (now) => now === "rotating").finally(() => {
      Object.assign(neon ?? {}, { deprovision });
      isRotating.resolve();
    });

    expect((await deleting).status).toBe(200);
    expect((await rotating).status).toBe(200);
    await services.allEnded(projectId);
    const { operations } = await services.heldFor(projectId);
    expect(operations.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill("succeeded"));
    expect(harness.logLines.filter((line) => line.includes("internal error"))).toEqual([]);
    expect(await services.resourcesOf("neon", [serviceId, other])).toEqual([]);
  });

  it("reports the service that could not be removed", async () => {
    const { tenant, serviceId, path } = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });

    const { body } = await tenant.delete(path);

    expect(body.services).toEqual([
      { service_id: serviceId, effect: "failed", detail: expect.stringContaining("neon rejected") },
    ]);
  });
});
