import { seedDeveloper, seedKeyPair, seedSession } from "../../../service/test/seeds.ts";
import { bearing, type Call, type Caller, signing } from "../conformance/callers.ts";
import { text } from "../conformance/world.ts";
import type { Answer, KeyPair } from "../signed-client.ts";
import { until } from "../until.ts";
import type { Replicas } from "./replicas.ts";

const DEVELOPERS = "/developers";
const ME = `${DEVELOPERS}/me`;
const KEYS = `${ME}/keys`;

/** After so many replacements the callers go on with another account: its access token is good for a quarter of an hour. */
const REPLACEMENTS_OF_AN_ACCOUNT = 50;
/** How many requests each replica must have accepted under a key before it is replaced, and have answered afterwards. */
const SEEN_BY_EACH = 8;
const SEEN_WITHIN_MS = 60_000;

/** The ways in which a key ends at once. */
export const WAYS = ["rotate-key", "compromised", "revoked"] as const;
export type Way = (typeof WAYS)[number];

export interface RotateKeyCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  readonly way: Way;
  readonly callers: number;
  readonly replacements: number;
  readonly onProgress: (message: string) => void;
}

export interface RotateKeyFigures {
  readonly way: Way;
  readonly replacements: number;
  readonly requests: number;
  readonly accepted: number;
  /** Refusals of requests that began after the answer that ended their key. */
  readonly refusedAfterTheEnd: number;
  /** Acceptances of requests that began after the answer that ended their key. */
  readonly acceptedAfterTheEnd: number;
  /** Refusals under a key that nobody had begun to end. */
  readonly refusedBeforeTheEnd: number;
  readonly milliseconds: number;
}

/** A key as its callers have it. */
interface Key extends KeyPair {
  readonly keyId: string;
  /** When the request began that ends it, and when its answer was there, by `performance.now()`. */
  endBegunAtMs: number;
  endedAtMs: number;
  /** Of each replica: how many requests it has accepted, and answered that began after the end. */
  readonly accepted: [number, number];
  readonly triedAfter: [number, number];
}

type Counts = {
  -readonly [Name in Exclude<
    keyof RotateKeyFigures,
    "way" | "replacements" | "milliseconds"
  >]: number;
};

/**
 * Replaces a key again and again while callers of both replicas use it, and go on using it when it is over. Nothing that
 * begins after the answer may be accepted. Throws where a replacement fails, or where the callers do not get to show it.
 */
export async function runRotateKeyCampaign({
  replicas,
  way,
  callers,
  replacements,
  onProgress,
}: RotateKeyCampaign): Promise<RotateKeyFigures> {
  const counts: Counts = {
    requests: 0,
    accepted: 0,
    refusedAfterTheEnd: 0,
    acceptedAfterTheEnd: 0,
    refusedBeforeTheEnd: 0,
  };
  const beganAtMs = performance.now();
  for (let done = 0; done < replacements; done += REPLACEMENTS_OF_AN_ACCOUNT) {
    const account = await openAccount(replicas, way);
    const share = Math.min(REPLACEMENTS_OF_AN_ACCOUNT, replacements - done);
    await hammerWhileReplacing(account, { replicas, callers, counts, replacements: share });
    onProgress(`${way}: ${done + share} of ${replacements} replaced`);
  }
  const milliseconds = Math.round(performance.now() - beganAtMs);
  return { way, replacements, ...counts, milliseconds };
}

interface Account {
  readonly first: Key;
  /** Ends the key, by the replica of this number, and gives its successor: its last call is the one that ends it. */
  replace(key: Key, replica: number): Promise<Key>;
}

