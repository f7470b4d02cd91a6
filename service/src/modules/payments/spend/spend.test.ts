import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../../../test/database.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { eventsOf } from "../../../../test/project-seeds.ts";
import { withRoundTrips } from "../../../../test/round-trips.ts";
import { createSpendTable, setWalletBalance, testSpendRoute } from "../../../../test/test-spend.ts";
import { listWrongBudgets } from "../../../budgets/queries.ts";
import { withSnapshot, withTransaction } from "../../../db/transaction.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { checkBalances } from "../../../ledger/check/check-balances.ts";

const DAY_SECONDS = 86_400;

describe("money that is spent under a project's cap", () => {
  let beforeMove: (() => Promise<void>) | undefined;
  const route = testSpendRoute({ beforeMove: async () => beforeMove?.() });
  const harness = useHarness({ routes: [route] });
  beforeAll(() => createSpendTable(harness.database));

  async function arrange({ cap = "100.00", dollars = 1_000n } = {}) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    await setWalletBalance(harness.app.db, { tenantId, mode: "live" }, dollars * 1_000_000n);
    const created = await tenant.post("/projects", { name: "shop", monthly_cap: cap });
    const projectId: string = created.body.project_id;
    const spend = (amount: string, more: object = {}, key: string = randomUUID()) =>
      tenant.post(
        "/test/spend",
        { amount, project_id: projectId, reference: randomUUID(), ...more },
        { headers: { "idempotency-key": key } },
      );
    return {
      tenantId,
      projectId,
      spend,
      state: () => stateOf(tenantId),
      usage: async () => (await tenant.get(`/projects/${projectId}`)).body.usage,
      events: async () =>
        (await eventsOf(harness.app, projectId)).filter(({ subjectType }) => subjectType === "project_cap"),
    };
  }

  /** Returns what is left of the balance, the budgets and the transfers. Fails if the numbers do not agree. */
  async function stateOf(tenantId: TenantId) {
    const { db } = harness.app;
    const differences = await withSnapshot(db, tenantId, (tx) => checkBalances(tx, { tenantId, isWhole: true }));
    const wrong = await withTransaction(db, tenantId, (tx) =>
      listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
    );
    expect([differences, wrong]).toEqual([[], []]);
    const { rows } = await sql<Record<string, unknown>>`
      select
        (select posted / 1000000 from ledger_accounts where tenant_id = ${tenantId} and kind = 'wallet'
          and asset = 'usdc')::integer as balance,
        (select sum(held) from ledger_accounts where tenant_id = ${tenantId})::integer as held,
        (select count(*)::integer from ledger_transfers where tenant_id = ${tenantId} and cause_type = 'spend') as moves,
        (select count(*)::integer from budget_reservations where tenant_id = ${tenantId}) as reservations,
        (select count(*)::integer from budget_reservations where tenant_id = ${tenantId} and status = 'held') as open
    `.execute(db);
    return rows[0];
  }

  const NOTHING = { moves: 0, reservations: 0, open: 0, held: 0 };

  it("200: moves the money and commits the reservation; the first payment opens the month", async () => {
    const { spend, state, usage, events } = await arrange();

    expect(await spend("30")).toMatchObject({ status: 200, body: { amount: "30.00" } });

    expect(await state()).toEqual({ balance: 970, held: 0, moves: 1, reservations: 1, open: 0 });
    expect(await usage()).toMatchObject({ spent: "30.00", reserved: "0.00", remaining: "70.00" });
    expect(await events()).toEqual([]);
  });

  it("two round trips; if the month is not open, or the spending reaches a threshold or is refused: a second transaction of more round trips", async () => {
    const { spend } = await arrange();
    const first = await withRoundTrips(() => spend("1"));
    const trips = async (amount: string) => {
      const { result, roundTrips } = await withRoundTrips(() => spend(amount));
      return [result.status, ...roundTrips];
    };
    const short = ["begin select with select", "select with commit"];
    const long = [...short, "rollback", "begin select select", "select", "select"];

    expect(first.roundTrips.slice(0, long.length)).toEqual(long);
    expect(await trips("2")).toEqual([200, ...short]);
    expect(await trips("48")).toEqual([200, ...long, "with with commit"]);
    expect(await trips("50")).toEqual([403, ...long, "with with commit"]);
  });

  it("403 with the decision and an event: the cap is too small; the refusal is stored, nothing else", async () => {
    const { spend, state, usage, events } = await arrange();
    await spend("80");
    const [key, body] = [randomUUID(), { reference: "second" }];

    const refused = await spend("20.000001", body, key);

    const now = harness.clock.now();
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        code: "cap_exceeded",
        decision: {
          rule_id: "project_cap",
          limit: "100.00",
          used: "80.00",
          remaining: "20.00",
          resets_at: nextMonth.toISOString(),
        },
      },
    ]);
    expect((await spend("20.000001", body, key)).text).toBe(refused.text);
    expect(await state()).toMatchObject({ balance: 920, moves: 1, reservations: 1 });
    expect(await usage()).toMatchObject({ spent: "80.00" });
    const written = await events();
    expect(written.map(({ type }) => type)).toEqual([
      "project.cap_threshold_reached",
      "project.cap_threshold_reached",
      "project.cap_exceeded_blocked",
    ]);
    expect(written.at(-1)).toMatchObject({
      data: { cause: { type: "spend" }, amount: "20.000001", used: "80.00" },
    });
  });

  it("403 before 402: the cap and the balance are both too small", async () => {
    const { spend } = await arrange({ cap: "20.00", dollars: 10n });

    expect((await spend("30")).body.code).toBe("cap_exceeded");
    expect((await spend("15")).body).toMatchObject({
      code: "insufficient_funds",
      decision: { available: "10.00", required: "15.00" },
    });
  });

  it("402: a payment without enough funds reserves nothing and sends no event; the next payment that reaches the threshold sends the first event", async () => {
    const { spend, state, usage, events } = await arrange({ dollars: 60n });

    expect((await spend("80")).status).toBe(402);
    expect(await state()).toEqual({ ...NOTHING, balance: 60 });
    expect(await usage()).toMatchObject({ spent: "0.00", reserved: "0.00" });
    expect(await events()).toEqual([]);

    expect((await spend("60")).status).toBe(200);
    expect(await events()).toMatchObject([{ sequence: 1, data: { threshold_percent: 50, spent: "60.00" } }]);
  });

  it.each([
    ["frozen", "frozen = 'outgoing_only'", "wallet_frozen"],
    ["stopped", "stopped = true", "agent_suspended"],
  ])("403: the wallet is %s, or becomes so after the facts were read", async (_case, change, code) => {
    const { tenantId, spend, state } = await arrange();
    const set = () =>
      run(
        harness.database.superuserUrl,
        `update ledger_accounts set ${change} where tenant_id = '${tenantId}' and kind = 'wallet'`,
      );
    beforeMove = set;
    const late = await spend("1");
    beforeMove = undefined;
    const early = await spend("1");

    for (const { status, body } of [late, early]) expect([status, body.code]).toEqual([403, code]);
    expect(await state()).toEqual({ ...NOTHING, balance: 1_000 });
  });

  it("200 in the next month: the whole cap is available, and the amount of the previous month is unchanged", async () => {
    const { spend, state, usage } = await arrange();
    await spend("90");
    expect((await spend("20")).status).toBe(403);
    harness.clock.advanceSeconds(31 * DAY_SECONDS);

    expect((await spend("20")).status).toBe(200);

    expect(await usage()).toMatchObject({ spent: "20.00", remaining: "80.00" });
    expect(await state()).toMatchObject({ balance: 890, moves: 2, reservations: 2, open: 0 });
  });

  it("20 payments at the same time, in a month that is not open: exactly as many as the cap allows", async () => {
    const { spend, state, usage } = await arrange({ cap: "70.00" });

    const responses = await Promise.all(Array.from({ length: 20 }, () => spend("10")));

    const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
    expect([count(200), count(403)]).toEqual([7, 13]);
    expect(await usage()).toMatchObject({ spent: "70.00", remaining: "0.00" });
    expect(await state()).toMatchObject({ balance: 930, moves: 7, reservations: 7, open: 0 });
  });

  it("404: another tenant's project; nothing is reserved in it", async () => {
    const [one, other] = [await arrange(), await arrange()];

    const responses: ApiResponse[] = [
      await one.spend("1", { project_id: other.projectId }),
      await one.spend("1", { project_id: newId("proj") }),
    ];

    for (const { body } of responses) expect(body.code).toBe("project_not_found");
    expect(await other.usage()).toMatchObject({ spent: "0.00" });
    expect(await one.state()).toEqual({ ...NOTHING, balance: 1_000 });
  });
});
