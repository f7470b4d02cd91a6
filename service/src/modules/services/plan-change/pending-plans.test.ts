import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { eventsOf } from "../../../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../../../test/services.ts";
import { runDueWork } from "../../../due-work/run-due-work.ts";
import { retireDueCredentials } from "../../../workflows/rotate-service/retire-credentials.ts";
import { changePendingPlans } from "../../../workflows/upgrade-service/upgrade-service.ts";
import { openNewMonths } from "../../charges/open-months.ts";
import { settleDueCharges } from "../../charges/settle-due-charges.ts";

const TURN = "2026-12-01T00:00:00.000Z";

describe("plans that change at the start of a month", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 20, vendorSettleMs: 1, vendorAttempts: { brief: 2, long: 2 } },
  });
  const services = servicesOf(harness);
  beforeAll(services.callEachVendorOnce);

  function moveTo(time: string) {
    const seconds = (Date.parse(time) - harness.clock.now().getTime()) / 1_000;
    harness.clock.advanceSeconds(seconds);
  }

  async function arrange({ plan = "standard", project = {}, config = {} } = {}) {
    moveTo("2026-11-21T10:00:00.000Z");
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, project);
    await services.linkByToken(tenant, projectId, "acme-db");
    await services.attachCard(tenant, projectId);
    const { body } = await services.add(tenant, projectId, {
      ...{ service: "acme-db/postgres", plan, config },
    });
    await services.allEnded(projectId);
    const serviceId = body.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    const upgrade = (request: object) => tenant.post(`${path}/upgrade`, request);
    return { tenant, projectId, serviceId, path, upgrade };
  }

  /** Runs the jobs of two workers, and waits for the operations that they start. */
  async function turn(projectId: string) {
    moveTo(TURN);
    await Promise.all([openNewMonths(harness.app), openNewMonths(harness.app)]);
    await Promise.all([changePendingPlans(harness.app), changePendingPlans(harness.app)]);
    await services.allEnded(projectId);
    await settleDueCharges(harness.app);
  }

  /** Returns `month plan status cents` of each charge. */
  async function chargesOf(projectId: string) {
    const { charges } = await services.heldFor(projectId);
    return charges
      .map(
        ({ plan, status, amount_cents, period_start }) =>
          `${period_start.toISOString().slice(0, 7)} ${plan} ${status} ${amount_cents}`,
      )
      .sort();
  }

  const expectExact = async (tenant: Tenant) => expect(await services.wrongBudgets(tenant)).toEqual([]);

  const planAtVendor = async (serviceId: string) =>
    (await harness.sandbox.objects("acme-db")).find(({ data }) => JSON.stringify(data).includes(serviceId))?.data[
      "plan"
    ];

  it("a cheaper plan waits for the turn if the price is not prorated, and is then reserved and in place", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange();

    const { status, body } = await upgrade({ plan: "free" });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ status: "pending", changed: true, previous_plan: "standard" },
      service: {
        ...{ plan: "standard", status: "active" },
        pending_plan: { plan: "free", effective_at: TURN },
      },
      price_change: { old: "10.00", new: "0.00", proration: "0.00" },
      operation: { status: "succeeded" },
    });
    expect(await planAtVendor(serviceId)).toBe("standard");
    await turn(projectId);
    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "free", status: "active", pending_plan: null },
      pricing: { type: "free" },
    });
    expect(await planAtVendor(serviceId)).toBe("free");
    expect(await chargesOf(projectId)).toEqual(["2026-11 standard succeeded 1000"]);
    const types = (await eventsOf(harness.app, serviceId)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(["service.plan_change_scheduled", "service.plan_changed"]);
    await expectExact(tenant);
  });

  it("a higher plan at the turn costs the new month's price", async () => {
    const { tenant, projectId, path, upgrade } = await arrange();

    const { body } = await upgrade({ plan: "prorated", effective: "period_end" });

    expect(body.service.pending_plan).toEqual({ plan: "prorated", effective_at: TURN });
    await turn(projectId);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "prorated", status: "active" });
    expect(await chargesOf(projectId)).toEqual(["2026-11 standard succeeded 1000", "2026-12 prorated reserved 3100"]);
    await expectExact(tenant);
  });

  it("a free service without charges before has its first one at the turn", async () => {
    const { tenant, projectId, path, upgrade } = await arrange({ plan: "free" });
    await upgrade({ plan: "standard", effective: "period_end" });

    await turn(projectId);

    expect((await tenant.get(path)).body.plan).toBe("standard");
    expect(await chargesOf(projectId)).toEqual(["2026-12 standard reserved 1000"]);
    await expectExact(tenant);
  });

  it("403 cap_exceeded: another service's pending plan counts in the next month", async () => {
    const { tenant, projectId, upgrade } = await arrange({ project: { monthly_cap: "40.00" } });
    const { body } = await services.add(tenant, projectId, {
      ...{ service: "acme-db/postgres", plan: "free", name: "other" },
    });
    await upgrade({ plan: "prorated", effective: "period_end" });

    const other = `/projects/${projectId}/services/${body.service.service_id}/upgrade`;
    const refused = await tenant.post(other, { plan: "standard", effective: "period_end" });

    expect([refused.status, refused.body.code]).toEqual([403, "cap_exceeded"]);
    expect(refused.body.decision).toMatchObject({ limit: "40.00", used: "31.00" });
  });

  it("a change to the current plan cancels it, and the month is reserved as before", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange();
    await upgrade({ plan: "free" });

    const { status, body } = await upgrade({ plan: "standard" });

    expect(status).toBe(200);
    expect(body).toMatchObject({ changed: false, status: "completed", operation: null });
    expect(body.service.pending_plan).toBeNull();
    const types = (await eventsOf(harness.app, serviceId)).map(({ type }) => type);
    expect(types.at(-1)).toBe("service.plan_change_canceled");
    await turn(projectId);
    expect((await tenant.get(path)).body.plan).toBe("standard");
    expect(await chargesOf(projectId)).toEqual(["2026-11 standard succeeded 1000", "2026-12 standard reserved 1000"]);
    await expectExact(tenant);
  });

  it("409: from the turn on, it can neither be cancelled nor replaced", async () => {
    const { tenant, projectId, path, upgrade } = await arrange();
    await upgrade({ plan: "free" });
    moveTo(TURN);
    await openNewMonths(harness.app);

    const canceled = await upgrade({ plan: "standard" });
    const replaced = await upgrade({ plan: "prorated" });

    expect([canceled.status, canceled.body.code]).toEqual([409, "conflict"]);
    expect([replaced.status, replaced.body.code]).toEqual([409, "conflict"]);
    await turn(projectId);
    expect((await tenant.get(path)).body).toMatchObject({ plan: "free", pending_plan: null });
    expect(await chargesOf(projectId)).toEqual(["2026-11 standard succeeded 1000"]);
    await expectExact(tenant);
  });

  it("a change at once replaces it", async () => {
    const { tenant, projectId, path, upgrade } = await arrange();
    await upgrade({ plan: "free" });

    const { body } = await upgrade({ plan: "prorated" });

    expect(body.service).toMatchObject({ plan: "prorated", pending_plan: null });
    await turn(projectId);
    expect((await tenant.get(path)).body.plan).toBe("prorated");
    await expectExact(tenant);
  });

  it("the provider refuses at the turn: the plan stays, and the month is reserved for it", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange();
    await upgrade({ plan: "prorated", effective: "period_end" });
    const operation = "updateDatabase";
    harness.sandbox.force({ vendor: "acme-db", operation, outcome: "refused" });

    await turn(projectId);

    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "standard", status: "active", pending_plan: null },
    });
    expect(await planAtVendor(serviceId)).toBe("standard");
    expect(await chargesOf(projectId)).toEqual([
      "2026-11 standard succeeded 1000",
      "2026-12 prorated released 3100",
      "2026-12 standard reserved 1000",
    ]);
    const types = (await eventsOf(harness.app, serviceId)).map(({ type }) => type);
    expect(types.at(-1)).toBe("service.plan_change_failed");
    await expectExact(tenant);
  });

  it("the provider never answers at the turn: the operation needs an operator, once", async () => {
    const { tenant, projectId, path, upgrade } = await arrange();
    await upgrade({ plan: "prorated", effective: "period_end" });
    const read = { vendor: "acme-db", operation: "getDatabase" } as const;
    harness.sandbox.force({ ...read, outcome: "ok", times: 1 });
    harness.sandbox.force({ vendor: "acme-db", operation: "updateDatabase", outcome: "refused" });
    harness.sandbox.force({ ...read, outcome: "refused", times: 1 });

    await turn(projectId);
    await turn(projectId);

    const { operations } = await services.heldFor(projectId);
    expect(operations.map(({ type, status }) => `${type} ${status}`)).toEqual([
      "service.add succeeded",
      "service.upgrade succeeded",
      "service.upgrade needs_operator",
    ]);
    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "standard", status: "updating", pending_plan: null },
    });
    // What the former month costs does not wait for the operator.
    expect(await chargesOf(projectId)).toContain("2026-11 standard succeeded 1000");
    await expectExact(tenant);
  });

  describe("after a change at the turn that an operator has to decide about", () => {
    const read = { vendor: "acme-db", operation: "getDatabase" } as const;
    const update = { vendor: "acme-db", operation: "updateDatabase" } as const;
    const NOVEMBER = "2026-11 standard succeeded 1000";
    const UNKNOWN = "2026-12 prorated reserved 3100";

    /** Reaches the turn without learning which plan the provider has in place. */
    async function arrangeUndecided() {
      const arranged = await arrange();
      await arranged.upgrade({ plan: "prorated", effective: "period_end" });
      harness.sandbox.force({ ...read, outcome: "ok", times: 1 });
      harness.sandbox.force({ ...update, outcome: "refused" });
      harness.sandbox.force({ ...read, outcome: "refused", times: 1 });
      await turn(arranged.projectId);
      expect((await arranged.tenant.get(arranged.path)).body.status).toBe("updating");
      return arranged;
    }

    it("409: no other change is possible, and the new month's amount is neither charged nor released", async () => {
      const { tenant, projectId, upgrade } = await arrangeUndecided();

      for (const plan of ["standard", "prorated", "free"]) {
        const { status, body } = await upgrade({ plan });
        expect([status, body.code, body.next_action.type]).toEqual([409, "conflict", "wait_for_operation"]);
        const operation = await tenant.get(body.next_action.url.replace("/api/v1/svc", ""));
        expect(operation.body).toMatchObject({ type: "service.upgrade", status: "needs_operator" });
      }
      expect(await chargesOf(projectId)).toEqual([NOVEMBER, UNKNOWN]);

      moveTo("2027-01-01T00:00:00.000Z");
      await openNewMonths(harness.app);
      await settleDueCharges(harness.app);

      expect(await chargesOf(projectId)).toEqual([NOVEMBER, UNKNOWN, "2027-01 standard reserved 1000"]);
      await expectExact(tenant);
    });

    it("the operator lets it run again: the former plan is put back, and the month costs the former plan's price", async () => {
      const { tenant, projectId, serviceId, path } = await arrangeUndecided();

      await services.runAllAgain(projectId);

      expect((await tenant.get(path)).body).toMatchObject({ plan: "standard", status: "active" });
      expect(await planAtVendor(serviceId)).toBe("standard");
      const charges = ["2026-12 prorated released 3100", "2026-12 standard reserved 1000"];
      expect(await chargesOf(projectId)).toEqual([NOVEMBER, ...charges]);
      await expectExact(tenant);
    });
  });

  it("during the grace period of a rotation it changes too, and the former credential is then retired", async () => {
    const { tenant, projectId, serviceId, path, upgrade } = await arrange({ config: { rotation: "overlap" } });
    await upgrade({ plan: "free" });
    moveTo("2026-11-30T23:30:00.000Z");
    await tenant.post(`${path}/rotate`, {});

    await turn(projectId);

    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "free", status: "active", pending_plan: null },
      credential: { version: 2, previous_valid_until: "2026-12-01T00:30:00.000Z" },
    });
    expect(await planAtVendor(serviceId)).toBe("free");
    expect(await chargesOf(projectId)).toEqual(["2026-11 standard succeeded 1000"]);
    harness.clock.advanceSeconds(1_800);
    await runDueWork(harness.app, retireDueCredentials);
    expect((await tenant.get(path)).body.credential).toMatchObject({ version: 2, previous_valid_until: null });
    await expectExact(tenant);
  });

  it("403 cap_exceeded: next month does not fit into the cap", async () => {
    const { upgrade, tenant, path } = await arrange({ project: { monthly_cap: "30.99" } });

    const { status, body } = await upgrade({ plan: "prorated", effective: "period_end" });

    expect([status, body.code]).toEqual([403, "cap_exceeded"]);
    expect(body.decision).toMatchObject({
      ...{ limit: "30.99", used: "0.00", remaining: "30.99" },
      resets_at: "2027-01-01T00:00:00.000Z",
    });
    expect((await tenant.get(path)).body.pending_plan).toBeNull();
  });

  it("a removed service does not change its plan at the turn", async () => {
    const { tenant, projectId, path, upgrade } = await arrange();
    await upgrade({ plan: "free" });
    await tenant.delete(path);

    await turn(projectId);

    const { operations } = await services.heldFor(projectId);
    expect(operations.map(({ type }) => type)).toEqual(["service.add", "service.upgrade", "service.remove"]);
    await expectExact(tenant);
  });

  it("a change at once that ends after the turn is charged in the new month only", async () => {
    const { tenant, projectId, path, upgrade } = await arrange({
      config: { provisioning: "async" },
    });
    const { body } = await upgrade({ plan: "prorated" });
    expect(body).toMatchObject({ status: "pending", service: { status: "updating" } });

    await turn(projectId);

    expect((await tenant.get(path)).body).toMatchObject({ plan: "prorated", status: "active" });
    expect(await chargesOf(projectId)).toEqual([
      "2026-11 prorated released 700",
      "2026-11 standard succeeded 1000",
      "2026-12 prorated reserved 2100",
      "2026-12 standard reserved 1000",
    ]);
    await expectExact(tenant);
  });

  it("charges of one month are listed together, wherever in the month they start", async () => {
    const { tenant, projectId, upgrade } = await arrange();
    await upgrade({ plan: "prorated" });

    const { body } = await tenant.get(`/projects/${projectId}/charges?period=2026-11`);
    const later = await tenant.get(`/projects/${projectId}/charges?period=2026-12`);

    expect(body.data).toHaveLength(2);
    expect(later.body.data).toEqual([]);
  });
});
