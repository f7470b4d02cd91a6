import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { measure, warmUp } from "../measure.ts";
import { type StartServer, startServerProcess } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import type { Stores } from "../stores.ts";
import { CALLERS, paymentsOf, seedPayers } from "./payers.ts";
import { payOnceEach } from "./payment-scenario.ts";
import { readServerProfile } from "./server-profile.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);
/** Linux counts CPU time in these ticks. */
const TICK_MICROS = 10_000;

/** The settings of PostgreSQL that `measurePaymentCpu` needs. */
export const STATEMENT_SETTINGS = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "top",
  "pg_stat_statements.track_planning": "on",
};

/** What each statement of a payment does, and a part of its text. The first that matches counts. */
const STATEMENTS: readonly (readonly [name: string, part: RegExp])[] = [
  ["begin, tenant, commit", /^(begin|commit|start transaction)|set_config/i],
  ["read the facts", /purser_read_payment_facts/],
  ["check that the facts are current", /purser_require_(payment_facts|policy_revision)/],
  ["reserve and move", /purser_spend_or_raise/],
  ["claim key and signature", /insert into idempotency_records/],
  ["write payment, audit entry, event, answer", /insert into "?events/],
];

export interface PaymentCpu {
  readonly paymentsPerSecond: number;
  readonly serverMicros: number;
  /** Shares of the server's CPU time. */
  readonly server: Readonly<Record<string, number>>;
  /** Undefined on a system without `/proc`. */
  readonly postgresMicros: number | undefined;
  /** Shares of the time in which PostgreSQL plans and executes statements. */
  readonly postgres: Readonly<Record<string, number>>;
}

/** Measures which code and which statements use the CPU while agents pay. The database needs `STATEMENT_SETTINGS`. */
export async function measurePaymentCpu(
  start: StartServer,
  stores: Stores,
  { warmUpSeconds, seconds }: { readonly warmUpSeconds: number; readonly seconds: number },
): Promise<PaymentCpu> {
  const tenants = await seedPayers(start, stores);
  const folder = await mkdtemp(join(tmpdir(), "purser-profile-"));
  try {
    const config = { ...stores.configFor("payments"), claimsFile: null };
    const server = await startServerProcess<PurserReady>(PURSER, config, { profileDir: folder });
    const { origin } = server.ready;
    await payOnceEach(stores, origin, tenants);
    const target = { name: "Purser", process: server, origin, connections: CALLERS };
    const payments = { ...target, sent: paymentsOf(tenants) };
    await warmUp(payments, warmUpSeconds);
    await onDatabase(stores, (client) =>
      client.query("create extension if not exists pg_stat_statements; select pg_stat_statements_reset()"),
    );
    const ticksBefore = await onDatabase(stores, cpuTicks);
    const measured = await measure(payments, seconds);
    const count = measured.requestsPerSecond * seconds;
    const ticks = await onDatabase(stores, cpuTicks);
    const postgres = await onDatabase(stores, statementShares);
    await server.stop();
    return {
      paymentsPerSecond: measured.requestsPerSecond,
      serverMicros: measured.cpuMicrosPerRequest,
      server: await readServerProfile(folder, seconds),
      postgresMicros:
        ticks === undefined || ticksBefore === undefined ? undefined : ((ticks - ticksBefore) * TICK_MICROS) / count,
      postgres,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onDatabase<Result>(stores: Stores, work: (client: Client) => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  await stores.asSuperuser(async (client) => void results.push(await work(client)));
  const [result] = results;
  if (results.length === 0) throw new Error("The work was not done.");
  return result as Result;
}

/** Returns the CPU time of all processes of PostgreSQL that are connected to something. */
async function cpuTicks(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where pid <> pg_backend_pid()",
  );
  const ticks = await Promise.all(rows.map(({ pid }) => ticksOf(pid)));
  const known = ticks.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

async function ticksOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name of the process, in parentheses, can contain spaces. User and system time are 11 and 12 fields after it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields === undefined ? undefined : Number(fields[11]) + Number(fields[12]);
}

async function statementShares(client: Client): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ query: string; ms: number }>(
    "select query, total_exec_time + total_plan_time as ms from pg_stat_statements",
  );
  const sums = new Map<string, number>();
  for (const { query, ms } of rows) {
    const name = STATEMENTS.find(([, part]) => part.test(query))?.[0] ?? "other";
    sums.set(name, (sums.get(name) ?? 0) + ms);
  }
  const total = [...sums.values()].reduce((sum, ms) => sum + ms, 0);
  const shares = [...sums].map(([name, ms]) => [name, ms / total] as const);
  return Object.fromEntries(shares.toSorted(([, a], [, b]) => b - a));
}
