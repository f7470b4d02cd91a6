import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../../test/campaign.ts";
import { run } from "../../../test/database.ts";
import { type ApiResponse, useHarness } from "../../../test/harness.ts";
import { countDebitsOfFrozenAccounts, logDebitsOfFrozenAccounts } from "../../../test/payments/debit-log.ts";
import { expectSumsToMatch } from "../../../test/payments/money-state.ts";
import { type Payer, seedPayer } from "../../../test/payments/pay.ts";
import { seedWallet } from "../../../test/wallets/seed-wallet.ts";
import { cancelFrozenPayments } from "../../modules/payments/end-waiting-payments.ts";

/** Payments that race a freeze of their wallet: two are sent, one is authorized, and one is captured. */
const PAYMENTS_EACH = 4;
const ROUNDS = Math.ceil(repetitions(96) / PAYMENTS_EACH);
/** Rounds that run at once, each with its own tenant. */
const LANES = 2;
/** In all but one of this number of rounds, another transaction holds the account's row until payments wait for it. */
const ROUNDS_PER_FREE_ROUND = 20;
/** The share of freezes that must meet a payment that waits for the same row. It is lower on a busy machine. */
const HELD_SHARE_MIN = isCampaign ? 0.8 : 0.5;
const OPENING_BASE_UNITS = 10_000_000_000n;
const AMOUNT_BASE_UNITS = 1_000_000n;
const DELAY_MAX_MS = 12;
const WAITING_MAX_MS = 300;
const RULES = [
  { id: "allow", effect: "allow", operation: "payment" },
  {
    id: "day",
    effect: "limit",
    operation: "payment",
    budget: { max: "1000000.00", currency: "usd", period: "rolling_24h" },
  },
];

interface Round {
  readonly payer: Payer;
  readonly answers: readonly ApiResponse[];
  /** The number of payments that waited for the account's row when the freeze was sent. */
  readonly waiting: number;
  /** What left or was held in the wallet when the freeze had answered, and when all payments had. */
  readonly moves: readonly [after204: string, atTheEnd: string];
}

