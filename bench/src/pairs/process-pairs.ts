import { execFileSync } from "node:child_process";
import type { Pair } from "../compare.ts";
import { SIGNED_PATH } from "../paths.ts";
import { CALLERS, seedPayers } from "../payments/payers.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner, roundRobin } from "../signer.ts";
import type { Stores } from "../stores.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);
const PURSER_SERVICE = new URL("../servers/purser-service.ts", import.meta.url);
const PROCESSES_MAX = 4;
const WORKERS = 2;
const CORE = "0";
const GOAL = 0.95;

/**
 * Starts four API processes and two workers on one PostgreSQL and one Redis, and compares two and four with one. All API
 * processes run on one core, so that they have the same CPU time together, and each has as many callers as one alone.
 */
export async function startProcessPairs(
  start: StartServer,
  stores: Stores,
  redisUrl: string,
): Promise<readonly Pair[]> {
  const tenants = await seedPayers(start, stores);
  const config = { ...stores.configFor("processes"), claimsFile: null, redisUrl };
  const processes = await Promise.all(
    Array.from({ length: PROCESSES_MAX }, () => start<PurserReady>(PURSER, { ...config, roles: ["api"] })),
  );
  for (const { pid } of processes) execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", CORE, String(pid)]);
  for (let count = 0; count < WORKERS; count += 1) await start(PURSER_SERVICE, { ...config, roles: ["worker"] });
  const sent = roundRobin(tenants.map((tenant) => ({ signer: createSigner(tenant), path: SIGNED_PATH })));
  const targetOf = (count: number) => {
    const used = processes.slice(0, count);
    return {
      name: `${count} processes`,
      process: {
        cpuMicros: async () => {
          const each = await Promise.all(used.map(({ cpuMicros }) => cpuMicros()));
          return each.reduce((sum, micros) => sum + micros, 0);
        },
      },
      origin: used.map(({ ready }) => ready.origin),
      connections: CALLERS * count,
      sent,
    };
  };
  const baseline = targetOf(1);
  return [2, PROCESSES_MAX].map((count) => ({
    title: `signed GET by ${count} API processes ÷ 1 on one core, with ${WORKERS} workers, one PostgreSQL and one Redis`,
    ...{ goal: GOAL, candidate: targetOf(count), baseline },
  }));
}
