import { type Spread, spread } from "../spread.ts";
import type { SagaScenario, SagaServer } from "./saga-scenario.ts";

/** The steps of adding a service. */
const STEPS = 8;
/** How many services a caller adds, of both servers together, before the projects are emptied again. */
const PAIRS_TO_CLEAR = 20;

export interface SagaTiming {
  /** How many sagas one caller has each server run, in turn. */
  readonly pairs: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly warmUpSeconds: number;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly sagasPerSecond: Spread;
  /** The server's own CPU time for a saga, without PostgreSQL's and the vendor's: the median. */
  readonly cpuMsPerSaga: number;
  /** Sent to PostgreSQL, those of the jobs included: the median. */
  readonly statementsPerSaga: number;
}

export interface SagaFigures {
  readonly timing: SagaTiming;
  readonly callers: number;
  readonly oneCaller: { readonly ours: Latency; readonly bare: Latency };
  /** The difference of the medians, over the number of steps. */
  readonly addedMsPerStep: number;
  readonly manyCallers: {
    readonly ours: Load;
    readonly bare: Load;
    /** Our sagas per second over the baseline's, of each round. */
    readonly ratio: Spread;
  };
  /** As many callers of ours, all of them in the same projects at the same time. */
  readonly sharedProjects: Load;
}

export async function measureSagas(
  scenario: SagaScenario,
  timing: SagaTiming,
): Promise<SagaFigures> {
  const { ours, bare, projects } = scenario;
  await loadFor(scenario, ours, projects, timing.warmUpSeconds);
  await loadFor(scenario, bare, projects, timing.warmUpSeconds);

  const oneCaller = await inTurn(scenario, timing.pairs);
  const rounds = await inRounds(timing.rounds, async (round) => {
    const load = (server: SagaServer) => loadFor(scenario, server, projects, timing.roundSeconds);
    if (round % 2 === 0) return { ours: await load(ours), bare: await load(bare) };
    const first = await load(bare);
    return { ours: await load(ours), bare: first };
  });
  // Not one project: it holds a hundred services, and a round adds more.
  const shared = projects.map(() => projects[0] ?? []);
  const sharedRounds = await inRounds(timing.rounds, () =>
    loadFor(scenario, ours, shared, timing.roundSeconds),
  );
  return {
    timing,
    callers: projects.length,
    oneCaller,
    addedMsPerStep: (oneCaller.ours.p50Ms - oneCaller.bare.p50Ms) / STEPS,
    manyCallers: {
      ours: loadOf(rounds.map((round) => round.ours)),
      bare: loadOf(rounds.map((round) => round.bare)),
      ratio: spread(rounds.map((round) => round.ours.perSecond / round.bare.perSecond)),
    },
    sharedProjects: loadOf(sharedRounds),
  };
}

async function inRounds<Taken>(
  rounds: number,
  take: (round: number) => Promise<Taken>,
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await take(round));
  return taken;
}

/** One caller, one saga of each server after the other, and the other way round in every second pair. */
async function inTurn({ ours, bare, projects, clear }: SagaScenario, pairs: number) {
  const own = projects[0] ?? [];
  const took = { ours: [] as number[], bare: [] as number[] };
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % PAIRS_TO_CLEAR === 0) await clear();
    const projectId = own[pair % own.length] ?? "";
    const order = [["ours", ours] as const, ["bare", bare] as const];
    for (const [name, server] of pair % 2 === 0 ? order : order.toReversed()) {
      const beganMs = performance.now();
      await server.add(projectId);
      took[name].push(performance.now() - beganMs);
    }
  }
  return { ours: latencyOf(took.ours), bare: latencyOf(took.bare) };
}

function latencyOf(tookMs: readonly number[]): Latency {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const p99Ms = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  return { p50Ms: spread(tookMs).median, p99Ms };
}

interface Round {
  readonly perSecond: number;
  readonly cpuMsPerSaga: number;
  readonly statementsPerSaga: number;
}

/** All callers for a while, each going round its own projects. The sagas under way at the end are waited for and counted. */
async function loadFor(
  { clear }: SagaScenario,
  { add, process }: SagaServer,
  projects: readonly (readonly string[])[],
  seconds: number,
): Promise<Round> {
  await clear();
  const cpuBefore = await process.cpuMicros();
  const statementsBefore = await process.statements();
  const beganMs = performance.now();
  let sagas = 0;
  const call = async (own: readonly string[]) => {
    for (let turn = 0; performance.now() - beganMs < seconds * 1_000; turn += 1) {
      await add(own[turn % own.length] ?? "");
      sagas += 1;
    }
  };
  await Promise.all(projects.map(call));
  const tookSeconds = (performance.now() - beganMs) / 1_000;
  const cpuMs = ((await process.cpuMicros()) - cpuBefore) / 1_000;
  const statements = (await process.statements()) - statementsBefore;
  return {
    perSecond: sagas / tookSeconds,
    cpuMsPerSaga: cpuMs / sagas,
    statementsPerSaga: statements / sagas,
  };
}

function loadOf(rounds: readonly Round[]): Load {
  return {
    sagasPerSecond: spread(rounds.map(({ perSecond }) => perSecond)),
    cpuMsPerSaga: spread(rounds.map(({ cpuMsPerSaga }) => cpuMsPerSaga)).median,
    statementsPerSaga: spread(rounds.map(({ statementsPerSaga }) => statementsPerSaga)).median,
  };
}
