import { afterEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { eventsOf } from "../../../../../test/project-seeds.ts";
import { seedAgent, servicesOf, type Tenant, until } from "../../../../../test/services.ts";
import { runDueWork } from "../../../../due-work/run-due-work.ts";
import { refreshCatalogs } from "../../../../modules/catalog/browse-catalog.ts";
import type { CatalogProvider } from "../../../../modules/catalog/catalog.ts";
import { billProjects } from "../../../../modules/charges/invoices/invoices.ts";
import { openNewMonths } from "../../../../modules/charges/open-months.ts";
import { settleDueCharges } from "../../../../modules/charges/settle-due-charges.ts";
import type { ServiceProvider } from "../../../../ports/service-provider.ts";
import { applyVendorEvents } from "../../../../workflows/apply-vendor-events.ts";
import { changePendingPlans } from "../../../../workflows/upgrade-service/upgrade-service.ts";

const ANALYTICS = "acme-analytics";
const QUEUE = "acme-queue";
/** The provider charges Purser 5.00 USD a month for `queue_small` and 25.00 USD for `queue_large`. */
const SERVICE = "acme-queue/queue-small";

describe("what services of a configured provider cost", () => {
  /** What the providers' catalogs say instead of the simulators'. */
  const catalog: { prices: Record<string, string>; withdrawn: string[] } = {
    prices: {},
    withdrawn: [],
  };

  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 20, vendorSettleMs: 1, vendorAttempts: { brief: 3, long: 6 } },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "3000" },
    replace: ({ providers }) => {
      const replaced = [ANALYTICS, QUEUE].map((name): [string, ServiceProvider] => {
        const provider = providers.get(name);
        const read = provider?.readCatalog;
        if (provider === undefined || read === undefined) throw new Error(`${name} is configured`);
        const readCatalog = async () => changed((await read()) as CatalogProvider);
        return [name, { ...provider, readCatalog }];
      });
      return { providers: new Map([...providers, ...replaced]) };
    },
  });
  const services = servicesOf(harness);
  afterEach(() => describeCatalog({}));

  function changed(entry: CatalogProvider): CatalogProvider {
    const { prices, withdrawn } = catalog;
    return {
      ...entry,
      services: entry.services.map((service) => ({
        ...service,
        plans: service.plans.flatMap((plan) => {
          if (withdrawn.includes(plan.plan)) return [];
          const updates = plan.allowed_updates.filter((name) => !withdrawn.includes(name));
          const amount = prices[plan.plan];
          const price = amount !== undefined && {
            pricing: { ...plan.pricing, amount },
            preauthorization_amount: amount,
          };
          return { ...plan, allowed_updates: updates, ...price };
        }),
      })),
    };
  }

  /** Changes the providers' catalogs, and lets Purser read them. */
  async function describeCatalog({ prices = {}, withdrawn = [] }: Partial<typeof catalog>) {
    Object.assign(catalog, { prices, withdrawn });
    await refreshCatalogs(harness.app);
  }

  function moveTo(time: string) {
    const seconds = (Date.parse(time) - harness.clock.now().getTime()) / 1_000;
    harness.clock.advanceSeconds(seconds);
  }

  /** Runs the jobs of a worker, and waits for the operations that they start. */
  async function runJobs(projectId: string) {
    await openNewMonths(harness.app);
    await changePendingPlans(harness.app);
    await services.allEnded(projectId);
    await settleDueCharges(harness.app);
    await billProjects(harness.app);
  }

  /** Creates a project with a card and a cap of 30.00 USD, and adds `queue_small` on 21 November. */
  async function arrange({ card = "pm_card_visa", project = {} as object } = {}) {
    await describeCatalog({});
    moveTo("2026-11-21T10:00:00.000Z");
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, { monthly_cap: "30.00", ...project });
    await services.attachCard(tenant, projectId, card);
    await services.linkConfigured(tenant, projectId, QUEUE);
    const add = async (name: string) => {
      const { body } = await services.add(tenant, projectId, { service: SERVICE, name });
      await services.allEnded(projectId);
      return body.service.service_id as string;
    };
    const serviceId = await add("queue");
    const path = `/projects/${projectId}/services/${serviceId}`;
    return { tenant, projectId, serviceId, path, add };
  }

  /** Returns `month status biller amount` of each charge, oldest month first. */
  async function chargesOf(tenant: Tenant, projectId: string) {
    const { body } = await tenant.get(`/projects/${projectId}/charges?limit=100`);
    return (body.data as Record<string, string>[])
      .map(({ period_start = "", ...charge }) =>
        [period_start.slice(0, 7), charge["status"], charge["billed_by"], charge["amount"]].join(" "),
      )
      .sort();
  }

  /** Returns the project's invoices at the processor, oldest first, with the cents of their items. */
  async function invoicesOf(projectId: string) {
    const objects = await harness.sandbox.objects("stripe");
    const dataOf = (data: unknown) => Object(data) as Record<string, unknown>;
    const customer = objects.find(
      ({ type, data }) => type === "customer" && JSON.stringify(data).includes(projectId),
    )?.id;
    return objects
      .filter(({ type, data }) => type === "invoice" && dataOf(data)["customer"] === customer)
      .map(({ id, state }) => ({
        id,
        state,
        cents: objects
          .filter(({ type, data }) => type === "invoiceitem" && dataOf(data)["invoice"] === id)
          .map(({ data }) => Number(dataOf(data)["amount"])),
      }));
  }

  const planAtProvider = async (serviceId: string) =>
    Object(
      (await harness.sandbox.objects(QUEUE)).find(
        ({ type, data }) => type === "resource" && JSON.stringify(data).includes(serviceId),
      )?.data,
    ).serviceId;

  const expectExact = async (tenant: Tenant) => expect(await services.wrongBudgets(tenant)).toEqual([]);

  it("a price that rises while the month turns is neither reserved nor charged: the agreed one is", async () => {
    const { tenant, projectId, path } = await arrange();
    const logged = harness.logLines.length;
    await describeCatalog({ prices: { queue_small: "9999.00" } });

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);
    const { body: service } = await tenant.get(path);
    const { body: status } = await tenant.get(`/projects/${projectId}/status`);
    const { body: preview } = await tenant.post(`/projects/${projectId}/delete-preview`);
    await describeCatalog({});

    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-12 reserved purser 5.00",
    ]);
    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid", cents: [500] }]);
    expect(service.pricing).toEqual({
      ...{ type: "paid", amount: "5.00", currency: "usd", interval: "month" },
    });
    expect(status.cap).toMatchObject({ reserved: "5.00", forecast: "5.00", remaining: "25.00" });
    expect(preview.charges).toMatchObject([{ amount: "5.00", billed_by: "purser" }]);
    expect(service.notification).toEqual({
      level: "warn",
      title:
        "The provider's current price of the plan queue_small is 9999.00 USD per month. This service costs 5.00 USD per month.",
      href: "/api/v1/svc/projects/catalog?provider=acme-queue",
    });
    expect((await tenant.get(path)).body.notification).toBeNull();
    // The operator pays the difference.
    const warnings = harness.logLines.slice(logged).filter((line) => line.includes("9999.00"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(service.service_id);
    await expectExact(tenant);
  });

  it("a price that has risen since costs a new service the new price, and leaves the other one alone", async () => {
    const { tenant, projectId, add } = await arrange();
    await describeCatalog({ prices: { queue_small: "7.00" } });
    await add("newer");

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);

    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-11 succeeded purser 7.00",
      "2026-12 reserved purser 5.00",
      "2026-12 reserved purser 7.00",
    ]);
    await expectExact(tenant);
  });

  it("a plan that the provider bills also costs what was agreed, and its card is not charged", async () => {
    const { tenant, projectId } = await arrange({ project: { monthly_cap: "50.00" } });
    await tenant.post(`/projects/${projectId}/link`, { provider: ANALYTICS });
    const service = "acme-analytics/product-analytics";
    const { body } = await services.add(tenant, projectId, { service, plan: "growth" });
    await services.allEnded(projectId);
    const logged = harness.logLines.length;
    await describeCatalog({ prices: { growth: "9999.00" } });

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);

    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-11 succeeded vendor 20.00",
      "2026-12 reserved purser 5.00",
      "2026-12 reserved vendor 20.00",
    ]);
    expect(await invoicesOf(projectId)).toMatchObject([{ state: "paid", cents: [500] }]);
    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    expect((await tenant.get(path)).body).toMatchObject({
      ...{ pricing: { amount: "20.00" }, notification: { level: "warn" } },
    });
    expect(harness.logLines.slice(logged).join("")).not.toContain("9999.00");
    await expectExact(tenant);
  });

  it("a plan that the provider no longer offers is billed by Purser as before", async () => {
    const { tenant, projectId, path } = await arrange();
    await describeCatalog({ withdrawn: ["queue_small"] });

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);
    moveTo("2027-01-01T01:00:00.000Z");
    await runJobs(projectId);

    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-12 succeeded purser 5.00",
      "2027-01 reserved purser 5.00",
    ]);
    expect(await invoicesOf(projectId)).toMatchObject([
      { state: "paid", cents: [500] },
      { state: "paid", cents: [500] },
    ]);
    expect((await tenant.get(path)).body.pricing.amount).toBe("5.00");
    await expectExact(tenant);
  });

  it("three months, to the cent: invoices, a declined one that is paid later, a removal and the deletion", async () => {
    const { tenant, projectId, path, add } = await arrange({ card: "pm_card_chargeCustomerFail" });
    const second = await add("second");

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);
    const [declined] = await invoicesOf(projectId);
    expect(declined).toMatchObject({ state: "open", cents: [500, 500] });
    expect((await chargesOf(tenant, projectId)).slice(0, 2)).toEqual([
      "2026-11 failed purser 5.00",
      "2026-11 failed purser 5.00",
    ]);
    const billing = async () => (await tenant.get(`/projects/${projectId}`)).body.billing;
    const { customer_id: customer } = await billing();
    await services.callStripe("payment_methods/pm_card_visa/attach", { customer });
    const methods = (await harness.sandbox.objects("stripe")).filter(({ type }) => type === "payment_method");
    const key = "invoice_settings[default_payment_method]";
    await services.callStripe(`customers/${customer}`, { [key]: methods.at(-1)?.id ?? "" });
    harness.webhooks.splice(0);
    await services.callStripe(`invoices/${declined?.id}/pay`);
    const paid = harness.webhooks.splice(0);
    const answers = await Promise.all(paid.map((webhook) => harness.deliver(webhook)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await runDueWork(harness.app, applyVendorEvents);
    expect((await billing()).status).toBe("ready");

    // A month of which the price is not prorated costs the whole price.
    moveTo("2026-12-10T12:00:00.000Z");
    await tenant.delete(`/projects/${projectId}/services/${second}`);
    moveTo("2027-01-01T01:00:00.000Z");
    await runJobs(projectId);
    moveTo("2027-02-01T01:00:00.000Z");
    await runJobs(projectId);

    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-11 succeeded purser 5.00",
      "2026-12 succeeded purser 5.00",
      "2026-12 succeeded purser 5.00",
      "2027-01 succeeded purser 5.00",
      "2027-02 reserved purser 5.00",
    ]);
    const { body: preview } = await tenant.post(`/projects/${projectId}/delete-preview`);
    expect(preview.charges).toMatchObject([{ amount: "5.00", period_end: "2027-02-01T01:00:00.000Z" }]);
    expect((await tenant.get(path)).body.pricing.amount).toBe("5.00");

    const deleted = await tenant.delete(`/projects/${projectId}`);
    await services.allEnded(projectId);
    expect(deleted.body.kept_customer_id).toBe(customer);
    await runJobs(projectId);

    expect(await invoicesOf(projectId)).toMatchObject([
      { state: "paid", cents: [500, 500] },
      { state: "paid", cents: [500, 500] },
      { state: "paid", cents: [500] },
      { state: "paid", cents: [500] },
    ]);
    const charged = (await harness.sandbox.objects("stripe"))
      .filter(({ type, state, data }) => {
        return type === "charge" && state === "succeeded" && Object(data).customer === customer;
      })
      .map(({ data }) => Number(Object(data).amount));
    expect(charged).toEqual([1_000, 1_000, 500, 500]);
    await expectExact(tenant);
  });

  it.each([
    ["a policy asks", "20000.00", [{ id: "ask", effect: "require_approval", operation: "service.upgrade" }]],
    ["the cap is too small", "20.00", []],
  ])("an upgrade whose price rises before a person approves it is not carried out: %s", async (_why, cap, asking) => {
    const project = { monthly_cap: cap, cap_behavior: "require_approval" };
    const { tenant, projectId, serviceId, path } = await arrange({ project });
    const { tenantId } = tenant;
    const rules = [{ id: "all", effect: "allow", operation: "*" }, ...asking];
    const agentId = await seedAgent(harness.app, { tenantId, rules });
    const approver = await harness.seedKey(tenantId, { scopes: ["approvals:write"] });
    const asked = await tenant.post(
      `${path}/upgrade`,
      { plan: "queue_large", max_monthly_cost: "26.00" },
      { headers: { "x-agent-id": agentId } },
    );
    expect(asked.body).toMatchObject({
      price_change: { old: "5.00", new: "25.00" },
      approval: { status: "pending", summary: { amount: "25.00" } },
    });

    await describeCatalog({ prices: { queue_large: "9999.00" } });
    const approval = `/approvals/${asked.body.approval.approval_id}/approve`;
    const approved = await approver.post(approval, {});
    await services.allEnded(projectId);

    expect(approved.status).toBe(200);
    const { body } = await tenant.get(asked.body.poll_url.slice("/api/v1/svc".length));
    expect(body).toMatchObject({ status: "failed", error: { code: "conflict" } });
    expect((await tenant.get(path)).body).toMatchObject({
      plan: "queue_small",
      status: "active",
    });
    expect(await planAtProvider(serviceId)).toBe("queue_small");
    expect(await chargesOf(tenant, projectId)).toEqual(["2026-11 reserved purser 5.00"]);
    await expectExact(tenant);
  });

  it("an upgrade is charged at the price that was requested, also if the price rises meanwhile", async () => {
    const { tenant, projectId, path } = await arrange({ project: { monthly_cap: "40.00" } });
    harness.sandbox.force({
      ...{ vendor: QUEUE, operation: "updateService", outcome: "slow", delayMs: 1_000 },
    });

    const upgrading = tenant.post(`${path}/upgrade`, { plan: "queue_large" });
    await until(
      () => stepOf(projectId, "provider_plan_change"),
      (status) => status === "running",
    );
    await describeCatalog({ prices: { queue_large: "9999.00" } });
    const { body } = await upgrading;

    expect(body).toMatchObject({ status: "completed", price_change: { new: "25.00" } });
    expect(body.service.pricing.amount).toBe("25.00");
    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);
    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 20.00",
      "2026-11 succeeded purser 5.00",
      "2026-12 reserved purser 25.00",
    ]);
    await expectExact(tenant);
  });

  /** Returns the status of a step of the project's newest operation. */
  const stepOf = async (projectId: string, step: string) =>
    (await services.heldFor(projectId)).operations.at(-1)?.steps[step];

  it.each([
    ["rises", { prices: { queue_large: "25.01" } }],
    ["is gone, because the plan is no longer offered", { withdrawn: ["queue_large"] }],
  ])("a plan that was to change at the turn does not change if its price %s", async (_how, change) => {
    const { tenant, projectId, serviceId, path } = await arrange();
    const { body } = await tenant.post(`${path}/upgrade`, {
      ...{ plan: "queue_large", effective: "period_end" },
    });
    expect(body.service.pending_plan).toMatchObject({ plan: "queue_large" });
    await describeCatalog(change);

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);

    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "queue_small", status: "active", pending_plan: null },
      pricing: { amount: "5.00" },
    });
    expect(await planAtProvider(serviceId)).toBe("queue_small");
    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-12 released purser 25.00",
      "2026-12 reserved purser 5.00",
    ]);
    const events = await eventsOf(harness.app, serviceId);
    expect(events.at(-1)).toMatchObject({ type: "service.plan_change_failed" });
    const { operations } = await services.heldFor(projectId);
    expect(operations.at(-1)).toMatchObject({ type: "service.upgrade", status: "failed" });
    await expectExact(tenant);
  });

  it("a plan that changes at the turn costs the price that was requested, also if it is lower then", async () => {
    const { tenant, projectId, path } = await arrange();
    await tenant.post(`${path}/upgrade`, { plan: "queue_large", effective: "period_end" });
    await describeCatalog({ prices: { queue_large: "20.00" } });

    moveTo("2026-12-01T01:00:00.000Z");
    await runJobs(projectId);

    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "queue_large", pricing: { amount: "25.00" } },
    });
    expect(await chargesOf(tenant, projectId)).toEqual([
      "2026-11 succeeded purser 5.00",
      "2026-12 reserved purser 25.00",
    ]);
    await expectExact(tenant);
  });
});
