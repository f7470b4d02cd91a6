import { OUTCOMES, type Outcome } from "@purser/simulators/kit/outcome.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { auditOf } from "../../../test/project-seeds.ts";
import { servicesOf } from "../../../test/services.ts";

/** A 4xx response ends the saga, even if the vendor has executed the call. */
const ENDS_SAGA: ReadonlySet<Outcome> = new Set(["refused", "duplicate"]);
/** The outcomes that the normal suite tests for calls to Supabase and for reads. All are tested for Neon and Acme DB. */
const FEW: readonly Outcome[] = isCampaign ? OUTCOMES : ["refused", "timeout_applied"];

const VENDOR_TIMEOUT_MS = 300;
/** The delay of a late response. It is longer than the adapters' timeout, but the vendor still executes the call. */
const TOO_LATE_MS = 600;

const VENDORS = {
  "acme-db": { service: "acme-db/postgres", from: "standard", to: "prorated" },
  neon: { service: "neon/postgres", from: "free", to: "launch" },
  supabase: { service: "supabase/project", from: "pro", to: "pro-medium" },
} as const;
type Vendor = keyof typeof VENDORS;

const CALLS: readonly { vendor: Vendor; operation: string; outcomes: readonly Outcome[] }[] = [
  { vendor: "acme-db", operation: "updateDatabase", outcomes: OUTCOMES },
  { vendor: "neon", operation: "updateProject", outcomes: OUTCOMES },
  { vendor: "neon", operation: "getProject", outcomes: FEW },
  { vendor: "supabase", operation: "v1-apply-project-addon", outcomes: FEW },
  { vendor: "supabase", operation: "v1-list-project-addons", outcomes: FEW },
  { vendor: "supabase", operation: "v1-get-project", outcomes: FEW },
];

