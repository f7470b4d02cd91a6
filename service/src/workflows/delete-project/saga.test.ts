import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { auditOf } from "../../../test/project-seeds.ts";
import { servicesOf } from "../../../test/services.ts";

const OUTCOMES = [
  "ok",
  "timeout_applied",
  "timeout_lost",
  "error_applied",
  "duplicate",
  "slow",
  "rate_limited",
] as const;
const VENDOR_TIMEOUT_MS = 300;
/** Later than the adapters wait, and yet it was applied. */
const TOO_LATE_MS = 600;

/** Services go as they go when they are removed one by one, where all outcomes are tried. */
const OUTCOMES_OF_NEON = isCampaign ? OUTCOMES : (["ok", "timeout_lost"] as const);
/** To Stripe's library a late answer is none. */
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

describe("the saga that deletes a project", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 50, vendorPatience: { brief: 2, long: 3 } },
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

  const alarms = () => harness.logLines.filter((line) => line.includes("needs an operator"));

  async function expectGone(projectId: string, serviceId: string): Promise<void> {
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
    expect(await services.customersOf(projectId)).toEqual([]);
    expect(await services.heldFor(projectId)).toMatchObject({
      services: [{ status: "removed" }],
      charges: [{ status: "released" }],
      secrets: [],
    });
    const told = (await auditOf(harness.app, projectId)).map(({ action }) => action);
    expect(told.filter((action) => action === "project.deleted")).toHaveLength(1);
  }

  describe.each(CALLS)("when $vendor's $operation", ({ vendor, operation, failed, outcomes }) => {
    it.each(outcomes)("is %s, ends with nothing left, once", async (outcome) => {
      const { projectId, serviceId, tenant, path } = await arrange();
      harness.sandbox.force({ vendor, operation, outcome, delayMs: TOO_LATE_MS });

      const { status, body } = await tenant.delete(path);

      expect([status, body.status]).toEqual([200, "deleted"]);
      expect(body.services).toMatchObject([{ service_id: serviceId, effect: "destroyed" }]);
      await expectGone(projectId, serviceId);
      expect((await tenant.get(path)).status).toBe(404);
    });

    it.each([
      ["refused", 1],
      ["timeout_lost", 3],
    ] as const)(
      "is %s for good, calls a person, and goes on when it is asked for again",
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
        await expectGone(projectId, serviceId);
      },
    );
  });

  it("says which service it could not remove", async () => {
    const { tenant, serviceId, path } = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });

    const { body } = await tenant.delete(path);

    expect(body.services).toEqual([
      { service_id: serviceId, effect: "failed", detail: expect.stringContaining("neon refused") },
    ]);
  });
});
