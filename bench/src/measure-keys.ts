import { type Comparison, compare, type Timing } from "./compare.ts";
import { fetchJson } from "./fetch-json.ts";
import type { KeyScenario, KeyServer } from "./key-scenario.ts";
import type { Target } from "./measure.ts";
import { SIGNED_PATH } from "./paths.ts";
import { inTurn } from "./signer.ts";
import { type Spread, spread } from "./spread.ts";

/** Keys whose first requests are not counted: the servers compile what is hot, and open their connections. */
const WARM_UP_KEYS = 100;
const KEYS_PER_ROUND = 150;

/** "Flat within 15 %". */
const GOAL = 0.85;

export interface KeyFigures {
  readonly first: FirstRequests;
  /** What comes after, when the keys are known to the process. */
  readonly later: Comparison;
}

/** The first request of a key, which is read from the database, one at a time. */
export interface FirstRequests {
  readonly goal: number;
  readonly manyKeys: number;
  readonly fewKeys: number;
  /** Of each round. */
  readonly manyMedianMs: Spread;
  readonly fewMedianMs: Spread;
  /** The few's median over the many's, of each round: more is better. */
  readonly ratio: Spread;
}

export async function measureKeys(scenario: KeyScenario, timing: Timing): Promise<KeyFigures> {
  const first = await measureFirstRequests(scenario, timing.rounds);
  for (const server of [scenario.few, scenario.many])
    await medianMs(server, 0, server.signers.length);
  const later = await compare(
    {
      title: `signed GET among ${scenario.many.keys} keys ÷ among ${scenario.few.keys}`,
      goal: GOAL,
      ours: targetOf(scenario.many),
      baseline: targetOf(scenario.few),
    },
    timing,
  );
  return { first, later };
}

function targetOf({ keys, process, origin, signers }: KeyServer): Target {
  const callers = signers.map((signer) => ({ signer, path: SIGNED_PATH }));
  return { name: `${keys} keys`, process, origin, sent: inTurn(callers) };
}

async function measureFirstRequests(
  { few, many }: KeyScenario,
  rounds: number,
): Promise<FirstRequests> {
  for (const server of [few, many]) await medianMs(server, 0, WARM_UP_KEYS);

  const taken: { readonly few: number; readonly many: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = WARM_UP_KEYS + round * KEYS_PER_ROUND;
    const to = from + KEYS_PER_ROUND;
    if (round % 2 === 0) {
      const first = await medianMs(many, from, to);
      taken.push({ many: first, few: await medianMs(few, from, to) });
    } else {
      const first = await medianMs(few, from, to);
      taken.push({ few: first, many: await medianMs(many, from, to) });
    }
  }
  return {
    goal: GOAL,
    manyKeys: many.keys,
    fewKeys: few.keys,
    manyMedianMs: spread(taken.map((round) => round.many)),
    fewMedianMs: spread(taken.map((round) => round.few)),
    ratio: spread(taken.map((round) => round.few / round.many)),
  };
}

async function medianMs({ origin, signers }: KeyServer, from: number, to: number): Promise<number> {
  const taken: number[] = [];
  for (const signer of signers.slice(from, to)) {
    const headers = signer("GET", SIGNED_PATH);
    const beganMs = performance.now();
    await fetchJson(origin, SIGNED_PATH, headers);
    taken.push(performance.now() - beganMs);
  }
  return spread(taken).median;
}
