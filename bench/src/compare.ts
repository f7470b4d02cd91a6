import { type Measurement, measure, type Target, warmUp } from "./measure.ts";
import { type Spread, spread } from "./spread.ts";

export interface Pair {
  readonly title: string;
  /** The ratio that is wanted at least. */
  readonly goal: number;
  readonly ours: Target;
  readonly baseline: Target;
}

export interface Timing {
  readonly rounds: number;
  readonly roundSeconds: number;
  readonly warmUpSeconds: number;
}

export interface Comparison {
  readonly title: string;
  readonly goal: number;
  /** Our requests per second over the baseline's, of each round. */
  readonly throughput: Spread;
  /** The baseline's CPU time for a request over ours, of each round: as above, more is better. */
  readonly cpu: Spread;
  readonly ours: Side;
  readonly baseline: Side;
}

/** The medians of one server. */
export interface Side extends Measurement {
  readonly name: string;
}

/** Measures two servers in turn, and the other way round in every second round, so that neither gains by its place. */
export async function compare(
  { title, goal, ours, baseline }: Pair,
  { rounds, roundSeconds, warmUpSeconds }: Timing,
): Promise<Comparison> {
  await warmUp(ours, warmUpSeconds);
  await warmUp(baseline, warmUpSeconds);

  const taken: { readonly ours: Measurement; readonly baseline: Measurement }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await measure(ours, roundSeconds);
      taken.push({ ours: first, baseline: await measure(baseline, roundSeconds) });
    } else {
      const first = await measure(baseline, roundSeconds);
      taken.push({ ours: await measure(ours, roundSeconds), baseline: first });
    }
  }
  return {
    title,
    goal,
    throughput: spread(
      taken.map((round) => round.ours.requestsPerSecond / round.baseline.requestsPerSecond),
    ),
    cpu: spread(
      taken.map((round) => round.baseline.cpuMicrosPerRequest / round.ours.cpuMicrosPerRequest),
    ),
    ours: { name: ours.name, ...medians(taken.map((round) => round.ours)) },
    baseline: { name: baseline.name, ...medians(taken.map((round) => round.baseline)) },
  };
}

function medians(measurements: readonly Measurement[]): Measurement {
  const medianOf = (figure: keyof Measurement) =>
    spread(measurements.map((measurement) => measurement[figure])).median;
  return {
    requestsPerSecond: medianOf("requestsPerSecond"),
    cpuMicrosPerRequest: medianOf("cpuMicrosPerRequest"),
    p99Ms: medianOf("p99Ms"),
    busy: medianOf("busy"),
  };
}
