import { seedDeveloper, seedKeyPair, seedSession } from "../../../service/test/seeds.ts";
import { bearerCaller, type Call, type Caller, signedCaller } from "../conformance/callers.ts";
import { text } from "../conformance/context.ts";
import type { ApiResponse, KeyPair } from "../signed-client.ts";
import { until } from "../until.ts";
import type { Replicas } from "./replicas.ts";

const DEVELOPERS = "/developers";
const ME = `${DEVELOPERS}/me`;
const KEYS = `${ME}/keys`;

/**
 * Number of key replacements for one account. The next replacements use a new account with a new access token, because
 * an access token expires after 15 minutes.
 */
const REPLACEMENTS_PER_ACCOUNT = 50;
/**
 * Each replica must accept this many requests with a key before the key is replaced. After the replacement, each
 * replica must receive this many requests with the old key.
 */
const REQUESTS_PER_REPLICA = 8;
const REQUESTS_TIMEOUT_MS = 60_000;

/** The ways to invalidate a key immediately. */
export const KEY_ENDINGS = ["rotate-key", "compromised", "revoked"] as const;
export type KeyEnding = (typeof KEY_ENDINGS)[number];

export interface RotateKeyCampaign {
  readonly replicas: Pick<Replicas, "urls" | "seeds">;
  readonly ending: KeyEnding;
  readonly callers: number;
  readonly replacements: number;
  readonly onProgress: (message: string) => void;
}

export interface RotateKeyFigures {
  readonly ending: KeyEnding;
  readonly replacements: number;
  readonly requests: number;
  readonly accepted: number;
  /** Number of requests that started after their key was invalidated and were rejected. */
  readonly refusedAfterEnd: number;
  /** Number of requests that started after their key was invalidated and were accepted. Must be 0. */
  readonly acceptedAfterEnd: number;
  /** Number of requests that ended before the invalidation of their key started and were rejected. Must be 0. */
  readonly refusedBeforeEnd: number;
  readonly milliseconds: number;
}

interface Key extends KeyPair {
  readonly keyId: string;
  /** Start and end of the call that invalidates the key, from `performance.now()`. */
  endStartedAtMs: number;
  endedAtMs: number;
  /** Number of accepted requests per replica. */
  readonly accepted: [number, number];
  /** Number of requests per replica that started after the key was invalidated. */
  readonly triedAfterEnd: [number, number];
}

type Counts = {
  -readonly [Name in Exclude<keyof RotateKeyFigures, "ending" | "replacements" | "milliseconds">]: number;
};

/**
 * Replaces a key repeatedly while callers send requests with the current and the previous key to both replicas.
 * Requests that start after a key was invalidated must be rejected. Throws if a replacement fails or a replica receives
 * too few requests.
 */
export async function runRotateKeyCampaign({
  replicas,
  ending,
  callers,
  replacements,
  onProgress,
}: RotateKeyCampaign): Promise<RotateKeyFigures> {
  const counts: Counts = {
    requests: 0,
    accepted: 0,
    refusedAfterEnd: 0,
    acceptedAfterEnd: 0,
    refusedBeforeEnd: 0,
  };
  const startedAtMs = performance.now();
  for (let done = 0; done < replacements; done += REPLACEMENTS_PER_ACCOUNT) {
    const account = await openAccount(replicas, ending);
    const share = Math.min(REPLACEMENTS_PER_ACCOUNT, replacements - done);
    await sendWhileReplacing(account, { replicas, callers, counts, replacements: share });
    onProgress(`${ending}: ${done + share} of ${replacements} replaced`);
  }
  const milliseconds = Math.round(performance.now() - startedAtMs);
  return { ending, replacements, ...counts, milliseconds };
}

interface Account {
  readonly first: Key;
  /** Replaces the key through one replica and returns the new key. The old key is invalid when the promise resolves. */
  replace(key: Key, replica: number): Promise<Key>;
}

