import { setTimeout as wait } from "node:timers/promises";
import type { AuditScenario, AuditServer } from "./audit-scenario.ts";
import { type Spread, spread } from "./spread.ts";

/** Interval between memory readings during verification. */
const MEMORY_INTERVAL_MS = 20;
const MIB = 1_048_576;

export interface AuditFigures {
  readonly entries: number;
  readonly rounds: number;
  readonly seconds: Spread;
  /** Peak memory use during verification, minus the memory use before it. */
  readonly aboveIdleMiB: Spread;
  /** The server's CPU time, excluding PostgreSQL. */
  readonly cpuSeconds: Spread;
}

export async function measureAuditVerify(
  { entries, startServer }: AuditScenario,
  rounds: number,
): Promise<AuditFigures> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer();
    samples.push(await measureOnce(server));
    await server.stop();
  }
  return {
    entries,
    rounds,
    seconds: spread(samples.map(({ seconds }) => seconds)),
    aboveIdleMiB: spread(samples.map(({ aboveIdleMiB }) => aboveIdleMiB)),
    cpuSeconds: spread(samples.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

interface Sample {
  readonly seconds: number;
  readonly aboveIdleMiB: number;
  readonly cpuSeconds: number;
}

async function measureOnce({ process, verify }: AuditServer): Promise<Sample> {
  const idleBytes = await process.residentBytes();
  const cpuBefore = await process.cpuMicros();
  const startedMs = performance.now();
  let peakBytes = idleBytes;
  const verified = verify();
  const ended = verified.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, wait(MEMORY_INTERVAL_MS, false)]))) {
    peakBytes = Math.max(peakBytes, await process.residentBytes());
  }
  await verified;
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuSeconds = ((await process.cpuMicros()) - cpuBefore) / 1_000_000;
  peakBytes = Math.max(peakBytes, await process.residentBytes());
  return { seconds, cpuSeconds, aboveIdleMiB: (peakBytes - idleBytes) / MIB };
}
