import type { Timing } from "./compare.ts";
import type { LoginScenario } from "./login-scenario.ts";
import { warmUp } from "./measure.ts";
import { type PacedLatency, pacedLatency } from "./paced-load.ts";
import { type Spread, spread } from "./spread.ts";

/** Signed requests, on a machine that is far from busy with them: what is measured then is what the logins take away. */
const REQUESTS_PER_SECOND = 500;

export interface LoginFigures {
  readonly loginsAtOnce: number;
  readonly requestsPerSecond: number;
  readonly timing: Timing;
  /** Of the signed requests, of each round. */
  readonly alone: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  readonly beside: { readonly p50Ms: Spread; readonly p99Ms: Spread };
  /** The p99 beside logins over the p99 alone, of each round. */
  readonly p99Ratio: Spread;
  readonly loginsPerSecond: Spread;
}

/** Measures signed requests with logins beside them and without, in turn. */
export async function measureLogins(
  scenario: LoginScenario,
  timing: Timing,
): Promise<LoginFigures> {
  const { rounds, roundSeconds, warmUpSeconds } = timing;
  const alone = () => signedLatency(scenario, roundSeconds);
  const { process, origin, signed } = scenario;
  await warmUp({ name: "Purser", process, origin, sent: signed }, warmUpSeconds);
  await besideLogins(scenario, alone);

  const taken: { readonly alone: PacedLatency; readonly beside: Beside }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await alone();
      taken.push({ alone: first, beside: await besideLogins(scenario, alone) });
    } else {
      const first = await besideLogins(scenario, alone);
      taken.push({ alone: await alone(), beside: first });
    }
  }
  return {
    loginsAtOnce: scenario.logins.length,
    requestsPerSecond: REQUESTS_PER_SECOND,
    timing,
    alone: spreads(taken.map((round) => round.alone)),
    beside: spreads(taken.map((round) => round.beside)),
    p99Ratio: spread(taken.map((round) => round.beside.p99Ms / round.alone.p99Ms)),
    loginsPerSecond: spread(taken.map((round) => round.beside.loginsPerSecond)),
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

interface Beside extends PacedLatency {
  readonly loginsPerSecond: number;
}

/** Measures while everybody logs in over and over. */
async function besideLogins(
  { logins }: LoginScenario,
  measure: () => Promise<PacedLatency>,
): Promise<Beside> {
  let goesOn = true;
  let count = 0;
  const beganMs = performance.now();
  const loops = Promise.all(
    logins.map(async (logIn) => {
      while (goesOn) {
        await logIn();
        count += 1;
      }
    }),
  );
  const stopped = measure().finally(() => {
    goesOn = false;
  });
  const [latency] = await Promise.all([stopped, loops]);
  return { ...latency, loginsPerSecond: (count * 1_000) / (performance.now() - beganMs) };
}
