import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { repetitions, testMaxMs } from "../../test/campaign.ts";
import { useHarness } from "../../test/harness.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { usdMicros } from "../foundation/money.ts";
import type { BudgetPeriod } from "../foundation/vocabulary.ts";
import { budgetIdOf, type NewBudget, NO_MAXIMUM, type ReserveBudgets } from "./budget.ts";
import { openBudget } from "./open-budget.ts";
import { listWrongBudgets, setBudgetLimits, settleReservation } from "./queries.ts";
import { reserveBudgets } from "./reserve-budgets.ts";

const AT = new Date("2026-11-21T10:20:30.000Z");
const MONTH = new Date("2026-11-01T00:00:00.000Z");

describe("budgets", () => {
  const harness = useHarness();

  const budget = (
    limit: bigint | null,
    { subjectType = "provider_cap", period = "calendar_month" as BudgetPeriod } = {},
  ): NewBudget => ({
    subjectType,
    subjectId: `proj_${randomUUID()}`,
    name: "neon",
    period,
    limitMicros: limit === null ? null : usdMicros(limit),
  });

  const reserve = (
    tenantId: TenantId,
    amount: bigint,
    command: Partial<ReserveBudgets> & Pick<ReserveBudgets, "budgets">,
  ) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      reserveBudgets(tx, {
        reservationId: `rsv_${randomUUID()}`,
        mode: "live",
        causeType: "test",
        causeId: "one",
        amountMicros: usdMicros(amount),
        at: AT,
        recordedAt: command.at ?? AT,
        ...command,
      }),
    );

  const settle = (tenantId: TenantId, reservationId: string, amount: bigint | null) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      settleReservation(tx, {
        reservationId,
        committedMicros: amount === null ? null : usdMicros(amount),
        at: AT,
      }),
    );

  /** Returns what a budget holds and has spent, per period. */
  const numbersOf = async (tenantId: TenantId, of: NewBudget) => {
    const rows = await harness.app.db
      .selectFrom("budgetPeriods")
      .select(["heldMicros", "spentMicros"])
      .where("tenantId", "=", tenantId)
      .where("budgetId", "=", budgetIdOf(of))
      .orderBy("periodStart")
      .execute();
    return rows.map(({ heldMicros, spentMicros }) => [heldMicros, spentMicros]);
  };

  const wrongBudgets = (tenantId: TenantId) =>
    withTransaction(harness.app.db, tenantId, (tx) => listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }));

  /**
   * Sends 20 reservations at once against one project cap. A third of them draws on a provider with a cap of 60, the
   * others on providers whose caps are never reached.
   */
  async function reserveAtOnce(tenantId: TenantId, limit: bigint, amount: bigint) {
    const project = budget(limit, { subjectType: "project_cap" });
    const providers = [budget(60n), budget(null), budget(1_000n)];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const provider = providers[index % providers.length] as NewBudget;
        return reserve(tenantId, amount, { budgets: [provider, project] });
      }),
    );
    const accepted = outcomes.map(({ outcome }) => outcome === "reserved");
    const capped = accepted.filter((isAccepted, index) => isAccepted && index % 3 === 0).length;
    return { project, total: BigInt(accepted.filter(Boolean).length), capped: BigInt(capped) };
  }

  const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

  it(
    "20 reservations at once get exactly what fits into both caps",
    async () => {
      const tenantId = await harness.seedDeveloper();
      for (let round = 0; round < repetitions(25); round += 1) {
        const limit = BigInt(100 + round);
        const amount = BigInt(1 + (round % 13));

        const { project, total, capped } = await reserveAtOnce(tenantId, limit, amount);

        // 7 of the 20 draw on the provider with the small cap.
        const demand = 13n + smaller(7n, 60n / amount);
        expect(total).toBe(smaller(limit / amount, demand));
        expect(capped * amount).toBeLessThanOrEqual(60n);
        expect(await numbersOf(tenantId, project)).toEqual([[total * amount, 0n]]);
      }
      expect(await wrongBudgets(tenantId)).toEqual([]);
    },
    testMaxMs(60_000),
  );

  it("refused: names the first budget that is too small, and reserves nothing in any budget", async () => {
    const tenantId = await harness.seedDeveloper();
    const large = budget(100n, { subjectType: "agent_rule" });
    const small = budget(10n, { subjectType: "project_cap" });
    await reserve(tenantId, 4n, { budgets: [small] });

    const outcome = await reserve(tenantId, 7n, { budgets: [small, large] });

    expect(outcome).toEqual({
      outcome: "refused",
      budget: small,
      limitMicros: 10n,
      usedMicros: 4n,
      resetsAt: new Date("2026-12-01T00:00:00.000Z"),
      alertSequence: null,
    });
    expect(await numbersOf(tenantId, large)).toEqual([]);
    expect(await numbersOf(tenantId, small)).toEqual([[4n, 0n]]);
  });

  it("a budget that counts operations and takes its maximum from the call is reserved and released with the amount", async () => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(100n, { subjectType: "project_cap" });
    const counted = {
      ...budget(null, { subjectType: "agent_rule", period: "rolling_1h" }),
      maxMicros: usdMicros(2n),
      countedMicros: usdMicros(1n),
    };
    const ids = ["a", "b"].map((name) => `rsv_${name}${randomUUID()}`);

    for (const reservationId of ids) {
      await reserve(tenantId, 30n, { budgets: [cap, counted], reservationId });
    }

    expect(await reserve(tenantId, 30n, { budgets: [cap, counted] })).toMatchObject({
      outcome: "refused",
      budget: counted,
      limitMicros: 2n,
      usedMicros: 2n,
    });
    expect(await numbersOf(tenantId, cap)).toEqual([[60n, 0n]]);
    expect(await numbersOf(tenantId, counted)).toEqual([[2n, 0n]]);
    const [committed = "", released = ""] = ids;
    await settle(tenantId, committed, 20n);
    await settle(tenantId, released, null);
    expect(await numbersOf(tenantId, cap)).toEqual([[0n, 20n]]);
    expect(await numbersOf(tenantId, counted)).toEqual([[0n, 1n]]);
    expect(await reserve(tenantId, 1_000n, { budgets: [{ ...cap, maxMicros: NO_MAXIMUM }, counted] })).toMatchObject({
      outcome: "reserved",
    });
    expect(await wrongBudgets(tenantId)).toEqual([]);
  });

  it("not_opened: a budget that must be opened does not exist, or its month is not open", async () => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(10n, { subjectType: "project_cap" });
    const { period: _period, limitMicros: _limit, ...named } = cap;
    const open = (month: string) =>
      withTransaction(harness.app.db, tenantId, (tx) =>
        openBudget(tx, { ...cap, tenantId, mode: "live" }, new Date(month)),
      );

    expect(await reserve(tenantId, 1n, { budgets: [named] })).toEqual({ outcome: "not_opened" });
    expect(await open("2026-10-01T00:00:00Z")).toBeNull();
    expect(await reserve(tenantId, 1n, { budgets: [named] })).toEqual({ outcome: "not_opened" });
    expect(await open("2026-11-01T00:00:00Z")).toEqual(new Date("2026-10-01T00:00:00Z"));
    expect(await open("2026-09-01T00:00:00Z")).toEqual(MONTH);
    expect(await reserve(tenantId, 1n, { budgets: [named] })).toMatchObject({
      outcome: "reserved",
    });
  });

  it("a reservation is settled once: committed for less or more, or released", async () => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(10n);
    const ids = ["less", "more", "released"].map((name) => `rsv_${name}${randomUUID()}`);
    for (const reservationId of ids) await reserve(tenantId, 3n, { budgets: [cap], reservationId });
    const [less = "", more = "", released = ""] = ids;

    const outcomes = await Promise.all([
      ...Array.from({ length: 8 }, () => settle(tenantId, less, 1n)),
      ...Array.from({ length: 8 }, () => settle(tenantId, more, 20n)),
      ...Array.from({ length: 8 }, () => settle(tenantId, released, null)),
    ]);

    expect(outcomes.filter((alerts) => alerts !== undefined)).toHaveLength(3);
    expect(await numbersOf(tenantId, cap)).toEqual([[0n, 21n]]);
    expect(await settle(tenantId, "rsv_unknown", 1n)).toBeUndefined();
    expect(await reserve(tenantId, 1n, { budgets: [cap] })).toMatchObject({
      outcome: "refused",
      usedMicros: 21n,
    });
    expect(await wrongBudgets(tenantId)).toEqual([]);
  });

  it("an amount that is owed may exceed the limit, and nothing new fits afterwards", async () => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(10n);

    await reserve(tenantId, 25n, { budgets: [cap], isOwed: true });

    expect(await numbersOf(tenantId, cap)).toEqual([[25n, 0n]]);
    expect(await reserve(tenantId, 1n, { budgets: [cap] })).toMatchObject({ outcome: "refused" });
    expect(await reserve(tenantId, 0n, { budgets: [budget(0n)] })).toMatchObject({
      outcome: "reserved",
    });
  });

  it.each([
    ["calendar_day", "2026-11-22T00:00:00.000Z", "2026-11-21T23:59:59.999Z"],
    ["calendar_month", "2026-12-01T00:00:00.000Z", "2026-11-30T23:59:59.999Z"],
    // The amount was reserved in the minute of 10:20 or in the hour of 10:00, and counts in the 60 minutes or 24, 168 or
    // 720 hours after it.
    ["rolling_1h", "2026-11-21T11:21:00.000Z", "2026-11-21T11:20:59.999Z"],
    ["rolling_24h", "2026-11-22T11:00:00.000Z", "2026-11-22T10:59:59.999Z"],
    ["rolling_7d", "2026-11-28T11:00:00.000Z", "2026-11-28T10:59:59.999Z"],
    ["rolling_30d", "2026-12-21T11:00:00.000Z", "2026-12-21T10:59:59.999Z"],
  ] as const)("%s: a full budget resets at %s, and not before", async (period, resetsAt, before) => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(10n, { period });
    await reserve(tenantId, 10n, { budgets: [cap] });

    const refused = await reserve(tenantId, 1n, { budgets: [cap], at: new Date(before) });

    expect(refused).toMatchObject({ outcome: "refused", resetsAt: new Date(resetsAt) });
    const accepted = await reserve(tenantId, 10n, { budgets: [cap], at: new Date(resetsAt) });
    expect(accepted).toMatchObject({ outcome: "reserved" });
  });

  it("rolling_1h: 20 reservations at once on both sides of a minute get exactly what fits", async () => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(7n, { period: "rolling_1h" });
    const sides = [new Date("2026-11-21T10:20:59.999Z"), new Date("2026-11-21T10:21:00.000Z")];

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reserve(tenantId, 1n, { budgets: [cap], at: sides[index % 2] as Date })),
    );

    expect(outcomes.filter(({ outcome }) => outcome === "reserved")).toHaveLength(7);
  });

  describe("alerts", () => {
    async function openCap(limit: bigint) {
      const tenantId = await harness.seedDeveloper();
      const cap = budget(limit, { subjectType: "project_cap" });
      await withTransaction(harness.app.db, tenantId, (tx) =>
        openBudget(tx, { ...cap, tenantId, mode: "live" }, MONTH),
      );
      const alertsOf = async (amount: bigint) => {
        const outcome = await reserve(tenantId, amount, { budgets: [cap] });
        return "alerts" in outcome ? outcome.alerts.map(({ percent, sequence }) => [percent, sequence]) : outcome;
      };
      return { tenantId, cap, alertsOf };
    }

    it("50, 80 and 100 percent are reported once a month, with consecutive numbers", async () => {
      const { tenantId, cap, alertsOf } = await openCap(100n);
      const reservationId = `rsv_${randomUUID()}`;

      expect(await alertsOf(49n)).toEqual([]);
      const first = await reserve(tenantId, 31n, { budgets: [cap], reservationId });
      expect(first).toMatchObject({
        alerts: [
          { percent: 50, sequence: 1, heldMicros: 80n, spentMicros: 0n, limitMicros: 100n },
          { percent: 80, sequence: 2, periodStart: MONTH },
        ],
      });
      await settle(tenantId, reservationId, null);
      expect(await alertsOf(31n)).toEqual([]);
      expect(await alertsOf(20n)).toEqual([[100, 3]]);
    });

    it("exactly one of 20 reservations at once reports each percentage", async () => {
      const { alertsOf } = await openCap(20n);

      const alerts = (await Promise.all(Array.from({ length: 20 }, () => alertsOf(1n)))).flat();

      expect(alerts.toSorted()).toEqual([
        [100, 3],
        [50, 1],
        [80, 2],
      ]);
    });

    it("a lower limit and a cost above the reserved one report what they reach", async () => {
      const { tenantId, cap } = await openCap(100n);
      const reservationId = `rsv_${randomUUID()}`;
      await reserve(tenantId, 10n, { budgets: [cap], reservationId });

      const lowered = await withTransaction(harness.app.db, tenantId, (tx) =>
        setBudgetLimits(tx, [{ ...cap, limitMicros: usdMicros(20n) }], AT),
      );
      const committed = await settle(tenantId, reservationId, 20n);

      expect(lowered.map(({ percent }) => percent)).toEqual([50]);
      expect(committed?.map(({ percent }) => percent)).toEqual([80, 100]);
    });

    it("a refusal is reported at most once a minute", async () => {
      const { tenantId, cap } = await openCap(1n);
      const refuse = async (at: string) => {
        const refused = await reserve(tenantId, 2n, { budgets: [cap], at: new Date(at) });
        return "alertSequence" in refused ? refused.alertSequence : refused;
      };

      expect(await refuse("2026-11-21T10:00:00.000Z")).toBe(1);
      expect(await refuse("2026-11-21T10:00:59.999Z")).toBeNull();
      expect(await refuse("2026-11-21T10:01:00.000Z")).toBe(2);
    });
  });

  it("another tenant's reservation and budget with the same ids are not touched", async () => {
    const [one, two] = [await harness.seedDeveloper(), await harness.seedDeveloper()];
    const cap = budget(10n);
    const reservationId = `rsv_${randomUUID()}`;
    await reserve(one, 10n, { budgets: [cap], reservationId });

    expect(await settle(two, reservationId, null)).toBeUndefined();
    expect(await reserve(two, 10n, { budgets: [cap], reservationId })).toMatchObject({
      outcome: "reserved",
    });
    expect(await numbersOf(one, cap)).toEqual([[10n, 0n]]);
  });

  it.each([
    ["held_micros", "update budget_periods set held_micros = held_micros + 1"],
    ["spent_micros", "update budget_periods set spent_micros = spent_micros + 1"],
    ["a missing period", "delete from budget_periods"],
    ["a missing reservation", "delete from budget_reservation_lines"],
    ["a settled reservation", "update budget_reservations set status = 'released'"],
  ])("listWrongBudgets: finds %s", async (_name, change) => {
    const tenantId = await harness.seedDeveloper();
    const cap = budget(10n);
    await reserve(tenantId, 4n, { budgets: [cap] });
    expect(await wrongBudgets(tenantId)).toEqual([]);

    await withTransaction(harness.app.db, tenantId, (tx) => sql.raw(change).execute(tx));

    expect(await wrongBudgets(tenantId)).toMatchObject([{ budgetId: budgetIdOf(cap) }]);
  });
});
