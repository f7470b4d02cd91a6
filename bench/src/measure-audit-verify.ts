import { setTimeout as wait } from "node:timers/promises";
import type { AuditScenario, AuditServer } from "./audit-scenario.ts";
import { type Spread, spread } from "./spread.ts";

/** How often the process is asked for its memory while it works. */
const LOOK_EVERY_MS = 20;
const MIB = 1_048_576;

export interface AuditFigures {
  readonly entries: number;
  readonly rounds: number;
  readonly seconds: Spread;
  /** The most memory that the process had while it verified, above what it had before. */
  readonly aboveIdleMiB: Spread;
  /** Of the process alone, without PostgreSQL's. */
  readonly cpuSeconds: Spread;
}

export async function measureAuditVerify(
  { entries, startServer }: AuditScenario,
  rounds: number,
): Promise<AuditFigures> {
  const taken: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer();
    taken.push(await measureOnce(server));
    await server.stop();
  }
  return {
    entries,
    rounds,
    seconds: spread(taken.map(({ seconds }) => seconds)),
    aboveIdleMiB: spread(taken.map(({ aboveIdleMiB }) => aboveIdleMiB)),
    cpuSeconds: spread(taken.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

interface Taken {
  readonly seconds: number;
  readonly aboveIdleMiB: number;
  readonly cpuSeconds: number;
}

async function measureOnce({ process, verify }: AuditServer): Promise<Taken> {
  const idleBytes = await process.residentBytes();
  const cpuBefore = await process.cpuMicros();
  const beganMs = performance.now();
  let mostBytes = idleBytes;
  const verified = verify();
  const ended = verified.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, wait(LOOK_EVERY_MS, false)]))) {
    mostBytes = Math.max(mostBytes, await process.residentBytes());
  }
  await verified;
  const seconds = (performance.now() - beganMs) / 1_000;
  const cpuSeconds = ((await process.cpuMicros()) - cpuBefore) / 1_000_000;
  mostBytes = Math.max(mostBytes, await process.residentBytes());
  return { seconds, cpuSeconds, aboveIdleMiB: (mostBytes - idleBytes) / MIB };
}
