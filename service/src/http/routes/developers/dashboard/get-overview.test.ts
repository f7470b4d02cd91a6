import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { seedApproval } from "../../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { seedPayment } from "../../../../../test/payments/seed-payment.ts";
import { asSuperuser, seedBilling, seedCharge, seedLink, seedService } from "../../../../../test/project-seeds.ts";
import { withRoundTrips } from "../../../../../test/round-trips.ts";
import { seedSession } from "../../../../../test/seeds.ts";
import { freezesOf } from "../../../../../test/wallets/frozen-wallet.ts";
import type { TenantId } from "../../../../foundation/ids.ts";

const DAY_SECONDS = 86_400;

describe("GET /developers/dashboard/overview", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const { arrange: arrangeWallet } = freezesOf(harness);

  /** Returns a function that reads the developer's overview in a mode. */
  async function reader(tenantId: TenantId) {
    const { accessToken } = await seedSession(harness.app, tenantId);
    const authorization = `Bearer ${accessToken}`;
    return async (mode: "live" | "test") => {
      const headers = { authorization, "x-svc-mode": mode };
      const response = await accounts.call("GET", "/dashboard/overview", undefined, { headers });
      expect(response).toMatchObject({ status: 200, headers: { "x-svc-mode": mode } });
      return response.body;
    };
  }

  async function postProject(tenant: Pick<Awaited<ReturnType<typeof harness.seedTenant>>, "post">, cap: string) {
    const { body } = await tenant.post("/projects", { name: `cap ${cap}`, monthly_cap: cap });
    return String(body.project_id);
  }

  it("200: a new developer, whose address is not verified", async () => {
    const email = accounts.newEmail();
    await accounts.signUp(email);
    const { body: session } = await accounts.logIn(email);
    const headers = { authorization: `Bearer ${session.access_token}`, "x-svc-mode": "test" };

    const { status, body } = await accounts.call("GET", "/dashboard/overview", undefined, { headers });

    const empty = { data: [], more: false };
    expect(status).toBe(200);
    expect(body).toEqual({
      object: "dashboard_overview",
      mode: "test",
      as_of: harness.clock.now().toISOString(),
      spend: {
        currency: "usd",
        period_start: "2026-11-01T00:00:00.000Z",
        period_end: "2026-12-01T00:00:00.000Z",
        monthly_cap: "0.00",
        spent: "0.00",
        reserved: "0.00",
        projects: [],
        more: false,
      },
      balances: { as_of: harness.clock.now().toISOString(), data: [] },
      payments: { window_days: 30, counted: 0, is_complete: true, by_status: {}, paid: "0.00", by_day: [] },
      attention: {
        approvals: empty,
        links: empty,
        frozen_wallets: empty,
        keys: empty,
        projects: empty,
        billing: empty,
      },
      checklist: {
        email_verified: false,
        has_key: false,
        has_project: false,
        has_linked_provider: false,
        has_service: false,
        has_agent: false,
        has_wallet: false,
        has_payment: false,
      },
    });
  });

  it("200: the month's spending of all projects, and what keeps projects from spending", async () => {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const read = await reader(tenantId);
    const [small, large] = [await postProject(tenant, "10"), await postProject(tenant, "100")];
    const suspended = await postProject(tenant, "0");
    await seedCharge(harness.app, { tenantId, projectId: large, amountCents: 1_250n });
    await seedCharge(harness.app, { tenantId, projectId: large, amountCents: 500n, status: "reserved" });
    await seedCharge(harness.app, { tenantId, projectId: small, amountCents: 1_000n, status: "reserved" });
    await seedBilling(harness.app, { tenantId, projectId: small, status: "requires_payment_method" });
    await seedBilling(harness.app, { tenantId, projectId: large, status: "ready" });
    await accounts.query("update projects set status = 'suspended' where project_id = $1", [suspended]);

    const { spend, attention } = await read("live");

    const spentBy = ({ project_id, monthly_cap, spent, reserved, remaining }: Record<string, string>) => [
      ...[project_id, monthly_cap, spent, reserved, remaining],
    ];
    expect(spend).toMatchObject({ monthly_cap: "110.00", spent: "12.50", reserved: "15.00", more: false });
    expect(spend.projects.map(spentBy)).toEqual([
      [large, "100.00", "12.50", "5.00", "82.50"],
      [small, "10.00", "0.00", "10.00", "0.00"],
      [suspended, "0.00", "0.00", "0.00", "0.00"],
    ]);
    expect(attention.projects).toEqual({
      data: [
        { project_id: small, name: "cap 10", status: "active", cap_reached: true },
        { project_id: suspended, name: "cap 0", status: "suspended", cap_reached: false },
      ],
      more: false,
    });
    expect(attention.billing).toEqual({
      data: [{ project_id: small, name: "cap 10", billing_status: "requires_payment_method" }],
      more: false,
    });
    expect((await read("test")).spend.projects).toEqual([]);
  });

  it("200: the balances of all wallets by network and token, and frozen wallets with both layers", async () => {
    const tenantId = await harness.seedDeveloper();
    const read = await reader(tenantId);
    const wallet = await arrangeWallet({ developerId: tenantId, baseUnits: 30_000_000n });
    const other = await arrangeWallet({ developerId: tenantId, baseUnits: 2_500_000n });
    await seedPayment(harness.app, { tenantId, payer: { ...wallet, address: "" }, payee: null });
    await other.tenant.post(`${other.path}/freeze`, { reason: "anomaly" });

    const { balances, attention, payments, checklist } = await read("test");

    expect(balances.data).toContainEqual({
      network: "base",
      token: "USDC",
      wallet_count: 2,
      total: "32.50",
      available: "22.50",
      held: "10.00",
    });
    expect(attention.frozen_wallets).toMatchObject({
      data: [
        {
          wallet_id: other.walletId,
          agent_id: other.agentId,
          agent_name: expect.any(String),
          network: "base",
          freeze: { database: { frozen: true }, onchain: { status: "not_frozen" }, frozen_at: expect.any(String) },
        },
      ],
      more: false,
    });
    expect(payments).toEqual({
      ...{ window_days: 30, counted: 1, is_complete: true, by_status: { authorized: 1 }, paid: "0.00" },
      by_day: [{ date: harness.clock.now().toISOString().slice(0, 10), count: 1, paid: "0.00" }],
    });
    expect(checklist).toMatchObject({ has_key: true, has_agent: true, has_wallet: true, has_payment: true });
    const live = await read("live");
    expect([live.balances.data, live.payments.counted, live.checklist.has_wallet]).toEqual([[], 0, false]);
  });

  it("200: counts the newest thousand payments of 30 days, and says that there are more", async () => {
    const tenantId = await harness.seedDeveloper();
    const wallet = await arrangeWallet({ developerId: tenantId, baseUnits: 30_000_000n });
    const seed = { tenantId, payer: { ...wallet, address: "" }, payee: null, baseUnits: 1n };
    await seedPayment(harness.app, { ...seed, status: "confirmed" });
    harness.clock.advanceSeconds(30 * DAY_SECONDS);
    const copied = await seedPayment(harness.app, { ...seed, status: "failed" });
    expect((await (await reader(tenantId))("test")).payments.by_status).toEqual({ failed: 1 });
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(
        `insert into payments select (jsonb_populate_record(p, jsonb_build_object(
           'payment_id', 'pay_' || n, 'status', case when n <= 400 then 'confirmed' else 'denied' end))).*
         from payments p, generate_series(1, 1400) n where payment_id = $1`,
        [copied],
      ),
    );

    const { payments } = await (await reader(tenantId))("test");

    expect(payments).toMatchObject({ counted: 1_000, is_complete: false });
    expect(payments.by_status.denied).toBeGreaterThan(500);
  });

  it("200: what was paid on each day (UTC), without days that have no payments", async () => {
    const tenantId = await harness.seedDeveloper();
    const wallet = await arrangeWallet({ developerId: tenantId, baseUnits: 30_000_000n });
    const seed = { tenantId, payer: { ...wallet, address: "" }, payee: null, baseUnits: 2_500_000n };
    const day = () => harness.clock.now().toISOString().slice(0, 10);
    harness.clock.advanceSeconds(DAY_SECONDS - ((harness.clock.now().getTime() / 1_000) % DAY_SECONDS) - 1);
    await seedPayment(harness.app, { ...seed, status: "confirmed" });
    const first = day();
    harness.clock.advanceSeconds(1);
    await seedPayment(harness.app, { ...seed, status: "confirmed" });
    await seedPayment(harness.app, { ...seed, status: "failed" });
    await seedPayment(harness.app, { ...seed, status: "confirmed" });
    const second = day();
    harness.clock.advanceSeconds(2 * DAY_SECONDS);

    const { payments } = await (await reader(tenantId))("test");

    expect(payments.paid).toBe("7.50");
    expect(payments.by_day).toEqual([
      { date: first, count: 1, paid: "2.50" },
      { date: second, count: 3, paid: "5.00" },
    ]);
  });

  it("200: what waits for a person, and no more than ten of it", async () => {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const projectId = await postProject(tenant, "10");
    const late = await seedApproval(harness.app, tenantId, { seconds: 7_200 });
    const early = await seedApproval(harness.app, tenantId, { seconds: 60 });
    await seedApproval(harness.app, tenantId, { seconds: 30, mode: "test" });
    const inDays = (days: number) => new Date(harness.clock.now().getTime() + days * DAY_SECONDS * 1_000);
    const expiring = await harness.seedKey(tenantId, { expiresAt: inDays(7) });
    const retiring = await harness.seedKey(tenantId, { graceExpiresAt: inDays(1), replacedBy: tenant.keyId });
    await harness.seedKey(tenantId, { expiresAt: inDays(8) });
    await harness.seedKey(tenantId, { expiresAt: inDays(-1) });
    const failed = await seedLink(harness.app, { tenantId, projectId, provider: "neon", status: "failed" });
    const expired = await seedLink(harness.app, {
      ...{ tenantId, projectId, provider: "acme-db", status: "pending_auth" },
      expiresAt: inDays(-1),
    });
    await seedLink(harness.app, { tenantId, projectId, provider: "clerk", status: "linked" });
    const read = await reader(tenantId);

    const { attention, checklist } = await read("live");

    expect(attention.approvals).toEqual({
      data: [early, late].map((approval_id) => ({
        ...{ approval_id, title: "Add neon/postgres", amount: "20.00", currency: "usd" },
        expires_at: inDays((approval_id === early ? 60 : 7_200) / DAY_SECONDS).toISOString(),
      })),
      more: false,
    });
    expect(attention.keys).toEqual({
      data: [
        { key_id: retiring.keyId, name: "test", reason: "grace_ends", ends_at: inDays(1).toISOString() },
        { key_id: expiring.keyId, name: "test", reason: "expires", ends_at: inDays(7).toISOString() },
      ],
      more: false,
    });
    const link = { project_id: projectId, project_name: "cap 10" };
    expect(attention.links.data).toHaveLength(2);
    expect(attention.links.data).toEqual(
      expect.arrayContaining([
        { ...link, link_id: failed, provider: "neon", status: "failed" },
        { ...link, link_id: expired, provider: "acme-db", status: "expired" },
      ]),
    );
    expect(checklist).toMatchObject({ email_verified: true, has_project: true, has_linked_provider: true });
    for (let made = 0; made < 9; made += 1) await seedApproval(harness.app, tenantId, { seconds: 90 });
    const { approvals } = (await read("live")).attention;
    expect([approvals.data.length, approvals.more]).toEqual([10, true]);
  });

  it("200: nothing of other developers", async () => {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const projectId = await postProject(tenant, "10");
    const linkId = await seedLink(harness.app, { tenantId, projectId, status: "failed" });
    await seedService(harness.app, { tenantId, projectId, linkId });
    await seedApproval(harness.app, tenantId);
    expect((await (await reader(tenantId))("live")).checklist).toMatchObject({ has_project: true, has_service: true });

    const stranger = await (await reader(await harness.seedDeveloper()))("live");

    const { email_verified, ...steps } = stranger.checklist;
    expect(Object.values(steps)).toEqual(Array.from({ length: 7 }, () => false));
    expect(stranger.spend.projects).toEqual([]);
    expect(Object.values(stranger.attention)).toEqual(Array.from({ length: 6 }, () => ({ data: [], more: false })));
  });

  it("takes six statements, with the one that finds the session", async () => {
    const read = await reader(await harness.seedDeveloper());
    await read("live");

    const { roundTrips } = await withRoundTrips(() => read("live"));

    expect(roundTrips).toEqual([...["select", "start select with", "select", "select", "select", "select", "commit"]]);
  });

  it.each([
    ["no mode", {}],
    ["an unknown mode", { "x-svc-mode": "prod" }],
  ])("422: %s", async (_name, mode) => {
    const { accessToken } = await seedSession(harness.app, await harness.seedDeveloper());
    const headers = { authorization: `Bearer ${accessToken}`, ...mode };

    expect(await accounts.call("GET", "/dashboard/overview", undefined, { headers })).toMatchObject({
      status: 422,
      body: { code: "validation_error", errors: [{ pointer: "/headers/x-svc-mode" }] },
    });
  });

  it("401: an API key", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get("/developers/dashboard/overview")).status).toBe(401);
  });
});
