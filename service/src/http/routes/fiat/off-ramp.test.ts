import { describe, expect, it, vi } from "vitest";
import { actingOf } from "../../../../test/fiat/acting.ts";
import type { Seeded } from "../../../../test/fiat/conversions.ts";
import { useHarness } from "../../../../test/harness.ts";
import { expectSumsToMatch } from "../../../../test/payments/money-state.ts";
import { asSuperuser, eventsOf } from "../../../../test/project-seeds.ts";
import { advanceConversion } from "../../../modules/fiat/conversions/advance-conversion.ts";
import { checkLedger } from "../../../workflows/check-ledger.ts";

const DAY = {
  ...{ id: "day", effect: "limit", operation: "off_ramp" },
  budget: { max: "50.00", period: "rolling_24h" },
};
const STOPPED = "operator action required";

describe("POST /fiat/off-ramp", () => {
  const harness = useHarness({ vendors: true });
  const { conversions, query, seed } = actingOf(harness);

  /** Runs the job each second until the conversion has this status. */
  async function advanceUntil({ read }: Pick<Seeded, "read">, id: string, status: string) {
    for (let second = 0; second < 60 && (await read(id)).status !== status; second += 1) await conversions.advance(1);
    expect(await read(id)).toMatchObject({ status });
  }

  async function inTransit(tenantId: string) {
    const rows = await query(
      "select posted::float / 1e6 as posted, held::float / 1e6 as held from ledger_accounts where tenant_id = $1 and kind = 'in_transit' and asset = 'usdc'",
      [tenantId],
    );
    return rows[0];
  }

  const statusesOf = ({ timeline }: { readonly timeline: readonly { readonly status: string }[] }) =>
    timeline.map(({ status }) => status);

  const alarmsOf = (id: string) => harness.logLines.filter((line) => line.includes(id) && line.includes(STOPPED));

  async function expectCleanLedger(tenantId: Parameters<typeof expectSumsToMatch>[1]) {
    await expectSumsToMatch(harness.app, tenantId);
    const before = harness.logLines.length;
    await checkLedger(harness.app);
    expect(harness.logLines.slice(before).filter((line) => line.includes(STOPPED))).toEqual([]);
  }

  it("200: the tokens are held at once, are sent when Bridge has accepted, and are paid minus the fee", async () => {
    const seeded = await seed();
    const { tenant, walletId, accountId, agentId, projectId, balance, act, read, spent } = seeded;
    // The request does not reach Bridge. The job repeats it.
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "timeout_lost" });

    const { status, body } = await act("off_ramp", { external_reference_id: "payout-1", metadata: { a: "b" } });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ object: "conversion", direction: "off_ramp", status: "in_review", provider_reference: null },
      source: { type: "wallet", wallet_id: walletId, network: "base", amount: "40.00", token: "usdc" },
      destination: {
        ...{ type: "fiat_account", account_id: accountId, mask: expect.stringMatching(/^\d{4}$/) },
        ...{ amount: "39.94", currency: "usd", payment_rail: "ach" },
      },
      fees: [
        { type: "provider", amount: "0.06", currency: "usd" },
        { type: "network", amount: "0.00", currency: "usd" },
      ],
      ...{ deposit_instructions: null, failure: null, agent_id: agentId, payment_reserved: true },
      ...{ external_reference_id: "payout-1", metadata: { a: "b" }, completed_at: null },
    });
    expect(await balance()).toMatchObject({ available: "60.00", held: "40.00" });
    expect((await tenant.get(`/projects/${projectId}`)).body.usage).toMatchObject({ spent: "0.00", reserved: "40.00" });

    await advanceUntil(seeded, body.conversion_id, "awaiting_funds");
    expect(await balance()).toMatchObject({ available: "60.00", held: "0.00" });
    expect(await spent()).toBe("40.00");

    await conversions.advance();
    const completed = await read(body.conversion_id);
    expect(completed).toMatchObject({ status: "completed", completed_at: expect.any(String), failure: null });
    expect(await inTransit(tenant.tenantId)).toEqual({ posted: 0, held: 0 });
    expect(await balance()).toMatchObject({ available: "60.00", held: "0.00" });
    const events = await eventsOf(harness.app, body.conversion_id);
    expect(events.map(({ type }) => type)).toEqual(statusesOf(completed).map((each) => `conversion.${each}`));
    await expectCleanLedger(tenant.tenantId);
  });

  it("Bridge gets the amount, the fee, the wallet's address, the bank account and the statement's text, and no data of the caller", async () => {
    const { tenant, walletId, offRamp } = await seed();
    const { body: wallet } = await tenant.get(`/wallets/${walletId}`);

    const { body } = await offRamp("40.00", {
      ...{ statement_descriptor: "ACME 2026", payment_rail: "ach_same_day" },
      ...{ external_reference_id: "payout-secret", metadata: { a: "metadata-secret" } },
    });

    const sent = harness.sandbox.requests("bridge").filter(({ operation }) => operation === "createTransfer");
    const transfer = sent.at(-1)?.body;
    expect(transfer).toMatchObject({
      ...{ amount: "40.00", developer_fee: "0.06", client_reference_id: body.conversion_id },
      source: { currency: "usdc", payment_rail: "base", from_address: wallet.address },
      destination: { currency: "usd", payment_rail: "ach_same_day", ach_reference: "ACME 2026" },
    });
    expect(JSON.stringify(transfer)).not.toContain("secret");
    expect(Date.parse(body.expected_completion_at) - Date.parse(body.created_at)).toBe(86_400_000);
  });

  it("an amount ending in .13 is returned: the balance and the project's budget get it back, the windows of policies do not", async () => {
    const rules = [{ id: "allow", effect: "allow", operation: "off_ramp" }, DAY];
    const { tenant, balance, act, read, spent } = await seed({ rules });

    const { status, body } = await act("off_ramp", { amount: "40.13" });

    expect([status, await spent()]).toEqual([200, "40.13"]);
    // The job sees none of the states in between.
    harness.clock.advanceSeconds(60);
    await conversions.advance(1);
    const refunded = await read(body.conversion_id);
    expect(refunded).toMatchObject({ status: "refunded", return_reason: "The account is closed" });
    expect(await balance()).toMatchObject({ available: "100.00", held: "0.00" });
    expect(await spent()).toBe("0.00");
    expect(await inTransit(tenant.tenantId)).toEqual({ posted: 0, held: 0 });
    const refused = await act("off_ramp", { amount: "10.00" });
    expect([refused.status, refused.body.code, refused.body.decision]).toMatchObject([
      ...[403, "policy_denied"],
      { rule_id: "day", limit: "50.00", used: "40.13", remaining: "9.87" },
    ]);
    expect(alarmsOf(body.conversion_id)).toEqual([]);
    await expectCleanLedger(tenant.tenantId);
  });

  it("an amount ending in .13 that was seen completed before it came back is refunded just once, also into a frozen wallet", async () => {
    const { tenant, walletId, balance, offRamp, read } = await seed();
    const { body } = await offRamp("40.13");
    // The bank pays after three seconds, and returns the payment after four.
    harness.clock.advanceSeconds(3);
    const key = { tenantId: tenant.tenantId, conversionId: body.conversion_id };
    await vi.waitFor(() => advanceConversion(harness.app, key), 5_000);
    expect(await read(body.conversion_id)).toMatchObject({ status: "completed" });
    await tenant.post(`/wallets/${walletId}/freeze`, { reason: "anomaly" });

    // A completed conversion is looked at once a day.
    harness.clock.advanceSeconds(86_400);
    await conversions.advance();
    harness.clock.advanceSeconds(86_400);
    await conversions.advance();

    const refunded = await read(body.conversion_id);
    expect([refunded.status, statusesOf(refunded).filter((each) => each === "refunded")]).toEqual([
      "refunded",
      ["refunded"],
    ]);
    expect(await balance()).toMatchObject({ available: "100.00", held: "0.00" });
    await expectCleanLedger(tenant.tenantId);
  });

  it("an amount ending in .14 fails after the tokens were sent: they stay in transit, and an operator is called", async () => {
    const { tenant, balance, offRamp, read } = await seed();

    const { body } = await offRamp("40.14");
    await conversions.advance();

    expect(await read(body.conversion_id)).toMatchObject({
      ...{ status: "failed", failure: { code: "provider_error" }, completed_at: null },
    });
    expect(alarmsOf(body.conversion_id)).toHaveLength(1);
    expect(await balance()).toMatchObject({ available: "59.86", held: "0.00" });
    expect(await inTransit(tenant.tenantId)).toEqual({ posted: 40.14, held: 0 });
    await expectCleanLedger(tenant.tenantId);
  });

  it("an amount ending in .15 is undeliverable: the tokens stay in transit", async () => {
    const { tenant, balance, offRamp, read } = await seed();

    const { body } = await offRamp("40.15");
    await conversions.advance();

    expect(await read(body.conversion_id)).toMatchObject({ status: "undeliverable", completed_at: null });
    expect(await balance()).toMatchObject({ available: "59.85", held: "0.00" });
    expect(await inTransit(tenant.tenantId)).toEqual({ posted: 40.15, held: 0 });
    await expectCleanLedger(tenant.tenantId);
  });

  it("`amount_type: target` pays exactly the amount, and takes the fee on top of it", async () => {
    const { balance, offRamp, read } = await seed();

    const { body } = await offRamp("39.94", { amount_type: "target" });
    await conversions.advance();

    expect(body).toMatchObject({ source: { amount: "40.00" }, destination: { amount: "39.94" } });
    expect(await read(body.conversion_id)).toMatchObject({ status: "completed" });
    expect(await balance()).toMatchObject({ available: "60.00", held: "0.00" });
  });

  it("sending the tokens waits for the budget before it locks the wallet, as a new spending does, so that they do not block each other", async () => {
    const { tenant, act, read } = await seed();
    const { tenantId } = tenant;
    harness.sandbox.force({ vendor: "bridge", operation: "createTransfer", outcome: "timeout_lost" });
    const { body } = await act("off_ramp");
    const waiting = () =>
      query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    const wallets = (lock: string) =>
      query(`select 1 from ledger_accounts where tenant_id = $1 and kind = 'wallet' ${lock}`, [tenantId]);

    await asSuperuser(harness.database.superuserUrl, async (client) => {
      await client.query("begin");
      await client.query("select 1 from budgets where tenant_id = $1 for update", [tenantId]);
      await client.query("select 1 from budget_periods where tenant_id = $1 for update", [tenantId]);
      const advanced = conversions.advance(30);
      await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), 5_000);
      expect(await wallets("for update skip locked")).toEqual(await wallets(""));
      await client.query("rollback");
      await advanced;
    });

    expect((await read(body.conversion_id)).status).toBe("completed");
  });

  it("20 off-ramps of 10.00 at once from a balance of 55.00: exactly five succeed", async () => {
    const { tenant, balance, act } = await seed({ funds: "55.00" });

    const answers = await Promise.all(Array.from({ length: 20 }, () => act("off_ramp", { amount: "10.00" })));

    const succeeded = answers.filter(({ status }) => status === 200);
    const others = answers.filter(({ status }) => status !== 200);
    expect(succeeded).toHaveLength(5);
    expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(["insufficient_funds"]));
    await conversions.advance(15);
    expect(await balance()).toMatchObject({ available: "5.00", held: "0.00" });
    await expectCleanLedger(tenant.tenantId);
  });
});