async function openAccount({ urls, seeds }: RotateKeyCampaign["replicas"], way: Way) {
  const tenantId = await seedDeveloper(seeds);
  const { accessToken } = await seedSession(seeds, tenantId);
  const beside = await seedKeyPair(seeds, tenantId);
  const sessions = urls.map((url) => bearing(url, accessToken));
  const signers = urls.map((url) => signing(url, beside));
  const post = (path: string, body?: object): Call => ({
    method: "POST",
    path,
    ...(body !== undefined && { body }),
  });
  const issue = async (replica: number) =>
    keyIn(requireOk(await requireCaller(signers[replica])(post(KEYS, { name: "one" }))), "");
  const rotatePair = async (replica: number) =>
    keyIn(
      requireOk(await requireCaller(sessions[replica])(post(`${DEVELOPERS}/rotate-key`))),
      "key.",
    );

  const ways: Readonly<Record<Way, Account["replace"]>> = {
    "rotate-key": (_, replica) => rotatePair(replica),
    compromised: async ({ keyId }, replica) => {
      const call = post(`${KEYS}/${keyId}/rotate`, { reason: "compromised" });
      const answer = await requireCaller(signers[replica])(call);
      // An earlier try has done it, and its answer was lost with the successor's secret.
      return answer.status === 409 ? issue(replica) : keyIn(requireOk(answer), "key.");
    },
    revoked: async ({ keyId }, replica) => {
      const successor = await issue(replica);
      const call = { method: "DELETE", path: `${KEYS}/${keyId}` } as const;
      requireOk(await requireCaller(signers[replica])(call));
      return successor;
    },
  };
  return { first: await (way === "rotate-key" ? rotatePair(0) : issue(0)), replace: ways[way] };
}

async function hammerWhileReplacing(
  { first, replace }: Account,
  {
    replicas: { urls },
    callers,
    counts,
    replacements,
  }: {
    readonly replicas: Pick<Replicas, "urls">;
    readonly callers: number;
    readonly counts: Counts;
    readonly replacements: number;
  },
): Promise<void> {
  let [former, current] = [first, first];
  let over = false;
  const hammer = async (caller: number) => {
    for (let turn = 0; !over; turn += 1) {
      const replica = caller % 2 === 0 ? 0 : 1;
      await tryKey(turn % 2 === 0 ? current : former, { url: urls[replica], replica, counts });
    }
  };
  const work = async () => {
    for (let number = 0; number < replacements; number += 1) {
      const ending = current;
      await seenByBoth("accepts a key", ending.accepted);
      ending.endBegunAtMs = performance.now();
      const successor = await replace(ending, number % 2);
      ending.endedAtMs = performance.now();
      [former, current] = [ending, successor];
      await seenByBoth("is asked under a key that has ended", ending.triedAfter);
    }
  };
  const hammering = Promise.all(Array.from({ length: callers }, (_, caller) => hammer(caller)));
  // A caller that fails ends the work as well, which would wait for it in vain.
  await Promise.race([work(), hammering]).finally(() => {
    over = true;
  });
  await hammering;
}

/** One request under the key, judged by when it began and not by when it was answered. */
async function tryKey(
  key: Key,
  {
    url,
    replica,
    counts,
  }: { readonly url: string; readonly replica: 0 | 1; readonly counts: Counts },
): Promise<void> {
  const { status, startedAtMs, elapsedMs } = await signing(url, key, { retriesMax: 0 })({
    method: "GET",
    path: ME,
  });
  const isAccepted = status === 200;
  const beganAfterTheEnd = startedAtMs > key.endedAtMs;
  const answeredBeforeTheEnd = startedAtMs + elapsedMs < key.endBegunAtMs;
  counts.requests += 1;
  if (isAccepted) {
    counts.accepted += 1;
    key.accepted[replica] += 1;
  }
  if (beganAfterTheEnd) key.triedAfter[replica] += 1;
  if (beganAfterTheEnd && isAccepted) counts.acceptedAfterTheEnd += 1;
  if (beganAfterTheEnd && status === 401) counts.refusedAfterTheEnd += 1;
  if (answeredBeforeTheEnd && status === 401) counts.refusedBeforeTheEnd += 1;
}

async function seenByBoth(what: string, counted: readonly [number, number]): Promise<void> {
  const enough = async () => Math.min(...counted) >= SEEN_BY_EACH || undefined;
  await until(`each replica ${what}`, enough, SEEN_WITHIN_MS);
}

function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new Error("There is no such replica.");
  return caller;
}

function requireOk(answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`A replacement: ${answer.status} ${answer.text}`);
  return answer;
}

/** The key of an answer that shows a new pair. */
function keyIn(answer: Answer, below: "" | "key."): Key {
  return {
    keyId: text(answer, `${below}key_id`),
    apiKey: text(answer, "api_key"),
    apiSecret: text(answer, "api_secret"),
    endBegunAtMs: Number.POSITIVE_INFINITY,
    endedAtMs: Number.POSITIVE_INFINITY,
    accepted: [0, 0],
    triedAfter: [0, 0],
  };
}
