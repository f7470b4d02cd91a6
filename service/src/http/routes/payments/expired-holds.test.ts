import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";
import { servicesOf } from "../../../../test/services.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const DAY_LIMIT = { max: "10.00", currency: "usd", period: "rolling_24h" };

/** The job that releases expired authorizations does not run in these tests. */
describe("amounts of expired authorizations", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const payments = paymentsOf(harness);

  beforeAll(() => services.callEachVendorOnce());

  type Payer = Awaited<ReturnType<typeof seedPayer>>;

  /** Holds an amount until the next minute, and waits for it. */
  async function holdUntilExpired(payer: Payer, amount: string, seconds = 60) {
    const expires = new Date(harness.clock.now().getTime() + seconds * 1_000).toISOString();
    const body = { amount, execution: "authorize_only", expires_at: expires };
    const { status, body: held } = await payer.pay(body);
    expect([status, held.status]).toEqual([200, "authorized"]);
    harness.clock.advanceSeconds(seconds);
    return held.payment_id as string;
  }

  it("200: the balance is available from the second of expires_at, not refused and stored", async () => {
    const payer = await seedPayer(harness, { baseUnits: 10_000_000n });
    const expired = await holdUntilExpired(payer, "8.00");

    const sent = await payer.pay({ amount: "9.00" });

    expect([sent.status, sent.body.status]).toEqual([200, "confirmed"]);
    expect(await payer.balance()).toEqual({ total: 1_000_000n, held: 0n });
    expect((await payer.tenant.get(`/payments/${expired}`)).body.status).toBe("expired");
    const events = await payments.query("select type from events where subject_id = $1", [expired]);
    expect(events.map(({ type }) => type)).toContain("payment.expired");
  });

  it("402: authorizations that have not expired are still held", async () => {
    const payer = await seedPayer(harness, { baseUnits: 10_000_000n });
    await payer.pay({ amount: "8.00", execution: "authorize_only" });
    harness.clock.advanceSeconds(60);

    expect((await payer.pay({ amount: "9.00" })).body.code).toBe("insufficient_funds");
    expect((await payer.balance()).held).toBe(8_000_000n);
  });

  it("200: the project's cap and a policy's limit count no expired authorization", async () => {
    const limited = { id: "day", effect: "limit", operation: "payment", budget: DAY_LIMIT };
    const capped = await seedPayer(harness);
    const { project_id } = (
      await capped.tenant.post("/projects", {
        ...{ name: "shop", monthly_cap: "10.00", agent_ids: [capped.agentId] },
      })
    ).body;
    const payers = [capped, await seedPayer(harness, { rules: [ALLOW, limited] })];

    for (const payer of payers) {
      await holdUntilExpired(payer, "8.00");
      const { status, body } = await payer.pay({ amount: "9.00" });
      expect([status, body.status]).toEqual([200, "confirmed"]);
      expect((await payer.pay({ amount: "9.00" })).status).toBe(403);
    }

    const { usage } = (await capped.tenant.get(`/projects/${project_id}`)).body;
    expect(usage).toMatchObject({ spent: "9.00", reserved: "0.00" });
  });

  it("200: a simulation answers as the payment would", async () => {
    const payer = await seedPayer(harness, { baseUnits: 10_000_000n });
    await holdUntilExpired(payer, "8.00");

    const { body } = await payer.post("/payments/simulate", {
      ...{ agent_id: payer.agentId, amount: "9.00", to: `0x${"12".repeat(20)}` },
    });

    expect(body.outcome).toBe("allow");
  });

  it("200: an approved payment and a refund draw on what has expired", async () => {
    const asks = { id: "ask", effect: "require_approval", when: { amount_usd: { gt: "8.50" } } };
    const rules = [ALLOW, { ...asks, operation: "payment" }];
    const payer = await seedPayer(harness, { rules, baseUnits: 10_000_000n });
    const { body: waiting } = await payer.pay({ amount: "9.00" });
    await holdUntilExpired(payer, "8.00");
    const { approval_id } = waiting.approval;
    const key = { mode: "test", scopes: ["approvals:write"] } as const;
    const approver = await harness.seedKey(payer.tenant.tenantId, key);
    expect((await approver.post(`/approvals/${approval_id}/approve`)).status).toBe(200);
    const path = `/payments/${waiting.payment_id}`;
    expect((await payer.tenant.get(path)).body.status).toBe("confirmed");

    const { seed, act, payer: from, payee } = await payments.arrange();
    const paid = await seed({ status: "confirmed" });
    await seed({ payer: payee, payee: from, baseUnits: 25_000_000n, seconds: 60 });
    harness.clock.advanceSeconds(60);
    expect((await act("refund", paid)).status).toBe(200);
  });

  it("201: a service fits in the cap that an expired authorization used", async () => {
    const payer = await seedPayer(harness);
    const { tenant, agentId } = payer;
    const fields = { monthly_cap: "15.00", agent_ids: [agentId] };
    const projectId = await services.newProject(tenant, fields);
    await services.attachCard(tenant, projectId);
    await services.linkByToken(tenant, projectId, "acme-db");
    await holdUntilExpired(payer, "14.00");

    const { body } = await services.add(tenant, projectId, {
      ...{ service: "acme-db/postgres", plan: "standard" },
    });

    expect(body.service.status).toBe("active");
  });
});
