import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedBilling, seedCharge, seedLink, seedService } from "../../../../test/project-seeds.ts";

describe("GET /projects/{project_id}/status", () => {
  const harness = useHarness();

  async function arrange(fields: object = {}) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "counted", ...fields });
    const projectId = body.project_id as string;
    return {
      projectId,
      place: { tenantId: tenant.tenantId, projectId },
      charge: (amountCents: bigint, rest: object = {}) =>
        seedCharge(harness.app, { tenantId: tenant.tenantId, projectId, amountCents, ...rest }),
      status: async () => (await tenant.get(`/projects/${projectId}/status`)).body,
    };
  }

  it("200: project without charges", async () => {
    const { status, projectId } = await arrange();

    expect(await status()).toEqual({
      project_id: projectId,
      status: "active",
      cap: {
        monthly_cap: "100.00",
        currency: "usd",
        spent: "0.00",
        reserved: "0.00",
        remaining: "100.00",
        percent_used: 0,
        behavior: "block",
        period_start: "2026-11-01T00:00:00.000Z",
        period_end: "2026-12-01T00:00:00.000Z",
        forecast: "0.00",
      },
      by_provider: [],
      recent_charges: [],
      services: [],
      links: [],
      pending_actions: [],
      warnings: [],
      next_steps: [],
    });
  });

  it("200: returns links, services and pending actions", async () => {
    const { status, projectId, place } = await arrange();
    const expiresAt = new Date(harness.clock.now().getTime() + 60_000);
    const serviceId = await seedService(harness.app, { ...place, provider: "supabase" });
    const linkId = await seedLink(harness.app, { ...place, status: "pending_auth", expiresAt });
    await seedBilling(harness.app, { ...place, status: "requires_action" });
    const confirm = {
      type: "confirm_payment_method",
      reason: "The owner must confirm the payment method.",
    };
    const poll_url = `/api/v1/svc/projects/${projectId}/links/${linkId}`;
    const open = { type: "open_url", provider: "neon", poll_url };

    const waiting = await status();
    harness.clock.advanceSeconds(60);
    const expired = await status();

    expect(waiting).toMatchObject({
      services: [{ service_id: serviceId, service: "neon/postgres", status: "active" }],
      links: [{ provider: "neon", status: "pending_auth" }],
      by_provider: [{ provider: "supabase", cap: null, spent: "0.00" }],
      next_steps: [],
    });
    expect(waiting.pending_actions).toEqual([
      confirm,
      { ...open, reason: "The provider link has not been completed." },
    ]);
    expect(expired.links).toEqual([{ provider: "neon", status: "expired" }]);
    expect(expired.pending_actions).toEqual([
      confirm,
      { ...open, reason: "The provider link expired before it was completed." },
    ]);
  });

  it.each([
    ["ready", []],
    ["requires_payment_method", ["attach_payment_method"]],
    ["requires_action", ["confirm_payment_method"]],
    ["past_due", ["attach_payment_method"]],
  ] as const)("200: billing status %s has the pending actions %j", async (billing, types) => {
    const { status, place } = await arrange();
    await seedLink(harness.app, { ...place, status: "linked" });
    await seedBilling(harness.app, { ...place, status: billing });

    const actions: { type: string }[] = (await status()).pending_actions;

    expect(actions.map(({ type }) => type)).toEqual(types);
  });

  it("200: sums the charges of the month, in total and by provider", async () => {
    const { status, charge } = await arrange({ provider_caps: { supabase: "30.00" } });
    await charge(1240n);
    await charge(500n, { status: "reserved", provider: "acme" });
    await charge(7777n, { status: "failed" });
    await charge(7777n, { occurredAt: new Date("2026-10-31T23:59:59.999Z") });

    const body = await status();

    expect(body.cap).toMatchObject({
      spent: "12.40",
      reserved: "5.00",
      remaining: "82.60",
      percent_used: 17.4,
      forecast: "17.40",
    });
    expect(body.by_provider).toEqual([
      { provider: "acme", cap: null, spent: "0.00", reserved: "5.00" },
      { provider: "neon", cap: null, spent: "12.40", reserved: "0.00" },
      { provider: "supabase", cap: "30.00", spent: "0.00", reserved: "0.00" },
    ]);
  });

  it("200: returns the ten newest charges of any month and status", async () => {
    const { status, charge } = await arrange();
    const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute));
    const ids = [];
    for (let minute = 0; minute < 12; minute += 1) {
      ids.push(await charge(BigInt(minute + 1), { occurredAt: at(minute), status: "failed" }));
    }

    const { recent_charges: recent } = await status();

    expect(recent.map(({ charge_id }: { charge_id: string }) => charge_id)).toEqual(ids.slice(2).reverse());
    expect(recent[0]).toEqual({
      charge_id: ids[11],
      service_id: null,
      provider: "neon",
      type: "subscription",
      description: "launch",
      amount: "0.12",
      currency: "usd",
      status: "failed",
      agent_id: null,
      payment_id: null,
      billed_by: "vendor",
      estimated: false,
      period_start: "2026-10-01T00:00:00.000Z",
      period_end: "2026-11-01T00:00:00.000Z",
      occurred_at: at(11).toISOString(),
    });
  });

  it.each([
    ["far below the cap", 100n, 0.9, []],
    ["at 80 percent of the cap", 8_000n, 80, ["cap_nearly_reached"]],
    ["just below the cap", 9_999n, 99.9, ["cap_nearly_reached"]],
    ["at the cap", 10_000n, 100, ["cap_reached"]],
    ["above the cap", 15_000n, 150, ["cap_reached", "forecast_over_cap"]],
  ])("200: warnings %s", async (_what, cents, percent, warnings) => {
    const { status, charge } = await arrange();
    await charge(cents === 100n ? 99n : cents);

    const body = await status();

    expect(body.cap.percent_used).toBe(percent);
    expect(body.warnings).toEqual(warnings);
  });

  it("200: a cap of zero is reached without charges", async () => {
    const { status } = await arrange({ monthly_cap: "0" });

    expect(await status()).toMatchObject({
      cap: { percent_used: 100, remaining: "0.00" },
      warnings: ["cap_reached"],
    });
  });
});