async function openAccount({ urls, seeds }: RotateKeyCampaign["replicas"], ending: KeyEnding) {
  const tenantId = await seedDeveloper(seeds);
  const { accessToken } = await seedSession(seeds, tenantId);
  const otherPair = await seedKeyPair(seeds, tenantId);
  const sessions = urls.map((url) => bearerCaller(url, accessToken));
  const signers = urls.map((url) => signedCaller(url, otherPair));
  const post = (path: string, body?: object): Call => ({
    method: "POST",
    path,
    ...(body !== undefined && { body }),
  });
  const issue = async (replica: number) =>
    keyIn(requireOk(await requireCaller(signers[replica])(post(KEYS, { name: "one" }))), "");
  const rotatePair = async (replica: number) =>
    keyIn(requireOk(await requireCaller(sessions[replica])(post(`${DEVELOPERS}/rotate-key`))), "key.");

  const replaceBy: Readonly<Record<KeyEnding, Account["replace"]>> = {
    "rotate-key": (_, replica) => rotatePair(replica),
    compromised: async ({ keyId }, replica) => {
      const call = post(`${KEYS}/${keyId}/rotate`, { reason: "compromised" });
      const response = await requireCaller(signers[replica])(call);
      // A 409 means that an earlier attempt rotated the key, but its response with the new secret did not arrive.
      return response.status === 409 ? issue(replica) : keyIn(requireOk(response), "key.");
    },
    revoked: async ({ keyId }, replica) => {
      const successor = await issue(replica);
      const call = { method: "DELETE", path: `${KEYS}/${keyId}` } as const;
      requireOk(await requireCaller(signers[replica])(call));
      return successor;
    },
  };
  return {
    first: await (ending === "rotate-key" ? rotatePair(0) : issue(0)),
    replace: replaceBy[ending],
  };
}

async function sendWhileReplacing(
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
  let [previous, current] = [first, first];
  let isDone = false;
  const sendRepeatedly = async (caller: number) => {
    for (let turn = 0; !isDone; turn += 1) {
      const replica = caller % 2 === 0 ? 0 : 1;
      await tryKey(turn % 2 === 0 ? current : previous, { url: urls[replica], replica, counts });
    }
  };
  const work = async () => {
    for (let number = 0; number < replacements; number += 1) {
      const replaced = current;
      await untilBothReplicas("accepts the key", replaced.accepted);
      replaced.endStartedAtMs = performance.now();
      const successor = await replace(replaced, number % 2);
      replaced.endedAtMs = performance.now();
      [previous, current] = [replaced, successor];
      await untilBothReplicas("receives requests with the ended key", replaced.triedAfterEnd);
    }
  };
  const sending = Promise.all(Array.from({ length: callers }, (_, caller) => sendRepeatedly(caller)));
  // If a caller fails, the race ends immediately. `work` alone would wait until its time limit for requests that no
  // caller sends.
  await Promise.race([work(), sending]).finally(() => {
    isDone = true;
  });
  await sending;
}

/**
 * Sends one request with the key and counts the outcome. A request that overlaps the call that invalidates the key may
 * be accepted or rejected.
 */
async function tryKey(
  key: Key,
  { url, replica, counts }: { readonly url: string; readonly replica: 0 | 1; readonly counts: Counts },
): Promise<void> {
  const { status, startedAtMs, elapsedMs } = await signedCaller(url, key, { retriesMax: 0 })({
    method: "GET",
    path: ME,
  });
  const isAccepted = status === 200;
  const startedAfterEnd = startedAtMs > key.endedAtMs;
  const completedBeforeEnd = startedAtMs + elapsedMs < key.endStartedAtMs;
  counts.requests += 1;
  if (isAccepted) {
    counts.accepted += 1;
    key.accepted[replica] += 1;
  }
  if (startedAfterEnd) key.triedAfterEnd[replica] += 1;
  if (startedAfterEnd && isAccepted) counts.acceptedAfterEnd += 1;
  if (startedAfterEnd && status === 401) counts.refusedAfterEnd += 1;
  if (completedBeforeEnd && status === 401) counts.refusedBeforeEnd += 1;
}

async function untilBothReplicas(description: string, counted: readonly [number, number]): Promise<void> {
  const hasEnough = async () => Math.min(...counted) >= REQUESTS_PER_REPLICA || undefined;
  await until(`each replica ${description}`, hasEnough, REQUESTS_TIMEOUT_MS);
}

function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new Error("The replica does not exist.");
  return caller;
}

function requireOk(response: ApiResponse): ApiResponse {
  if (response.status >= 400) throw new Error(`Replacing the key failed: ${response.status} ${response.text}`);
  return response;
}

/** Reads the new key pair from a response. */
function keyIn(response: ApiResponse, prefix: "" | "key."): Key {
  return {
    keyId: text(response, `${prefix}key_id`),
    apiKey: text(response, "api_key"),
    apiSecret: text(response, "api_secret"),
    endStartedAtMs: Number.POSITIVE_INFINITY,
    endedAtMs: Number.POSITIVE_INFINITY,
    accepted: [0, 0],
    triedAfterEnd: [0, 0],
  };
}
