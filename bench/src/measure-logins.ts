import type { Timing } from "./compare.ts";
import type { LoginScenario } from "./login-scenario.ts";
import { warmUp } from "./measure.ts";
import { type PacedLatency, pacedLatency } from "./paced-load.ts";
import { type Spread, spread } from "./spread.ts";

/** This rate is too low to saturate the machine. On a saturated machine, requests are slow even without logins. */
const REQUESTS_PER_SECOND = 500;

export interface LoginFigures {
  readonly concurrentLogins: number;
  readonly requestsPerSecond: number;
  readonly timing: Timing;
  /** Latency of the signed requests without logins. */
  readonly alone: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  readonly duringLogins: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  /** Ratio of the p99 during logins to the p99 without logins in each round. */
  readonly p99Ratio: Spread;
  readonly loginsPerSecond: Spread;
}

/** Measures the latency of signed requests, alternately with and without concurrent logins. */
export async function measureLogins(scenario: LoginScenario, timing: Timing): Promise<LoginFigures> {
  const { rounds, roundSeconds, warmUpSeconds } = timing;
  const alone = () => signedLatency(scenario, roundSeconds);
  const { process, origin, signed } = scenario;
  await warmUp({ name: "Purser", process, origin, sent: signed }, warmUpSeconds);
  await measureDuringLogins(scenario, alone);

  const samples: { readonly alone: PacedLatency; readonly duringLogins: DuringLogins }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await alone();
      samples.push({ alone: first, duringLogins: await measureDuringLogins(scenario, alone) });
    } else {
      const first = await measureDuringLogins(scenario, alone);
      samples.push({ alone: await alone(), duringLogins: first });
    }
  }
  return {
    concurrentLogins: scenario.logins.length,
    requestsPerSecond: REQUESTS_PER_SECOND,
    timing,
    alone: spreads(samples.map((round) => round.alone)),
    duringLogins: spreads(samples.map((round) => round.duringLogins)),
    p99Ratio: spread(samples.map((round) => round.duringLogins.p99Ms / round.alone.p99Ms)),
    loginsPerSecond: spread(samples.map((round) => round.duringLogins.loginsPerSecond)),
  };
}

function spreads(latencies: readonly PacedLatency[]) {
  return {
    p50Ms: spread(latencies.map(({ p50Ms }) => p50Ms)),
    p99Ms: spread(latencies.map(({ p99Ms }) => p99Ms)),
  };
}

function signedLatency({ origin, signed }: LoginScenario, seconds: number): Promise<PacedLatency> {
  return pacedLatency({ origin, next: signed, perSecond: REQUESTS_PER_SECOND, seconds });
}

interface DuringLogins extends PacedLatency {
  readonly loginsPerSecond: number;
}

/** Runs `measure` while every client logs in repeatedly. */
async function measureDuringLogins(
  { logins }: LoginScenario,
  measure: () => Promise<PacedLatency>,
): Promise<DuringLogins> {
  let isRunning = true;
  let count = 0;
  const startedMs = performance.now();
  const loops = Promise.all(
    logins.map(async (logIn) => {
      while (isRunning) {
        await logIn();
        count += 1;
      }
    }),
  );
  const stopped = measure().finally(() => {
    isRunning = false;
  });
  const [latency] = await Promise.all([stopped, loops]);
  return { ...latency, loginsPerSecond: (count * 1_000) / (performance.now() - startedMs) };
}