describe("payments against a freeze of their wallet", () => {
  const harness = useHarness({
    environment: { PURSER_KEY_BURST: "10000000", PURSER_AGENTS_MAX: "100000" },
  });
  let holders: readonly pg.Client[];

  beforeAll(async () => {
    await logDebitsOfFrozenAccounts(harness.database);
    const { superuserUrl } = harness.database;
    holders = Array.from({ length: LANES }, () => new pg.Client(superuserUrl));
    for (const holder of holders) await holder.connect();
  });
  afterAll(async () => {
    for (const holder of holders) await holder.end();
  });

  it(
    "nothing is settled after the 204, and everything that was held is released",
    async () => {
      const rounds: Round[] = [];
      let started = 0;
      const lanes = holders.map(async (holder) => {
        const newPayer = await payersOfNewTenant();
        while (started < ROUNDS) {
          started += 1;
          const isHeld = started % ROUNDS_PER_FREE_ROUND > 0;
          rounds.push(await race(holder, await newPayer(), isHeld));
        }
      });
      await Promise.all(lanes);

      for (const { moves } of rounds) expect(moves[1]).toBe(moves[0]);
      expect(await countDebitsOfFrozenAccounts(harness)).toBe(0);
      for (const round of rounds) await expectAcknowledgedSums(round);
      await cancelFrozenPayments(harness.app);
      for (const { payer } of rounds) expect((await payer.balance()).held).toBe(0n);
      expect(await openOf(rounds)).toEqual({ waiting: 0, holds: 0, reservations: 0 });
      const tenantIds = new Set(rounds.map(({ payer }) => payer.tenant.tenantId));
      for (const tenantId of tenantIds) await expectSumsToMatch(harness.app, tenantId);

      const figures = figuresOf(rounds);
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures.freezesThatMetAWaitingPayment).toBeGreaterThan(ROUNDS * HELD_SHARE_MIN);
      expect(figures.settled).toBeGreaterThan(0);
      expect(figures.refusedAsFrozen).toBeGreaterThan(0);
    },
    testMaxMs(60_000),
  );

  // It compares times, so it runs only in the campaign.
  it.runIf(isCampaign)(
    "a wallet with 1,000 open authorizations freezes as fast as one without",
    async () => {
      const count = 1_000;
      const newPayer = await payersOfNewTenant();
      const [full, empty] = [await newPayer(), await newPayer()];
      for (let number = 0; number < count; number += 1) {
        await full.pay({ execution: "authorize_only", amount: "1" });
      }
      const ofFull: number[] = [];
      const ofEmpty: number[] = [];
      for (let number = 0; number < 100; number += 1) {
        ofEmpty.push(await timeFreeze(empty));
        ofFull.push(await timeFreeze(full));
      }

      expect((await full.balance()).held).toBe(BigInt(count) * AMOUNT_BASE_UNITS);
      const figures = { authorizations: count, fullMs: median(ofFull), emptyMs: median(ofEmpty) };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures.fullMs).toBeLessThan(2 * figures.emptyMs + 5);
    },
    testMaxMs(60_000),
  );

  /** Creates a tenant. Returns a function that creates an agent with a funded wallet. */
  async function payersOfNewTenant(): Promise<() => Promise<Payer>> {
    const tenant = await harness.seedTenant({ mode: "test" });
    const policy = await tenant.post("/policies", { name: "payers", rules: RULES });
    const policyId: string = policy.body.policy_id;
    return () => seedPayer(harness, { tenant, policyId, baseUnits: OPENING_BASE_UNITS });
  }

  async function race(holder: pg.Client, payer: Payer, isHeld: boolean): Promise<Round> {
    const to = (await seedWallet(harness.app, { ...payer.tenant, agentId: randomUUID() })).address;
    const execution = "authorize_only";
    const { body } = await payer.pay({ to, execution, amount: "1" });
    if (isHeld) await hold(holder, payer);
    const sending = [
      payer.pay({ to, amount: "1" }),
      payer.pay({ amount: "1" }),
      payer.pay({ execution, amount: "1" }),
      payer.post(`/payments/${body.payment_id}/capture`),
    ];
    const waiting = isHeld ? await untilWaiting(holder) : 0;
    await wait(randomInt(DELAY_MAX_MS));
    const freezing = payer.tenant.post(`/wallets/${payer.walletId}/freeze`, { reason: "anomaly" });
    // The freeze, or the payments, get the row first.
    if (isHeld) await wait(randomInt(DELAY_MAX_MS)).then(() => holder.query("commit"));
    expect((await freezing).status).toBe(204);
    const after204 = await movesOf(payer);
    const answers = await Promise.all(sending);
    return { payer, answers, waiting, moves: [after204, await movesOf(payer)] };
  }

  async function hold(holder: pg.Client, { walletId }: Payer): Promise<void> {
    await holder.query("begin");
    await holder.query("select from ledger_accounts where subject_id = $1 for update", [walletId]);
  }

  /** Waits until all payments, or as many as can, wait for the holder's row. Returns how many do. */
  async function untilWaiting(holder: pg.Client): Promise<number> {
    const untilMs = performance.now() + WAITING_MAX_MS;
    for (;;) {
      // The first waits for the holder, and the others for the first.
      const { rows } = await holder.query<{ count: number }>(`
        with recursive waiting as (
          select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))
          union select later.pid from pg_stat_activity as later
            join waiting on waiting.pid = any(pg_blocking_pids(later.pid))
        ) select count(*)::integer as count from waiting`);
      const count = rows[0]?.count ?? 0;
      if (count >= PAYMENTS_EACH || performance.now() > untilMs) return count;
    }
  }

  /** Counts and adds what left the wallet or was held in it. */
  async function movesOf({ walletId }: Payer): Promise<string> {
    const { rows } = await sql<{ moves: string }>`
      select count(*) || ' ' || coalesce(sum(transfer.amount), 0) as moves from ledger_transfers as transfer
      join ledger_accounts as debit on debit.account_id = transfer.debit_account_id
      where debit.subject_id = ${walletId} and transfer.kind <> 'void'`.execute(harness.app.db);
    return rows[0]?.moves ?? "";
  }

  /** Fails unless exactly the acknowledged payments left the wallet. */
  async function expectAcknowledgedSums({ payer, answers }: Round): Promise<void> {
    const settled = answers.filter(({ body }) => SETTLED.has(body.status)).length;
    const { total } = await payer.balance();
    expect(total).toBe(OPENING_BASE_UNITS - BigInt(settled) * AMOUNT_BASE_UNITS);
  }

  async function openOf(rounds: readonly Round[]) {
    const tenantIds = [...new Set(rounds.map(({ payer }) => payer.tenant.tenantId))];
    const { rows } = await sql<Record<string, number>>`
      select
        (select count(*)::integer from payments where tenant_id = any(${tenantIds})
          and status in ('authorized', 'requires_approval')) as waiting,
        (select count(*)::integer from ledger_transfers as hold where tenant_id = any(${tenantIds}) and kind = 'hold'
          and not exists (select from ledger_transfers as done where done.tenant_id = hold.tenant_id
            and done.pending_id = hold.transfer_id)) as holds,
        (select count(*)::integer from budget_reservations where tenant_id = any(${tenantIds})
          and status = 'held') as reservations`.execute(harness.app.db);
    return rows[0];
  }

  /** Freezes the wallet, and restores it afterwards with its authorizations. Returns how long the freeze took. */
  async function timeFreeze({ tenant, walletId }: Payer): Promise<number> {
    // Equal requests of one second have the same signature.
    harness.clock.advanceSeconds(1);
    const startedMs = performance.now();
    const frozen = await tenant.post(`/wallets/${walletId}/freeze`, { reason: "anomaly" });
    const elapsedMs = performance.now() - startedMs;
    expect(frozen.status).toBe(204);
    // An unfreeze would cancel the authorizations.
    await run(
      harness.database.superuserUrl,
      `update ledger_accounts set frozen = null where subject_id = '${walletId}';
       update wallets set status = 'active', freeze_mode = null, freeze_source = null, frozen_at = null
         where wallet_id = '${walletId}'`,
    );
    return elapsedMs;
  }
});

const SETTLED = new Set(["confirmed", "captured"]);

function figuresOf(rounds: readonly Round[]) {
  const answers = rounds.flatMap((round) => round.answers);
  const countOf = (matches: (answer: ApiResponse) => boolean) => answers.filter(matches).length;
  return {
    payments: answers.length,
    freezes: rounds.length,
    freezesThatMetAWaitingPayment: rounds.filter(({ waiting }) => waiting > 0).length,
    paymentsThatWaited: rounds.reduce((sum, { waiting }) => sum + waiting, 0),
    settled: countOf(({ body }) => SETTLED.has(body.status)),
    authorized: countOf(({ body }) => body.status === "authorized"),
    refusedAsFrozen: countOf(({ body }) => body.code === "wallet_frozen"),
    others: countOf(({ status, body }) => status !== 200 && body.code !== "wallet_frozen"),
  };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10;
}
