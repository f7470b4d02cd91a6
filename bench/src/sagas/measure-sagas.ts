import { ROTATION_STEPS } from "../servers/baseline-sagas/rotate-service.ts";
import { STEPS } from "../servers/baseline-sagas/service-response.ts";
import { type Spread, spread } from "../spread.ts";
import type { SagaScenario, SagaServer } from "./saga-scenario.ts";

/** All services are deleted after this many pairs of sagas. */
const PAIRS_PER_CLEAR = 20;

export interface SagaTiming {
  /** Number of sagas that one caller starts on each server, alternating between the two. */
  readonly pairs: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly warmUpSeconds: number;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Latencies {
  readonly purser: Latency;
  readonly baseline: Latency;
  /** Purser's median latency minus the baseline's, divided by the number of steps. */
  readonly addedMsPerStep: number;
}

export interface Load {
  readonly sagasPerSecond: Spread;
  /** Median server CPU time per saga, excluding PostgreSQL and the vendor. */
  readonly cpuMsPerSaga: number;
  /** Median number of round trips to PostgreSQL per saga, including those of background jobs. */
  readonly roundTripsPerSaga: number;
}

export interface SagaFigures {
  readonly timing: SagaTiming;
  readonly callers: number;
  readonly oneCaller: Latencies;
  /** One caller's rotations of a service's credentials. */
  readonly rotations: Latencies;
  readonly manyCallers: {
    readonly purser: Load;
    readonly baseline: Load;
    /** Ratio of Purser's sagas per second to the baseline's in each round. */
    readonly ratio: Spread;
  };
  /** Purser's figures when all callers add services to the same projects. */
  readonly sharedProjects: Load;
}

export async function measureSagas(scenario: SagaScenario, timing: SagaTiming): Promise<SagaFigures> {
  const { purser, baseline, projects } = scenario;
  await loadFor(scenario, purser, projects, timing.warmUpSeconds);
  await loadFor(scenario, baseline, projects, timing.warmUpSeconds);

  const oneCaller = await measureAdditions(scenario, timing.pairs);
  const rounds = await inRounds(timing.rounds, async (round) => {
    const load = (server: SagaServer) => loadFor(scenario, server, projects, timing.roundSeconds);
    if (round % 2 === 0) return { purser: await load(purser), baseline: await load(baseline) };
    const first = await load(baseline);
    return { purser: await load(purser), baseline: first };
  });
  // All callers share the first caller's projects. They cannot share a single project, because a project can contain
  // only 100 services, and a round adds more.
  const shared = projects.map(() => projects[0] ?? []);
  const sharedRounds = await inRounds(timing.rounds, () => loadFor(scenario, purser, shared, timing.roundSeconds));
  const rotate = await scenario.startRotations();
  return {
    timing,
    callers: projects.length,
    oneCaller,
    rotations: await measureAlternately({
      pairs: timing.pairs,
      steps: ROTATION_STEPS.length,
      operate: (name) => rotate[name](),
    }),
    manyCallers: {
      purser: loadOf(rounds.map((round) => round.purser)),
      baseline: loadOf(rounds.map((round) => round.baseline)),
      ratio: spread(rounds.map((round) => round.purser.perSecond / round.baseline.perSecond)),
    },
    sharedProjects: loadOf(sharedRounds),
  };
}

async function inRounds<Sample>(rounds: number, take: (round: number) => Promise<Sample>): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await take(round));
  return samples;
}

async function measureAdditions(scenario: SagaScenario, pairs: number): Promise<Latencies> {
  const own = scenario.projects[0] ?? [];
  return measureAlternately({
    pairs,
    steps: STEPS.length,
    prepare: async (pair) => {
      if (pair % PAIRS_PER_CLEAR === 0) await scenario.clear();
    },
    operate: (name, pair) => scenario[name].add(own[pair % own.length] ?? ""),
  });
}

/** One caller runs operations in pairs, one on each server. Every second pair reverses the order. */
async function measureAlternately({
  pairs,
  steps,
  prepare = async () => {},
  operate,
}: {
  readonly pairs: number;
  readonly steps: number;
  /** Runs before each pair, and is not measured. */
  readonly prepare?: (pair: number) => Promise<void>;
  readonly operate: (name: "purser" | "baseline", pair: number) => Promise<unknown>;
}): Promise<Latencies> {
  const durationsMs = { purser: [] as number[], baseline: [] as number[] };
  for (let pair = 0; pair < pairs; pair += 1) {
    await prepare(pair);
    const order = ["purser", "baseline"] as const;
    for (const name of pair % 2 === 0 ? order : order.toReversed()) {
      const startedMs = performance.now();
      await operate(name, pair);
      durationsMs[name].push(performance.now() - startedMs);
    }
  }
  const [purser, baseline] = [latencyOf(durationsMs.purser), latencyOf(durationsMs.baseline)];
  return { purser, baseline, addedMsPerStep: (purser.p50Ms - baseline.p50Ms) / steps };
}

function latencyOf(tookMs: readonly number[]): Latency {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const p99Ms = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  return { p50Ms: spread(tookMs).median, p99Ms };
}

interface Round {
  readonly perSecond: number;
  readonly cpuMsPerSaga: number;
  readonly roundTripsPerSaga: number;
}

/**
 * Runs all callers concurrently. Each adds services to the projects in its own list. Sagas that are still running when
 * the time ends are completed and counted.
 */
async function loadFor(
  { clear }: SagaScenario,
  { add, process }: SagaServer,
  projects: readonly (readonly string[])[],
  seconds: number,
): Promise<Round> {
  await clear();
  const cpuBefore = await process.cpuMicros();
  const roundTripsBefore = await process.roundTrips();
  const startedMs = performance.now();
  let sagas = 0;
  const call = async (own: readonly string[]) => {
    for (let turn = 0; performance.now() - startedMs < seconds * 1_000; turn += 1) {
      await add(own[turn % own.length] ?? "");
      sagas += 1;
    }
  };
  await Promise.all(projects.map(call));
  const tookSeconds = (performance.now() - startedMs) / 1_000;
  const cpuMs = ((await process.cpuMicros()) - cpuBefore) / 1_000;
  const roundTrips = (await process.roundTrips()) - roundTripsBefore;
  return {
    perSecond: sagas / tookSeconds,
    cpuMsPerSaga: cpuMs / sagas,
    roundTripsPerSaga: roundTrips / sagas,
  };
}

function loadOf(rounds: readonly Round[]): Load {
  return {
    sagasPerSecond: spread(rounds.map(({ perSecond }) => perSecond)),
    cpuMsPerSaga: spread(rounds.map(({ cpuMsPerSaga }) => cpuMsPerSaga)).median,
    roundTripsPerSaga: spread(rounds.map(({ roundTripsPerSaga }) => roundTripsPerSaga)).median,
  };
}
