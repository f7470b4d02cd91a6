import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import { isApiKey } from "../../crypto/api-keys.ts";
import { ed25519Canonical, verifyEd25519 } from "../../crypto/ed25519.ts";
import { equalInConstantTime, requestSignature, sha256Hex } from "../../crypto/signing.ts";
import { askStore, withDeadline } from "../../foundation/deadline.ts";
import { AppError } from "../../foundation/errors.ts";
import { type LoadedApiKey, loadApiKey } from "../../modules/developers/index.ts";
import type { Admission, TokenBucket } from "../../ports/fast-state.ts";
import { isInNetworks, networkOf } from "./client-network.ts";
import type { KeyPrincipal } from "./principal.ts";
import { setRateLimitHeaders } from "./rate-limit-headers.ts";
import { countHeader, singleHeader } from "./request-headers.ts";

const TOLERANCE_SECONDS = 30;
const NONCE_LIFE_SECONDS = 30;
const GUARD_SECONDS = 35;
const KEYS_CACHED_MAX = 100_000;
/** No key is trusted for longer than this without being asked for again. */
const KEY_CACHED_MS = 60_000;
const UNKNOWN_CACHED_MAX = 10_000;
const UNKNOWN_CACHED_MS = 60_000;

const SIGNING_HEADERS = ["authorization", "x-request-signature", "x-timestamp", "x-nonce"] as const;

const EMPTY_BODY_HASH = sha256Hex("");

/** The key under which an unknown key's request is checked all the same, so that it takes as long as a known one's. */
const DECOY_SIGNING_KEY = sha256Hex("no key at all");

interface CachedKey {
  readonly key: LoadedApiKey;
  /** The epoch that was the key's before it was read from the database. A key read without one is asked for again. */
  readonly epoch: string | null;
  readonly loadedAtMs: number;
}

