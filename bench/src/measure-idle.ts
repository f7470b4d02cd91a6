import { setTimeout as wait } from "node:timers/promises";
import type { Timing } from "./compare.ts";
import type { ServerProcess, StartServer } from "./server-process.ts";
import { type Spread, spread } from "./spread.ts";
import type { Stores } from "./stores.ts";

const PURSER_SERVICE = new URL("./servers/purser-service.ts", import.meta.url);

/** Idle rounds are longer than other rounds, so that each round also includes jobs that run only every few seconds. */
const ROUND_LENGTH_FACTOR = 3;
/** Delay before the first measurement, so that work that Purser does right after it starts is not measured. */
const SETTLE_SECONDS = 35;

export interface IdleFigures {
  readonly rounds: number;
  readonly roundSeconds: number;
  /** The server's CPU use in percent of one core, excluding PostgreSQL. */
  readonly cpuPercent: Spread;
  readonly transactionsPerSecond: Spread;
}

export interface IdleScenario {
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros">;
  /** Returns the number of transactions that the database has completed. */
  countTransactions(): Promise<number>;
}

/** Starts a Purser process with both roles (API and worker). */
export async function startIdleScenario(start: StartServer, stores: Stores): Promise<IdleScenario> {
  return {
    process: await start(PURSER_SERVICE, stores.configFor("idle")),
    countTransactions: async () => {
      let transactions = Number.NaN;
      await stores.asSuperuser(async (client) => {
        const { rows } = await client.query<{ count: string }>(
          "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
        );
        transactions = Number(rows[0]?.count);
      });
      return transactions;
    },
  };
}

/** Measures CPU use and transactions while the process receives no requests. */
export async function measureIdle({ process, countTransactions }: IdleScenario, timing: Timing): Promise<IdleFigures> {
  const roundSeconds = ROUND_LENGTH_FACTOR * timing.roundSeconds;
  await wait(SETTLE_SECONDS * 1_000);
  const samples: { readonly cpuPercent: number; readonly transactionsPerSecond: number }[] = [];
  for (let round = 0; round < timing.rounds; round += 1) {
    const transactionsBefore = await countTransactions();
    const cpuBefore = await process.cpuMicros();
    const startedMs = performance.now();
    await wait(roundSeconds * 1_000);
    const cpuMicros = (await process.cpuMicros()) - cpuBefore;
    const seconds = (performance.now() - startedMs) / 1_000;
    const transactions = (await countTransactions()) - transactionsBefore;
    samples.push({
      cpuPercent: cpuMicros / seconds / 10_000,
      transactionsPerSecond: transactions / seconds,
    });
  }
  return {
    rounds: timing.rounds,
    roundSeconds,
    cpuPercent: spread(samples.map(({ cpuPercent }) => cpuPercent)),
    transactionsPerSecond: spread(samples.map(({ transactionsPerSecond: perSecond }) => perSecond)),
  };
}
