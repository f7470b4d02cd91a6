import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf, seedBilling, seedCharge } from "../../../../../test/project-seeds.ts";
import { servicesOf } from "../../../../../test/services.ts";
import type { BillingProcessor } from "../../../../ports/billing-processor.ts";

describe("POST /projects/{project_id}/services with a paid plan", () => {
  let afterSetupIsRead = async (): Promise<unknown> => undefined;
  const harness = useHarness({
    vendors: true,
    replace: ({ billing: { live, test } }) => ({
      billing: { live: { ...live, readSetup: readSetupOf(live) }, test },
    }),
  });
  const services = servicesOf(harness);
  const { add, attachCard, linkedProject, newProject, heldFor, resourcesOf } = services;

  /**
   * Returns a `readSetup` that calls `afterSetupIsRead` once: after the payment processor has responded, and before
   * Purser uses the response.
   */
  function readSetupOf({ readSetup }: BillingProcessor): BillingProcessor["readSetup"] {
    return async (setupIntentId) => {
      const setup = await readSetup(setupIntentId);
      const callback = afterSetupIsRead;
      afterSetupIsRead = async () => undefined;
      await callback();
      return setup;
    };
  }

  async function arrange(body?: object) {
    const tenant = await harness.seedTenant();
    const projectId = await linkedProject(tenant, body);
    return { tenant, projectId };
  }

  const usageOf = async (tenant: Awaited<ReturnType<typeof arrange>>["tenant"], id: string) =>
    (await tenant.get(`/projects/${id}`)).body.usage;

  /** Returns the sum of the charges that count against the cap, in cents. */
  const committed = (charges: readonly { status: string; amount_cents: string }[]) =>
    charges
      .filter(({ status }) => status !== "released")
      .reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0);

  it("402: the project has no payment method; creates only the Stripe customer", async () => {
    const { tenant, projectId } = await arrange();

    const answer = await add(tenant, projectId, { plan: "launch" });

    expect([answer.status, answer.body.code]).toEqual([402, "payment_method_required"]);
    expect(answer.body.detail).toContain(`/projects/${projectId}/billing/payment-methods`);
    expect(answer.body.next_action).toMatchObject({
      ...{
        type: "attach_payment_method",
        url: expect.stringMatching(`/dashboard/projects/${projectId}\\?tab=billing$`),
      },
    });
    const held = await heldFor(projectId);
    expect(held).toMatchObject({
      services: [{ status: "failed", credential_version: 0 }],
      charges: [{ status: "released", amount_cents: "500" }],
      secrets: [],
      operations: [
        {
          status: "compensated",
          steps: {
            policy: "compensated",
            payment_setup: "failed",
            provider_provisioning: "skipped",
          },
        },
      ],
    });
    expect(await resourcesOf("neon", [held.services[0].service_id])).toEqual([]);
    expect(await usageOf(tenant, projectId)).toMatchObject({ reserved: "0.00", spent: "0.00" });
    expect(await services.customersOf(projectId)).toHaveLength(1);
    const events = await eventsOf(harness.app, held.services[0].service_id);
    expect(events.map(({ type }) => type)).toEqual(["service.provisioning", "service.failed"]);
  });

  it("402: writes one audit entry about the new customer", async () => {
    const { tenant, projectId } = await arrange();

    await add(tenant, projectId, { plan: "launch" });
    await add(tenant, projectId, { plan: "launch" });

    const [customer] = await services.customersOf(projectId);
    const entries = await auditOf(harness.app, projectId);
    expect(entries.filter(({ action }) => action === "payment_customer.created")).toMatchObject([
      { facts: { customer_id: customer?.id }, actor: { type: "developer" } },
    ]);
  });

  it("402: the owner has not confirmed the card; 202 with a confirmed card", async () => {
    const { tenant, projectId } = await arrange();
    await attachCard(tenant, projectId, "pm_card_authenticationRequired");
    const before = await add(tenant, projectId, { plan: "launch" });
    await services.attachCardWithOwner(tenant, projectId);
    const after = await add(tenant, projectId, { plan: "launch" });

    expect([before.status, before.body.code]).toEqual([402, "payment_method_required"]);
    expect(after.status).toBe(202);
    const charges = (await heldFor(projectId)).charges.map(({ status }) => status);
    expect(charges.sort()).toEqual(["released", "reserved"]);
    const entries = await auditOf(harness.app, projectId);
    expect(entries.filter(({ action }) => action === "payment_method.ready")).toHaveLength(1);
  });

  it("402: the pending setup has succeeded, but another card was attached while it was read", async () => {
    const { tenant, projectId } = await arrange();
    await services.attachCardWithOwner(tenant, projectId);
    afterSetupIsRead = () => attachCard(tenant, projectId, "pm_card_authenticationRequired");

    const answer = await add(tenant, projectId, { plan: "launch" });

    expect([answer.status, answer.body.code]).toEqual([402, "payment_method_required"]);
    const entries = await auditOf(harness.app, projectId);
    expect(entries.filter(({ action }) => action === "payment_method.ready")).toEqual([]);
  });

  it("202: the expected cost of use is reserved", async () => {
    const { tenant, projectId } = await arrange();
    await attachCard(tenant, projectId);

    const { status, body } = await add(tenant, projectId, { plan: "launch" });

    expect(status).toBe(202);
    expect(body.operation.steps[3]).toMatchObject({ name: "payment_setup", status: "succeeded" });
    expect(body.service).toMatchObject({ plan: "launch", pricing: { type: "usage" } });
    expect((await heldFor(projectId)).charges).toMatchObject([
      { status: "reserved", amount_cents: "500", provider: "neon", mode: "live" },
    ]);
    expect(await usageOf(tenant, projectId)).toMatchObject({ reserved: "5.00", spent: "0.00" });
    expect(await services.customersOf(projectId)).toHaveLength(1);
  });

  it("202: a monthly price is reserved until the month ends", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await newProject(tenant);
    await services.linkSupabase(tenant, projectId);
    await attachCard(tenant, projectId);

    const { body } = await add(tenant, projectId, {
      service: "supabase/project",
      plan: "pro",
      max_monthly_cost: "25",
    });
    await services.ended(tenant, body.poll_url);

    expect(body.service.pricing).toMatchObject({ type: "paid", amount: "25.00" });
    expect((await heldFor(projectId)).charges).toMatchObject([
      {
        status: "reserved",
        amount_cents: "2500",
        type: "subscription",
        billed_by: "vendor",
        period_start: new Date("2026-11-01T00:00:00.000Z"),
        period_end: new Date("2026-12-01T00:00:00.000Z"),
      },
    ]);
  });

  it("202: metered use stays reserved after the removal, until the vendor reports it", async () => {
    const { tenant, projectId } = await arrange();
    await attachCard(tenant, projectId);
    const { body } = await add(tenant, projectId, { plan: "launch" });

    await tenant.delete(`/projects/${projectId}/services/${body.service.service_id}`);

    expect((await heldFor(projectId)).charges).toMatchObject([{ status: "reserved", period_end: harness.clock.now() }]);
    expect(await usageOf(tenant, projectId)).toMatchObject({
      reserved: "5.00",
      remaining: "95.00",
    });
  });

  it("403: one cent above the project's cap; 202 for exactly the rest of the cap", async () => {
    const { tenant, projectId } = await arrange({ monthly_cap: "10.00" });
    await attachCard(tenant, projectId);
    await seedCharge(harness.app, { tenantId: tenant.tenantId, projectId, amountCents: 501n });

    const over = await add(tenant, projectId, { plan: "launch" });

    expect([over.status, over.body.code]).toEqual([403, "cap_exceeded"]);
    expect(over.body.detail).toContain("4.99");
    const held = await heldFor(projectId);
    expect(held).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed", steps: { policy: "failed", payment_setup: "skipped" } }],
      secrets: [],
    });
    expect(held.charges).toHaveLength(1);
    await tenant.patch(`/projects/${projectId}`, { monthly_cap: "10.01" });
    expect((await add(tenant, projectId, { plan: "launch" })).status).toBe(202);
  });

  it("403: above the provider's cap, although below the project's cap", async () => {
    const { tenant, projectId } = await arrange({ provider_caps: { neon: "9.99" } });
    await attachCard(tenant, projectId);

    const first = await add(tenant, projectId, { plan: "launch" });
    const second = await add(tenant, projectId, { plan: "launch" });

    expect([first.status, second.status]).toEqual([202, 403]);
    expect(second.body.detail).toContain("neon");
    expect(committed((await heldFor(projectId)).charges)).toBe(500);
  });

  it("403: 17 of 20 concurrent calls, because the cap allows three services", async () => {
    const { tenant, projectId } = await arrange({ monthly_cap: "17.00" });
    // Billing is seeded, because this test does not need the payment processor.
    await seedBilling(harness.app, { tenantId: tenant.tenantId, projectId });

    const answers = await Promise.all(Array.from({ length: 20 }, () => add(tenant, projectId, { plan: "launch" })));

    await services.allEnded(projectId);
    const held = await heldFor(projectId);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(17);
    const active = held.services.filter(({ status }) => status === "active");
    expect(active).toHaveLength(3);
    expect(committed(held.charges)).toBe(1500);
    const ids = held.services.map(({ service_id }) => service_id);
    expect((await resourcesOf("neon", ids)).map(({ id }) => id).sort()).toEqual(
      active.map(({ provider_resource_id }) => provider_resource_id).sort(),
    );
  });

  it("202: test mode uses test charges and a test customer", async () => {
    const { tenantId } = await harness.seedTenant();
    const tester = await harness.seedKey(tenantId, { mode: "test" });
    const projectId = await linkedProject(tester);
    await attachCard(tester, projectId);

    const { status, body } = await add(tester, projectId, { plan: "launch" });

    expect([status, body.service?.mode]).toEqual([202, "test"]);
    expect((await heldFor(projectId)).charges).toMatchObject([{ status: "reserved", mode: "test" }]);
    expect(await services.customersOf(projectId)).toMatchObject([{ data: { livemode: false } }]);
  });

  it("202: a free plan needs neither a cap nor a customer", async () => {
    const { tenant, projectId } = await arrange({ monthly_cap: "0" });

    const { status } = await add(tenant, projectId);

    expect(status).toBe(202);
    expect((await heldFor(projectId)).charges).toEqual([]);
    expect(await services.customersOf(projectId)).toEqual([]);
  });
});
