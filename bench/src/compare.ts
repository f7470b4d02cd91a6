import { measure, type Target, warmUp } from "./measure.ts";
import type { Measurement } from "./measurement.ts";
import { type Spread, spread } from "./spread.ts";

export interface Pair {
  readonly title: string;
  /** The smallest acceptable ratio of the candidate's requests per second to the baseline's. */
  readonly goal: number;
  readonly candidate: Target;
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
  /** Ratio of the candidate's requests per second to the baseline's in each round. Higher is better. */
  readonly throughput: Spread;
  /** The baseline's CPU time per request divided by the candidate's, for each round. Higher is better. */
  readonly cpu: Spread;
  readonly candidate: ServerFigures;
  readonly baseline: ServerFigures;
}

export interface ServerFigures extends Measurement {
  readonly name: string;
}

/**
 * Measures two servers alternately. Every second round starts with the baseline, so that neither server benefits from
 * the order.
 */
export async function compare(
  { title, goal, candidate, baseline }: Pair,
  { rounds, roundSeconds, warmUpSeconds }: Timing,
): Promise<Comparison> {
  await warmUp(candidate, warmUpSeconds);
  await warmUp(baseline, warmUpSeconds);

  const results: { readonly candidate: Measurement; readonly baseline: Measurement }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await measure(candidate, roundSeconds);
      results.push({ candidate: first, baseline: await measure(baseline, roundSeconds) });
    } else {
      const first = await measure(baseline, roundSeconds);
      results.push({ candidate: await measure(candidate, roundSeconds), baseline: first });
    }
  }
  return {
    title,
    goal,
    throughput: spread(results.map((round) => round.candidate.requestsPerSecond / round.baseline.requestsPerSecond)),
    cpu: spread(results.map((round) => round.baseline.cpuMicrosPerRequest / round.candidate.cpuMicrosPerRequest)),
    candidate: { name: candidate.name, ...medians(results.map((round) => round.candidate)) },
    baseline: { name: baseline.name, ...medians(results.map((round) => round.baseline)) },
  };
}

function medians(measurements: readonly Measurement[]): Measurement {
  const medianOf = (figure: keyof Measurement) => spread(measurements.map((measurement) => measurement[figure])).median;
  return {
    requestsPerSecond: medianOf("requestsPerSecond"),
    cpuMicrosPerRequest: medianOf("cpuMicrosPerRequest"),
    p50Ms: medianOf("p50Ms"),
    p99Ms: medianOf("p99Ms"),
    busy: medianOf("busy"),
  };
}
