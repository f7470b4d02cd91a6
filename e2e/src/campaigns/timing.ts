import { randomBytes, randomUUID } from "node:crypto";
import { createPasswordHasher } from "@purser/service/crypto/passwords.ts";
import { seedDeveloper, seedKeyPair, seedPassword } from "../../../service/test/seeds.ts";
import { anonymous, type Caller, signing } from "../conformance/callers.ts";
import type { Replicas } from "./replicas.ts";

/** What is said to be told apart by chance only. */
const AUC_MAX = 0.55;
/** Reached only by whoever holds the whole pair, who knows of the key without measuring anything. */
const HOLDERS_ONLY: ReadonlySet<string> = new Set(["expired key", "another network"]);
/** After the fifth wrong password an address asks for a captcha. */
const LOGINS_PER_ADDRESS = 4;
const WARM_UP = 50;

export interface TimingCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  /** Of each class. */
  readonly samples: number;
  readonly onProgress: (message: string) => void;
}

export interface TimingFigures {
  /** What whoever measures would like to tell apart. */
  readonly classes: readonly [string, string];
  readonly samples: number;
  /** How often a guess by the time alone is right, of two answers one of each class: 0.5 is chance, 1 is always. */
  readonly auc: number;
  readonly medianMs: readonly [number, number];
}

/** Whether somebody outside learns nothing by measuring. */
export function isAlike({ classes, auc }: TimingFigures): boolean {
  return auc <= AUC_MAX || classes.some((name) => HOLDERS_ONLY.has(name));
}

/** A request of a class. Given which of its class it is, from 0. */
type Ask = (index: number) => ReturnType<Caller>;

interface Question {
  readonly status: number;
  /** The first is held against each of the others. */
  readonly classes: Readonly<Record<string, Ask>>;
}

/**
 * Measures how long refusals take that are to look alike: those of signed requests, and of logins. One request at a time,
 * the classes by turns and in a new order each turn, so that whatever else the machine does hits all of them alike.
 */
export async function runTimingCampaign(campaign: TimingCampaign): Promise<TimingFigures[]> {
  const figures: TimingFigures[] = [];
  for (const question of [await refusedRequests(campaign), await refusedLogins(campaign)]) {
    figures.push(...compare(await measure(question, campaign)));
  }
  return figures;
}

async function refusedRequests({ replicas: { urls, seeds } }: TimingCampaign): Promise<Question> {
  const [url] = urls;
  const tenantId = await seedDeveloper(seeds);
  const me = { method: "GET", path: "/developers/me" } as const;
  const pair = await seedKeyPair(seeds, tenantId);
  // The same one each time: what was asked for before is remembered, whether it is there or not. That a key was in use lately
  // can be told by the first try, but by nobody who does not hold it: keys are 256 bits of chance.
  const unknown = {
    apiKey: `svc_sk_live_${randomBytes(32).toString("base64url")}`,
    apiSecret: pair.apiSecret,
  };
  const expired = await seedKeyPair(seeds, tenantId, { expiresAt: new Date(Date.now() - 1_000) });
  const elsewhere = await seedKeyPair(seeds, tenantId, { ipAllowlist: ["198.51.100.0/24"] });
  const wrong = { ...pair, apiSecret: `${pair.apiSecret}x` };
  return {
    status: 401,
    classes: {
      "unknown key": () => signing(url, unknown)(me),
      "wrong signature": () => signing(url, wrong)(me),
      "expired key": () => signing(url, expired)(me),
      "another network": () => signing(url, elsewhere)(me),
    },
  };
}

async function refusedLogins({
  replicas: { urls, seeds },
  samples,
}: TimingCampaign): Promise<Question> {
  const [url] = urls;
  const hash = await createPasswordHasher({ concurrencyMax: 1 }).hash("tin whistle under glass");
  const known: string[] = [];
  const unknown: string[] = [];
  for (let made = 0; made < (samples + WARM_UP) / LOGINS_PER_ADDRESS; made += 1) {
    const tenantId = await seedDeveloper(seeds);
    await seedPassword(seeds, tenantId, hash);
    known.push(`${tenantId}@example.com`);
    unknown.push(`${nobody()}@example.com`);
  }
  const logIn = (emails: readonly string[]) => (index: number) =>
    anonymous(url)({
      method: "POST",
      path: "/developers/login",
      body: { email: emails[Math.floor(index / LOGINS_PER_ADDRESS)], password: "not the password" },
    });
  return {
    status: 401,
    classes: { "login, unknown address": logIn(unknown), "login, known address": logIn(known) },
  };
}

/** As long as an id that somebody has. */
function nobody(): string {
  return `dev_${randomUUID().replaceAll("-", "")}`;
}

async function measure(
  { status, classes }: Question,
  { samples, onProgress }: TimingCampaign,
): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(classes).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < samples + WARM_UP; turn += 1) {
    for (const [name, ask] of shuffled(Object.entries(classes))) {
      const answer = await ask(turn);
      if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      times.get(name)?.push(answer.elapsedMs);
    }
    if ((turn + 1) % 500 === 0) onProgress(`timing: ${turn + 1} turns of ${[...times.keys()]}`);
  }
  return new Map([...times].map(([name, all]) => [name, all.slice(WARM_UP)]));
}

function compare(times: ReadonlyMap<string, readonly number[]>): TimingFigures[] {
  const [first, ...others] = [...times];
  if (first === undefined) return [];
  const [name, own] = first;
  return others.map(([other, its]) => ({
    classes: [name, other],
    samples: own.length,
    auc: rounded(areaUnderCurve(own, its)),
    medianMs: [rounded(medianOf(own)), rounded(medianOf(its))],
  }));
}

/** By ranks (Mann and Whitney), equal times counted half; whichever of the two takes longer. */
function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const sorted = [
    ...one.map((ms) => ({ ms, isOne: true })),
    ...other.map((ms) => ({ ms, isOne: false })),
  ];
  sorted.sort((a, b) => a.ms - b.ms);
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.ms === sorted[from]?.ms) to += 1;
    const ones = sorted.slice(from, to).filter(({ isOne }) => isOne).length;
    rankSum += (ones * (from + 1 + to)) / 2;
    from = to;
  }
  const area = (rankSum - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
  return Math.max(area, 1 - area);
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
