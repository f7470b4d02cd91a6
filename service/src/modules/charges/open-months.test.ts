import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { asSuperuser, eventsOf, seedBilling, seedCharge, seedService } from "../../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../../test/services.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { formatUsdCents } from "../../foundation/money.ts";
import { releaseReservation } from "../services/provisioning/reserve-service.ts";
import { finishRemoval } from "../services/remove-service.ts";
import { openNewMonths } from "./open-months.ts";
import { settleDueCharges } from "./settle-due-charges.ts";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

describe("months", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  beforeAll(services.callEachVendorOnce);

  /** Moves the clock to a time, and back at the end of the test if it lies before the current time. */
  function moveTo(time: string) {
    const seconds = (Date.parse(time) - harness.clock.now().getTime()) / 1_000;
    harness.clock.advanceSeconds(seconds);
  }

  /** Runs the jobs of several workers at the same time. */
  async function runJobs() {
    await Promise.all([openNewMonths(harness.app), openNewMonths(harness.app)]);
    await Promise.all([settleDueCharges(harness.app), settleDueCharges(harness.app)]);
  }

  async function arrange(body?: object) {
    moveTo("2026-11-21T10:00:00.000Z");
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, body);
    await seedBilling(harness.app, { tenantId: tenant.tenantId, projectId });
    return { tenant, projectId };
  }

  async function addAcme(tenant: Tenant, projectId: string, plan: string, name: string) {
    const added = await services.add(tenant, projectId, {
      service: "acme-db/postgres",
      plan,
      name,
    });
    return { status: added.status, body: added.body, id: added.body.service?.service_id as string };
  }

  const chargesOf = async (tenant: Tenant, projectId: string, query = "") =>
    (await tenant.get(`/projects/${projectId}/charges${query}`)).body.data as {
      service_id: string;
      status: string;
      amount: string;
      estimated: boolean;
      period_start: string;
      period_end: string;
      type: string;
    }[];

  /** Returns `month status amount` of each charge, oldest month first. */
  const summaryOf = async (tenant: Tenant, projectId: string) =>
    (await chargesOf(tenant, projectId))
      .map(({ period_start, status, amount }) => `${period_start.slice(0, 7)} ${status} ${amount}`)
      .sort();

  const usageOf = async (tenant: Tenant, projectId: string) => (await tenant.get(`/projects/${projectId}`)).body.usage;

  const expectExact = async (tenant: Tenant) => expect(await services.wrongBudgets(tenant)).toEqual([]);

  /** Returns the events about the project's cap. */
  const capEventsOf = async (projectId: string) =>
    (await eventsOf(harness.app, projectId)).filter(({ subjectType }) => subjectType === "project_cap");

  it("three turns of the month, one of them without any process: reserved and settled once each", async () => {
    const { tenant, projectId } = await arrange({ monthly_cap: "20.00" });
    await services.linkByToken(tenant, projectId, "acme-db");
    await addAcme(tenant, projectId, "standard", "one");
    await addAcme(tenant, projectId, "standard", "two");
    const blocked = await addAcme(tenant, projectId, "standard", "three");
    expect([blocked.status, blocked.body.code]).toEqual([403, "cap_exceeded"]);

    moveTo("2026-12-01T00:00:01.000Z");
    await runJobs();
    expect(await summaryOf(tenant, projectId)).toEqual([
      "2026-11 succeeded 10.00",
      "2026-11 succeeded 10.00",
      "2026-12 reserved 10.00",
      "2026-12 reserved 10.00",
    ]);
    await tenant.patch(`/projects/${projectId}`, { monthly_cap: "15.00" });

    // No process runs from December until the middle of February.
    moveTo("2027-02-10T00:00:00.000Z");
    const refused = await addAcme(tenant, projectId, "standard", "four");
    await runJobs();
    await runJobs();

    expect([refused.status, refused.body.decision]).toEqual([
      403,
      {
        rule_id: "project_cap",
        limit: "15.00",
        used: "20.00",
        remaining: "0.00",
        resets_at: "2027-03-01T00:00:00.000Z",
      },
    ]);
    const months = ["2026-11", "2026-12", "2027-01", "2027-02"];
    expect(await summaryOf(tenant, projectId)).toEqual(
      months.flatMap((month) => {
        const charge = `${month} ${month === "2027-02" ? "reserved" : "succeeded"} 10.00`;
        return [charge, charge];
      }),
    );
    expect(await usageOf(tenant, projectId)).toMatchObject({
      period_start: "2027-02-01T00:00:00.000Z",
      spent: "0.00",
      reserved: "20.00",
      remaining: "0.00",
    });
    const { body: status } = await tenant.get(`/projects/${projectId}/status`);
    expect(status).toMatchObject({
      cap: { percent_used: 133.3, forecast: "20.00" },
      warnings: ["cap_reached", "forecast_over_cap"],
      by_provider: [{ provider: "acme-db", cap: null, spent: "0.00", reserved: "20.00" }],
    });
    expect(status.services.map((each: { status: string }) => each.status)).toEqual(["active", "active"]);

    const entries = await harness.app.db
      .selectFrom("auditEntries")
      .select(["actor", "facts"])
      .where("tenantId", "=", tenant.tenantId)
      .where("action", "=", "charge.reserved")
      .orderBy("auditId")
      .execute();
    expect(entries.map(({ facts }) => `${String(facts["period_start"]).slice(0, 7)} ${facts["amount"]}`)).toEqual(
      months.slice(1).flatMap((month) => [`${month} 10.00`, `${month} 10.00`]),
    );

    const events = await capEventsOf(projectId);
    const thresholds = events.filter(({ type }) => type === "project.cap_threshold_reached");
    const reached = thresholds.map(({ data }) => {
      const { period_start, threshold_percent } = data as Record<string, string>;
      return `${period_start?.slice(0, 7)} ${threshold_percent}`;
    });
    expect(reached).toEqual(months.flatMap((month) => [50, 80, 100].map((p) => `${month} ${p}`)));
    expect(events.filter(({ type }) => type === "project.cap_exceeded_blocked")).toHaveLength(2);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
    await expectExact(tenant);
  });

  it("a spender that comes before the job opens the month and reserves what is owed first", async () => {
    const { tenant, projectId } = await arrange({ monthly_cap: "15.00" });
    await services.linkByToken(tenant, projectId, "acme-db");
    await addAcme(tenant, projectId, "standard", "one");
    moveTo("2026-12-01T00:00:00.000Z");

    const answers = await Promise.all([
      addAcme(tenant, projectId, "standard", "two"),
      openNewMonths(harness.app),
      addAcme(tenant, projectId, "standard", "three"),
    ]);

    expect([answers[0].status, answers[2].status]).toEqual([403, 403]);
    expect(await summaryOf(tenant, projectId)).toEqual(["2026-11 reserved 10.00", "2026-12 reserved 10.00"]);
    await expectExact(tenant);
  });

  it("a removed service is settled for the days that it was in place, or for the whole month", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkByToken(tenant, projectId, "acme-db");
    const daily = await addAcme(tenant, projectId, "prorated", "daily");
    const whole = await addAcme(tenant, projectId, "standard", "whole");
    harness.clock.advanceSeconds(2 * DAY_SECONDS + 1);

    for (const { id } of [daily, whole]) {
      await tenant.delete(`/projects/${projectId}/services/${id}`);
    }

    // 31.00 for November's 30 days: 21 to 23 November are three started days.
    const charges = await chargesOf(tenant, projectId);
    expect(charges.map(({ status, amount, period_end }) => [status, amount, period_end])).toEqual([
      ["succeeded", "10.00", "2026-11-23T10:00:01.000Z"],
      ["succeeded", "3.10", "2026-11-23T10:00:01.000Z"],
    ]);
    expect(await usageOf(tenant, projectId)).toMatchObject({ spent: "13.10", reserved: "0.00" });
    moveTo("2026-12-01T00:00:00.000Z");
    await runJobs();
    expect(await usageOf(tenant, projectId)).toMatchObject({ spent: "0.00", reserved: "0.00" });
    await expectExact(tenant);
  });

  it("metered use is settled as Neon reports it, an hour after the month", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkNeon(tenant, projectId);
    await services.add(tenant, projectId, { plan: "launch" });
    moveTo("2026-12-01T00:59:59.000Z");
    await runJobs();
    expect(await summaryOf(tenant, projectId)).toEqual(["2026-11 reserved 5.00", "2026-12 reserved 5.00"]);

    moveTo("2026-12-01T01:00:00.000Z");
    // A process without the provider cannot read the use.
    await settleDueCharges({ ...harness.app, providers: new Map() });
    await runJobs();

    // 230 hours with 90 seconds of compute at 0.106 USD per hour, 32 MB of storage at 0.35 and 1 MB of history at 0.20
    // USD per GB and 744 hours: 0.6095 + 0.00346 + 0.00006 USD, rounded up once.
    const [settled] = await chargesOf(tenant, projectId, "?period=2026-11");
    expect(settled).toMatchObject({
      status: "succeeded",
      type: "usage",
      amount: "0.62",
      estimated: false,
    });
    const events = await eventsOf(harness.app, (settled as { charge_id?: string }).charge_id ?? "");
    expect(events).toMatchObject([{ type: "charge.succeeded", sequence: 1, data: settled }]);
    await expectExact(tenant);
  });

  it("a service that is removed as a month ends costs nothing in the new month", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkNeon(tenant, projectId);
    await services.linkByToken(tenant, projectId, "acme-db");
    const { body } = await services.add(tenant, projectId, { plan: "launch" });
    const { id } = await addAcme(tenant, projectId, "standard", "one");
    moveTo("2026-12-01T00:00:00.000Z");
    for (const removed of [body.service.service_id, id]) {
      await tenant.delete(`/projects/${projectId}/services/${removed}`);
    }

    harness.clock.advanceSeconds(HOUR_SECONDS);
    await runJobs();

    expect(await summaryOf(tenant, projectId)).toEqual([
      "2026-11 succeeded 10.00",
      "2026-11 succeeded 5.00",
      "2026-12 released 10.00",
      "2026-12 released 5.00",
    ]);
    await expectExact(tenant);
  });

  it("metered use of a removed service is settled an hour after the removal", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkNeon(tenant, projectId);
    const { body } = await services.add(tenant, projectId, { plan: "launch" });
    await tenant.delete(`/projects/${projectId}/services/${body.service.service_id}`);

    harness.clock.advanceSeconds(HOUR_SECONDS);
    await runJobs();

    // Neon's history has no deleted projects, so this is a thirtieth of the estimate for a month.
    expect(await chargesOf(tenant, projectId)).toMatchObject([
      { status: "succeeded", amount: "0.17", estimated: true },
    ]);
  });

  it("metered use is an estimate if the account's plan does not report it", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkNeon(tenant, projectId, "sandbox-unmetered-ada");
    await services.add(tenant, projectId, { plan: "launch" });

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs();

    expect(await chargesOf(tenant, projectId, "?period=2026-11")).toMatchObject([
      { status: "succeeded", amount: "5.00", estimated: true },
    ]);
  });

  it("metered use is awaited for three days if Neon does not answer, and is then an estimate", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkNeon(tenant, projectId);
    await services.add(tenant, projectId, { plan: "launch" });
    const { tenant: other, projectId: otherId } = await arrange();
    await services.linkByToken(other, otherId, "acme-db");
    await addAcme(other, otherId, "standard", "one");
    moveTo("2026-12-01T01:00:00.000Z");
    await openNewMonths(harness.app);
    const operation = "getConsumptionHistoryPerProjectV2";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "error_applied", times: 2 });
    await expect(settleDueCharges(harness.app)).rejects.toThrow();
    expect(await chargesOf(tenant, projectId, "?period=2026-11")).toMatchObject([{ status: "reserved" }]);
    expect(await chargesOf(other, otherId, "?period=2026-11")).toMatchObject([{ status: "succeeded" }]);

    moveTo("2026-12-04T00:00:00.000Z");
    await settleDueCharges(harness.app);
    expect(await chargesOf(tenant, projectId, "?period=2026-11")).toMatchObject([
      { status: "succeeded", amount: "5.00", estimated: true },
    ]);
  });

  it("a charge of a provider that no process has any more is settled after three days", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkNeon(tenant, projectId);
    await services.add(tenant, projectId, { plan: "launch" });

    moveTo("2026-12-04T00:00:00.000Z");
    await settleDueCharges({ ...harness.app, providers: new Map() });

    expect(await chargesOf(tenant, projectId)).toMatchObject([
      { status: "succeeded", amount: "5.00", estimated: true },
    ]);
  });

  it.each([
    ["acme-db", "acme-db/postgres", "standard", 1000n],
    ["neon", "neon/postgres", "launch", 500n],
  ])(
    "an addition to %s that fails after the month has ended costs nothing in either month",
    async (provider, service, plan, amountCents) => {
      const { tenant, projectId } = await arrange();
      const { tenantId } = tenant;
      const added = { provider, service, plan, status: "provisioning" as const };
      const serviceId = await seedService(harness.app, { tenantId, projectId, ...added });
      const charge = { provider, serviceId, amountCents, status: "reserved" as const };
      await seedCharge(harness.app, { tenantId, projectId, ...charge });
      moveTo("2026-12-01T02:00:00.000Z");
      await runJobs();

      await withTransaction(harness.app.db, tenantId, (tx) =>
        releaseReservation(tx, harness.app, { tenantId, serviceId }),
      );

      const amount = formatUsdCents(amountCents);
      expect(await summaryOf(tenant, projectId)).toEqual([`2026-11 released ${amount}`, `2026-12 released ${amount}`]);
      await expectExact(tenant);
    },
  );

  it("a removal does not wait for the settlement of an earlier month, which waits for the removal", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkByToken(tenant, projectId, "acme-db");
    const { id } = await addAcme(tenant, projectId, "standard", "one");
    moveTo("2026-12-10T00:00:00.000Z");
    const { tenantId } = tenant;
    const actor = systemActor({ tenantId, mode: "live" });
    const key = { tenantId, serviceId: id as ServiceId };

    await asSuperuser(harness.database.superuserUrl, async (job) => {
      await job.query("begin");
      await job.query("select from charges where service_id = $1 for update", [id]);
      await withTransaction(harness.app.db, tenantId, (tx) => finishRemoval(tx, harness.app, actor, key), {
        lockTimeoutMs: 500,
      });
    });

    expect(await summaryOf(tenant, projectId)).toEqual(["2026-11 reserved 10.00", "2026-12 succeeded 10.00"]);
  });

  it.each([
    ["a changed price", "acme-db", "acme-db/postgres", "standard", "subscription", false],
    ["a metered plan that is not offered any more", "neon", "neon/postgres", "gone", "usage", true],
  ] as const)(
    "a month is settled at what was reserved for it: the catalog has %s",
    async (_change, provider, service, plan, type, estimated) => {
      const { tenant, projectId } = await arrange();
      const { tenantId } = tenant;
      const added = { provider, service, plan, providerResourceId: "resource-1" };
      const serviceId = await seedService(harness.app, { tenantId, projectId, ...added });
      const charge = { provider, serviceId, type, amountCents: 500n, status: "reserved" as const };
      await seedCharge(harness.app, { tenantId, projectId, ...charge });

      moveTo("2026-12-01T01:00:00.000Z");
      await runJobs();

      expect(await chargesOf(tenant, projectId, "?period=2026-11")).toMatchObject([
        { status: "succeeded", amount: "5.00", estimated },
      ]);
    },
  );

  it.each([
    ["the catalog's price, if the vendor bills it", "supabase/project", "pro", "vendor", 1_900n, 0n, "25.00"],
    ["the agreed price, if Purser bills it", "acme-db/postgres", "billed", "purser", 1_000n, 0n, "10.00"],
    ["the agreed estimate of metered use", "acme-db/postgres", "billed-usage", "purser", 0n, 700n, "7.00"],
    ["the agreed price of a plan that is not offered any more", "neon/postgres", "gone", "vendor", 900n, 0n, "9.00"],
  ] as const)(
    "a new month of a plan in catalog.json costs %s",
    async (_price, service, plan, billedBy, priceCents, preauthorizationCents, amount) => {
      const { tenant, projectId } = await arrange();
      const { tenantId } = tenant;
      const [provider = ""] = service.split("/");
      const price = { priceCents, preauthorizationCents, billedBy };
      const added = { provider, service, plan, ...price, providerResourceId: "resource-1" };
      const serviceId = await seedService(harness.app, { tenantId, projectId, ...added });
      const charge = {
        provider,
        serviceId,
        billedBy,
        amountCents: 100n,
        status: "reserved" as const,
      };
      await seedCharge(harness.app, { tenantId, projectId, ...charge });

      moveTo("2026-12-01T00:00:00.000Z");
      await openNewMonths(harness.app);

      expect(await chargesOf(tenant, projectId, "?period=2026-12")).toMatchObject([
        { amount, status: "reserved", billed_by: billedBy },
      ]);
      const { body } = await tenant.get(`/projects/${projectId}/services/${serviceId}`);
      expect(body.pricing.amount ?? amount).toBe(amount);
      await expectExact(tenant);
    },
  );

  it("a deleted project has no further months", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkByToken(tenant, projectId, "acme-db");
    await addAcme(tenant, projectId, "standard", "one");
    await tenant.delete(`/projects/${projectId}`);
    await services.allEnded(projectId);

    moveTo("2026-12-01T00:00:00.000Z");
    await runJobs();

    const rows = await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query("select status, amount_cents from charges where project_id = $1", [projectId]),
    );
    expect(rows.rows).toEqual([{ status: "succeeded", amount_cents: "1000" }]);
  });
});
