import { type Comparison, compare, type Timing } from "./compare.ts";
import { fetchJson } from "./fetch-json.ts";
import type { KeyScenario, KeyServer } from "./key-scenario.ts";
import type { Target } from "./measure.ts";
import { SIGNED_PATH } from "./paths.ts";
import { roundRobin } from "./signer.ts";
import { type Spread, spread } from "./spread.ts";

/**
 * Number of keys for the warm-up, in which the servers compile code and open connections. Requests with these keys are
 * not measured.
 */
const WARM_UP_KEYS = 100;
const KEYS_PER_ROUND = 150;

/** The smallest acceptable ratio of the speed with many keys to the speed with few keys. */
const GOAL = 0.85;

export interface KeyFigures {
  readonly first: FirstRequests;
  /** Requests with keys that the server has already cached. */
  readonly later: Comparison;
}

/**
 * Figures for the first request with each key. The server reads the key from the database during this request. Requests
 * are sent sequentially.
 */
export interface FirstRequests {
  readonly goal: number;
  readonly manyKeys: number;
  readonly fewKeys: number;
  readonly manyMedianMs: Spread;
  readonly fewMedianMs: Spread;
  /** The median with few keys divided by the median with many keys, for each round. Higher is better. */
  readonly ratio: Spread;
}

export async function measureKeys(scenario: KeyScenario, timing: Timing): Promise<KeyFigures> {
  const first = await measureFirstRequests(scenario, timing.rounds);
  for (const server of [scenario.few, scenario.many]) await medianMs(server, 0, server.signers.length);
  const later = await compare(
    {
      title: `signed GET with ${scenario.many.keys} keys ÷ with ${scenario.few.keys}`,
      goal: GOAL,
      candidate: targetOf(scenario.many),
      baseline: targetOf(scenario.few),
    },
    timing,
  );
  return { first, later };
}

function targetOf({ keys, process, origin, signers }: KeyServer): Target {
  const callers = signers.map((signer) => ({ signer, path: SIGNED_PATH }));
  return { name: `${keys} keys`, process, origin, sent: roundRobin(callers) };
}

async function measureFirstRequests({ few, many }: KeyScenario, rounds: number): Promise<FirstRequests> {
  for (const server of [few, many]) await medianMs(server, 0, WARM_UP_KEYS);

  const samples: { readonly few: number; readonly many: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = WARM_UP_KEYS + round * KEYS_PER_ROUND;
    const to = from + KEYS_PER_ROUND;
    if (round % 2 === 0) {
      const first = await medianMs(many, from, to);
      samples.push({ many: first, few: await medianMs(few, from, to) });
    } else {
      const first = await medianMs(few, from, to);
      samples.push({ few: first, many: await medianMs(many, from, to) });
    }
  }
  return {
    goal: GOAL,
    manyKeys: many.keys,
    fewKeys: few.keys,
    manyMedianMs: spread(samples.map((round) => round.many)),
    fewMedianMs: spread(samples.map((round) => round.few)),
    ratio: spread(samples.map((round) => round.few / round.many)),
  };
}

async function medianMs({ origin, signers }: KeyServer, from: number, to: number): Promise<number> {
  const samples: number[] = [];
  for (const signer of signers.slice(from, to)) {
    const headers = signer("GET", SIGNED_PATH);
    const startedMs = performance.now();
    await fetchJson(origin, SIGNED_PATH, headers);
    samples.push(performance.now() - startedMs);
  }
  return spread(samples).median;
}
