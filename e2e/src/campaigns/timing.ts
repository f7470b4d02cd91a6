import { randomBytes, randomUUID } from "node:crypto";
import { createPasswordHasher } from "@purser/service/crypto/passwords.ts";
import { seedDeveloper, seedKeyPair, seedPassword } from "../../../service/test/seeds.ts";
import { type Caller, signedCaller, unauthenticatedCaller } from "../conformance/callers.ts";
import type { Replicas } from "./replicas.ts";

/** Two classes of requests count as indistinguishable if the area under the ROC curve is at most this value. */
const AUC_MAX = 0.55;
/** Only the key pair's owner can cause these rejections, so their timing reveals nothing to others. */
const OWNER_ONLY: ReadonlySet<string> = new Set(["expired key", "another network"]);
/** Fewer than five, because a login needs a captcha after five wrong passwords for an email address. */
const LOGINS_PER_ADDRESS = 4;
const WARM_UP = 50;

export interface TimingCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  /** Number of requests per class. */
  readonly samples: number;
  readonly onProgress: (message: string) => void;
}

export interface TimingFigures {
  /** The names of the two classes of rejected requests. */
  readonly classes: readonly [string, string];
  readonly samples: number;
  /** Area under the ROC curve: 0.5 if response times do not distinguish the classes, 1 if they always do. */
  readonly auc: number;
  readonly medianMs: readonly [number, number];
}

/** Returns true if an outsider cannot distinguish the two classes by their response times. */
export function isIndistinguishable({ classes, auc }: TimingFigures): boolean {
  return auc <= AUC_MAX || classes.some((name) => OWNER_ONLY.has(name));
}

/** Sends one request of a class. `index` counts the requests of that class from 0. */
type SendRequest = (index: number) => ReturnType<Caller>;

interface Comparison {
  readonly status: number;
  /** The first class is compared with each of the other classes. */
  readonly classes: Readonly<Record<string, SendRequest>>;
}

/**
 * Measures the response times of rejected signed requests and of rejected logins, which must be indistinguishable.
 * Requests are sent one at a time. The order of the classes is random in each round, so that other load affects all
 * classes equally.
 */
export async function runTimingCampaign(campaign: TimingCampaign): Promise<TimingFigures[]> {
  const figures: TimingFigures[] = [];
  for (const comparison of [await refusedRequests(campaign), await refusedLogins(campaign)]) {
    figures.push(...compare(await measure(comparison, campaign)));
  }
  return figures;
}

async function refusedRequests({ replicas: { urls, seeds } }: TimingCampaign): Promise<Comparison> {
  const [url] = urls;
  const tenantId = await seedDeveloper(seeds);
  const me = { method: "GET", path: "/developers/me" } as const;
  const pair = await seedKeyPair(seeds, tenantId);
  // All requests of this class use the same unknown key. The server caches that the key does not exist, just as it
  // caches existing keys. The class is therefore comparable with the classes that use an existing key.
  const unknown = {
    apiKey: `svc_sk_live_${randomBytes(32).toString("base64url")}`,
    apiSecret: pair.apiSecret,
  };
  const expired = await seedKeyPair(seeds, tenantId, { expiresAt: new Date(Date.now() - 1_000) });
  const otherNetwork = await seedKeyPair(seeds, tenantId, { ipAllowlist: ["198.51.100.0/24"] });
  const wrong = { ...pair, apiSecret: `${pair.apiSecret}x` };
  return {
    status: 401,
    classes: {
      "unknown key": () => signedCaller(url, unknown)(me),
      "wrong signature": () => signedCaller(url, wrong)(me),
      "expired key": () => signedCaller(url, expired)(me),
      "another network": () => signedCaller(url, otherNetwork)(me),
    },
  };
}

async function refusedLogins({ replicas: { urls, seeds }, samples }: TimingCampaign): Promise<Comparison> {
  const [url] = urls;
  const hash = await createPasswordHasher({ concurrencyMax: 1 }).hash("tin whistle under glass");
  const known: string[] = [];
  const unknown: string[] = [];
  for (let count = 0; count < (samples + WARM_UP) / LOGINS_PER_ADDRESS; count += 1) {
    const tenantId = await seedDeveloper(seeds);
    await seedPassword(seeds, tenantId, hash);
    known.push(`${tenantId}@example.com`);
    unknown.push(`${unknownId()}@example.com`);
  }
  const logIn = (emails: readonly string[]) => (index: number) =>
    unauthenticatedCaller(url)({
      method: "POST",
      path: "/developers/login",
      body: { email: emails[Math.floor(index / LOGINS_PER_ADDRESS)], password: "not the password" },
    });
  return {
    status: 401,
    classes: { "login, unknown address": logIn(unknown), "login, known address": logIn(known) },
  };
}

/** Returns a random ID that no developer has. */
function unknownId(): string {
  return `dev_${randomUUID().replaceAll("-", "")}`;
}

async function measure(
  { status, classes }: Comparison,
  { samples, onProgress }: TimingCampaign,
): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(classes).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < samples + WARM_UP; turn += 1) {
    for (const [name, send] of shuffled(Object.entries(classes))) {
      const response = await send(turn);
      if (response.status !== status) throw new Error(`${name}: ${response.status} ${response.text}`);
      times.get(name)?.push(response.elapsedMs);
    }
    if ((turn + 1) % 500 === 0) onProgress(`timing: ${turn + 1} turns of ${[...times.keys()]}`);
  }
  return new Map([...times].map(([name, all]) => [name, all.slice(WARM_UP)]));
}

function compare(times: ReadonlyMap<string, readonly number[]>): TimingFigures[] {
  const [first, ...others] = [...times];
  if (first === undefined) return [];
  const [name, firstTimes] = first;
  return others.map(([other, otherTimes]) => ({
    classes: [name, other],
    samples: firstTimes.length,
    auc: rounded(areaUnderCurve(firstTimes, otherTimes)),
    medianMs: [rounded(medianOf(firstTimes)), rounded(medianOf(otherTimes))],
  }));
}

/**
 * Returns the area under the ROC curve, calculated as the Mann-Whitney statistic. The result is at least 0.5,
 * regardless of which class is slower. A pair of equal times counts as one half.
 */
function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const sorted = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))];
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