describe("upgradeServiceSaga", () => {
  const harness = useHarness({
    vendors: true,
    settings: {
      vendorRetryMs: 50,
      vendorSettleMs: 700,
      vendorAttempts: { brief: 3, long: 6 },
    },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: String(VENDOR_TIMEOUT_MS) },
  });
  const services = servicesOf(harness);

  async function arrange(vendor: Vendor, plan: string = VENDORS[vendor].from) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    if (vendor === "supabase") await services.linkSupabase(tenant, projectId);
    else await services.linkByToken(tenant, projectId, vendor);
    await services.attachCard(tenant, projectId);
    const { service, to } = VENDORS[vendor];
    const { body } = await services.add(tenant, projectId, { service, plan });
    await services.allEnded(projectId);
    const serviceId = body.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    const upgrade = async (to: string) => {
      const response = await tenant.post(`${path}/upgrade`, { plan: to });
      await services.allEnded(projectId);
      return response;
    };
    return { tenant, projectId, serviceId, path, from: plan, to, upgrade };
  }

  type Place = Awaited<ReturnType<typeof arrange>>;

  // A simulator compiles an operation's schemas on its first call, which can exceed the short timeout.
  beforeAll(async () => {
    await services.callEachVendorOnce();
    for (const vendor of ["acme-db", "neon", "supabase"] as const) {
      const { upgrade, to, from } = await arrange(vendor);
      await upgrade(to);
      await upgrade(from);
    }
  });

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  const alarms = () => harness.logLines.filter((line) => line.includes("operator action required"));

  /** Returns what the vendor knows about the plan. */
  async function planAtVendor(vendor: Vendor, serviceId: string): Promise<string> {
    const found = (await harness.sandbox.objects(vendor)).find(({ data }) => JSON.stringify(data).includes(serviceId));
    const data = Object(found?.data);
    switch (vendor) {
      case "acme-db":
        return data.plan;
      case "neon": {
        const days = Number(data.settings.history_retention_seconds ?? 21_600) / 86_400;
        return days === 7 ? "launch" : "free";
      }
      case "supabase":
        return data.instanceSize === "medium" ? "pro-medium" : "pro";
    }
  }

  /** Expects that plan, price, charges and budgets agree with the plan at the vendor. */
  async function expectPlan(vendor: Vendor, place: Place, plan: string) {
    const { tenant, projectId, serviceId, path, from } = place;
    expect((await tenant.get(path)).body).toMatchObject({ plan, status: "active" });
    expect(await planAtVendor(vendor, serviceId)).toBe(plan);
    const { charges } = await services.heldFor(projectId);
    const ofNewPlan = charges.filter((charge) => charge.plan !== from);
    const reserved = ofNewPlan.filter(({ status }) => status === "reserved");
    expect(reserved).toHaveLength(plan === from ? 0 : 1);
    expect(ofNewPlan.filter(({ status }) => status === "succeeded")).toEqual([]);
    const { tenantId } = tenant;
    expect(await services.wrongBudgets({ tenantId })).toEqual([]);
    const ends = (await auditOf(harness.app, serviceId)).filter(({ action }) =>
      ["service.plan_changed", "service.plan_change_failed"].includes(action),
    );
    expect(ends).toHaveLength(1);
  }

  describe.each(CALLS)("when $vendor's $operation", ({ vendor, operation, outcomes }) => {
    it.each(outcomes)("is %s: plan, price and charges agree", async (outcome) => {
      const place = await arrange(vendor);
      harness.sandbox.force({ vendor, operation, outcome, delayMs: TOO_LATE_MS });

      const { status, body } = await place.upgrade(place.to);

      const isRefused = ENDS_SAGA.has(outcome);
      expect([status, body.code], JSON.stringify(body)).toEqual(isRefused ? [502, "provider_error"] : [200, undefined]);
      // After `duplicate`, the vendor has executed the call that it rejects.
      const { operations } = await services.heldFor(place.projectId);
      expect(operations.at(-1).status).toBe(isRefused ? "compensated" : "succeeded");
      await expectPlan(vendor, place, isRefused ? place.from : place.to);
      expect(alarms()).toEqual([]);
    });
  });

  it("503: the vendor never responds, and the former plan is in place", async () => {
    const place = await arrange("acme-db");
    const operation = "updateDatabase";
    harness.sandbox.force({ vendor: "acme-db", operation, outcome: "timeout_lost", times: 6 });

    const { status, body } = await place.upgrade(place.to);

    expect([status, body.code]).toEqual([503, "provider_unavailable"]);
    await expectPlan("acme-db", place, place.from);
  });

  it("cannot be undone: the operation needs an operator, and the reservation stays until it has run again", async () => {
    const place = await arrange("acme-db");
    const { tenant, projectId, path, serviceId } = place;
    const operation = "updateDatabase";
    harness.sandbox.force({ vendor: "acme-db", operation, outcome: "timeout_lost", times: 6 });
    const read = { vendor: "acme-db", operation: "getDatabase" } as const;
    harness.sandbox.force({ ...read, outcome: "ok", times: 6 });
    harness.sandbox.force({ ...read, outcome: "timeout_lost", times: 6 });
    const before = alarms().length;

    const { status, body } = await place.upgrade(place.to);

    expect([status, body.status, body.operation?.status]).toEqual([200, "pending", "needs_operator"]);
    expect(alarms()).toHaveLength(before + 1);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "updating" });
    const charges = async () =>
      (await services.heldFor(projectId)).charges.map(({ type, status: is }) => `${type} ${is}`);
    expect((await charges()).sort()).toEqual(["adjustment reserved", "subscription reserved"]);

    const again = await place.upgrade(place.to);
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);

    await services.runAllAgain(projectId);

    expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "active" });
    expect((await charges()).sort()).toEqual(["adjustment released", "subscription reserved"]);
    expect(await planAtVendor("acme-db", serviceId)).toBe("standard");
  });

  describe("when an operator has to decide about a change from free to standard, which is in effect", () => {
    const update = { vendor: "acme-db", operation: "updateDatabase" } as const;
    const read = { vendor: "acme-db", operation: "getDatabase" } as const;

    async function arrangeUnknown() {
      const place = await arrange("acme-db", "free");
      // The provider answers that it has refused, and does not say which plan the database has.
      harness.sandbox.force({ ...update, outcome: "duplicate", times: 1 });
      harness.sandbox.force({ ...read, outcome: "ok", times: 1 });
      harness.sandbox.force({ ...read, outcome: "refused", times: 1 });
      const { body } = await place.upgrade("standard");
      expect(body.operation).toMatchObject({ status: "needs_operator" });
      await expectUnknown(place);
      return place;
    }

    const chargesOf = async ({ projectId }: Place) =>
      (await services.heldFor(projectId)).charges.map(
        ({ plan, status, amount_cents }) => `${plan} ${status} ${amount_cents}`,
      );

    /** Expects that the provider has the plan `standard`, that it is paid for, and that this is shown. */
    async function expectUnknown(place: Place) {
      const { tenant, path, serviceId } = place;
      expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "updating" });
      expect(await planAtVendor("acme-db", serviceId)).toBe("standard");
      expect(await chargesOf(place)).toContain("standard reserved 1000");
    }

    async function expectFree(place: Place) {
      const { tenant, path, serviceId } = place;
      expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "active" });
      expect(await planAtVendor("acme-db", serviceId)).toBe("free");
      expect((await chargesOf(place)).filter((charge) => charge.includes("reserved"))).toEqual([]);
    }

    it("409: no other change and no rotation is possible; the service can be removed", async () => {
      const place = await arrangeUnknown();

      const upgraded = await place.upgrade("free");
      const rotated = await place.tenant.post(`${place.path}/rotate`, { reason: "compromised" });

      for (const { status, body } of [upgraded, rotated]) {
        expect([status, body.code, body.next_action.type]).toEqual([409, "conflict", "wait_for_operation"]);
      }
      await expectUnknown(place);
      expect((await place.tenant.delete(place.path)).status).toBe(200);
    });

    it("the operator lets it run again: the former plan is put back, and nothing is charged", async () => {
      const place = await arrangeUnknown();

      await services.runAllAgain(place.projectId);

      await expectFree(place);
    });

    it("the operator lets it run again: the outcome is unknown again", async () => {
      const place = await arrangeUnknown();
      harness.sandbox.force({ ...read, outcome: "refused", times: 1 });

      await services.runAllAgain(place.projectId);

      await expectUnknown(place);
    });
  });
});