interface Presented {
  readonly apiKey: string;
  readonly keyHash: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

export type SignedRequestAuthenticator = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<KeyPrincipal>;

/**
 * Checks signed requests: the six steps of the specification ("Verification order"). Steps 3, 5 and 6 are one call of the
 * fast state, which keeps their order; the key (step 4) and the verdict on the signature go into that call. Any failure of
 * 1 to 5 is the same 401, which tells the caller nothing and the log everything. A store that cannot answer makes 503.
 *
 * Keys are cached by their epoch: a revocation changes it, the fast state hands it back with every request, and what was
 * cached under another one is read again before the request goes on. So is what is older than a minute: an account that is
 * shut, or a fast state that came back with an epoch of yesterday, leaves no key working for longer.
 */
export function createSignedRequestAuthenticator(app: App): SignedRequestAuthenticator {
  const keys = new LRUCache<string, CachedKey>({ max: KEYS_CACHED_MAX });
  // A hash that is not there is never there later: keys are random and stored before anybody is shown one. But an account
  // that was shut may be opened again, and its keys with it.
  const unknown = new LRUCache<string, number>({ max: UNKNOWN_CACHED_MAX });
  const { storeTimeoutMs } = app.settings;

  const loading = new Map<string, Promise<LoadedApiKey | undefined>>();

  async function load(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined> {
    const loadedAtMs = app.clock.now().getTime();
    const key = await withDeadline(loadApiKey(app, keyHash), storeTimeoutMs, "loading an API key");
    if (key === undefined) keys.delete(keyHash);
    else keys.set(keyHash, { key, epoch, loadedAtMs });
    return key;
  }

  async function find(keyHash: string): Promise<LoadedApiKey | undefined> {
    const nowMs = app.clock.now().getTime();
    if (nowMs < (unknown.get(keyHash) ?? 0)) return undefined;
    const key = await once(keyHash, () => load(keyHash, null));
    if (key === undefined) unknown.set(keyHash, nowMs + UNKNOWN_CACHED_MS);
    return key;
  }

  /** The key as it is now. Without an epoch it may change at any moment, and what another request asked for is too old. */
  function reload(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined> {
    if (epoch === null) return load(keyHash, null);
    return once(`${keyHash} ${epoch}`, () => load(keyHash, epoch));
  }

  /** Of many requests that arrive together, one asks the database: a burst under a new key would use up its connections. */
  function once(name: string, ask: () => Promise<LoadedApiKey | undefined>) {
    const underWay = loading.get(name);
    if (underWay !== undefined) return underWay;
    const asked = ask().finally(() => loading.delete(name));
    loading.set(name, asked);
    return asked;
  }

  /** The cached key, where it is still as it is now: the epoch is what the fast state named after the request arrived. */
  function current(keyHash: string, epoch: string | null): LoadedApiKey | undefined {
    const cached = keys.get(keyHash);
    if (epoch === null || cached?.epoch !== epoch) return undefined;
    return app.clock.now().getTime() < cached.loadedAtMs + KEY_CACHED_MS ? cached.key : undefined;
  }

  return async (request, reply) => {
    const now = app.clock.now();
    const presented = readHeaders(request, now);
    const found = keys.get(presented.keyHash)?.key ?? (await find(presented.keyHash));
    const admission = await askStore(
      app.fastState.admit({
        keyHash: presented.keyHash,
        nonce: presented.nonce,
        nonceTtlMs: nonceLifeMs(presented.timestamp, now),
        signatureValid: isSignatureValid(found, presented, request),
        bucket: bucketOf(app, found),
        candidateEpoch: randomUUID(),
        nowMs: now.getTime(),
      }),
      storeTimeoutMs,
      "admitting a request",
    );
    refuseUnadmitted(admission);

    const { keyHash } = presented;
    const key = current(keyHash, admission.epoch) ?? (await reload(keyHash, admission.epoch));
    refuseUnusable(key, request, now);
    setRateLimitHeaders(reply, bucketOf(app, key), admission.bucket);
    if (admission.outcome === "limited") {
      const retryAfterSeconds = Math.max(1, Math.ceil(admission.bucket.resetMs / 1000));
      throw new AppError("rate_limited", { retryAfterSeconds });
    }
    if (key.graceExpiresAt !== null) {
      reply.header("x-svc-key-expires", key.graceExpiresAt.toISOString());
    }
    const { tenantId, keyId } = key;
    app.keyUses.set(keyId, { tenantId, keyId, at: now, network: networkOf(request.ip) });
    return principalOf(key, presented);
  };
}

/** Steps 1 and 2, and the forms that the later steps need. */
function readHeaders(request: FastifyRequest, now: Date): Presented {
  for (const name of SIGNING_HEADERS) {
    if (countHeader(request, name) > 1) throw refusal(`step 1: ${name} is there twice`);
  }
  const apiKey = singleHeader(request, "authorization");
  if (!isApiKey(apiKey)) throw refusal("step 1: no API key");

  const timestamp = singleHeader(request, "x-timestamp");
  if (!/^\d{10}$/.test(timestamp)) throw refusal("step 2: no timestamp");
  const skewSeconds = Number(timestamp) - wholeSeconds(now);
  if (Math.abs(skewSeconds) > TOLERANCE_SECONDS) throw refusal(`step 2: skew ${skewSeconds} s`);

  const nonce = singleHeader(request, "x-nonce");
  if (!/^[\x21-\x7e]{16,128}$/.test(nonce)) throw refusal("step 3: form of the nonce");
  const signature = singleHeader(request, "x-request-signature");
  return { apiKey, keyHash: sha256Hex(apiKey), timestamp, nonce, signature };
}

/** A request stamped ahead stays acceptable for longer, and so its nonce is remembered for longer (contract, ruling 3). */
function nonceLifeMs(timestamp: string, now: Date): number {
  return Math.max(NONCE_LIFE_SECONDS, Number(timestamp) + 31 - wholeSeconds(now)) * 1000;
}

/** Step 5. An unknown key's signature is computed too, and is never right. */
function isSignatureValid(
  key: LoadedApiKey | undefined,
  presented: Presented,
  request: FastifyRequest,
): boolean {
  if (key?.signatureAlg === "ed25519") return isEd25519SignatureValid(key, presented, request);
  const sent = Buffer.from(
    /^[0-9a-f]{64}$/.test(presented.signature) ? presented.signature : "",
    "hex",
  );
  const { timestamp } = presented;
  const parts = { timestamp, method: request.method, bodyHash: bodyHashOf(request) };
  const signingKey = key?.verificationKey ?? DECOY_SIGNING_KEY;
  // The specification does not say whether the path carries its query, so both forms are good.
  const [bare = "", query] = request.url.split("?", 2);
  const forms = query === undefined ? [bare] : [request.url, bare];
  const matches = forms.filter((path) =>
    equalInConstantTime(requestSignature(signingKey, { ...parts, path }), sent),
  );
  return key !== undefined && matches.length > 0;
}

function isEd25519SignatureValid(
  key: LoadedApiKey,
  { timestamp, nonce, signature }: Presented,
  request: FastifyRequest,
): boolean {
  if (!/^[0-9a-f]{128}$/.test(signature)) return false;
  const text = ed25519Canonical({
    timestamp,
    nonce,
    method: request.method,
    target: request.url,
    agentId: singleHeader(request, "x-agent-id") || undefined,
    idempotencyKey: singleHeader(request, "idempotency-key") || undefined,
    bodyHash: bodyHashOf(request),
  });
  return verifyEd25519(key.verificationKey, text, Buffer.from(signature, "hex"));
}

function bodyHashOf({ rawBody }: FastifyRequest): string {
  return rawBody.length === 0 ? EMPTY_BODY_HASH : sha256Hex(rawBody);
}

function refuseUnadmitted({ outcome }: Admission): void {
  if (outcome === "replayed") throw refusal("step 3: nonce seen");
  if (outcome === "refused") throw refusal("step 4 or 5: unknown key or wrong signature");
}

/** Step 4, as of now: the key may have been revoked since it was cached, or have ended by the clock. */
function refuseUnusable(
  key: LoadedApiKey | undefined,
  request: FastifyRequest,
  now: Date,
): asserts key is LoadedApiKey {
  if (key === undefined) throw refusal("step 4: revoked");
  if (key.endsAt !== null && key.endsAt <= now) throw refusal("step 4: expired");
  if (!isInNetworks(request.ip, key.ipAllowlist)) throw refusal("step 4: network not allowed");
}

function bucketOf({ settings }: App, key: LoadedApiKey | undefined): TokenBucket {
  const perMinute = key?.rateLimitPerMinute ?? null;
  if (perMinute === null) return settings.keyBucket;
  return { capacity: perMinute, refillPerSecond: perMinute / 60 };
}

function principalOf(key: LoadedApiKey, presented: Presented): KeyPrincipal {
  return {
    kind: "api_key",
    tenantId: key.tenantId,
    mode: key.mode,
    keyId: key.keyId,
    keyHash: presented.keyHash,
    apiKey: presented.apiKey,
    signature: presented.signature,
    signatureExpiresAtMs: (Number(presented.timestamp) + GUARD_SECONDS) * 1000,
    scopes: key.scopes,
    agentIds: key.agentIds,
    projectIds: key.projectIds,
    emailVerified: key.emailVerified,
  };
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

export function refusal(internal: string): AppError {
  return new AppError("authentication_failed", { internal });
}
