import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { isApiKey } from "../../crypto/api-keys.ts";
import { ed25519Canonical, verifyEd25519 } from "../../crypto/ed25519.ts";
import { equalInConstantTime, requestSignature, sha256Hex } from "../../crypto/signing.ts";
import { callStore } from "../../foundation/deadline.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import type { AuthFailureReason } from "../../foundation/vocabulary.ts";
import type { LoadedApiKey } from "../../modules/developers/index.ts";
import type { Admission, TokenBucket } from "../../ports/fast-state.ts";
import { coarseNetworkOf, isInNetworks } from "./client-network.ts";
import { createKeyCache } from "./key-cache.ts";
import type { KeyPrincipal } from "./principal.ts";
import { setRateLimitHeaders } from "./rate-limit-headers.ts";
import { recordAuthFailure } from "./record-auth-failure.ts";
import { countHeader, singleHeader } from "./request-headers.ts";

const TOLERANCE_SECONDS = 30;
const NONCE_LIFE_SECONDS = 30;
const GUARD_SECONDS = 35;

const SIGNING_HEADERS = ["authorization", "x-request-signature", "x-timestamp", "x-nonce"] as const;

const EMPTY_BODY_HASH = sha256Hex("");

/** The key under which an unknown key's request is checked all the same, so that it takes as long as a known one's. */
const DECOY_SIGNING_KEY = sha256Hex("no key at all");

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
 */
export function createSignedRequestAuthenticator(app: App): SignedRequestAuthenticator {
  const keys = createKeyCache(app);
  const { storeTimeoutMs } = app.settings;

  return async (request, reply) => {
    const now = app.clock.now();
    const apiKey = readApiKey(request);
    const keyHash = sha256Hex(apiKey);
    const refuse = refuserOf(app, request, keyHash);
    const presented = { apiKey, keyHash, ...readSignature(request, now, refuse) };
    const found = keys.peek(keyHash) ?? (await keys.load(keyHash));
    const admission = await callStore(
      app.fastState.admit({
        keyHash,
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
    refuseUnadmitted(admission, refuse);

    const { epoch } = admission;
    const key = keys.getIfCurrent(keyHash, epoch) ?? (await keys.reload(keyHash, epoch));
    if (key === undefined) throw refuse("key_revoked", "step 4: revoked");
    refuseUnusable(key, { ip: request.ip, now }, refuse);
    const bucket = bucketOf(app, key);
    setRateLimitHeaders(reply, bucket, admission.bucket);
    if (admission.outcome === "limited") {
      const retryAfterSeconds = Math.max(1, Math.ceil(admission.bucket.resetMs / 1000));
      throw new AppError("rate_limited", { retryAfterSeconds });
    }
    if (key.graceExpiresAt !== null) {
      reply.header("x-svc-key-expires", key.graceExpiresAt.toISOString());
    }
    const { tenantId, keyId } = key;
    app.keyUses.set(keyId, { tenantId, keyId, at: now, network: coarseNetworkOf(request.ip) });
    return principalOf(key, presented, bucket);
  };
}

/** Step 1. */
function readApiKey(request: FastifyRequest): string {
  for (const name of SIGNING_HEADERS) {
    if (countHeader(request, name) > 1)
      throw authenticationFailed(`step 1: ${name} is there twice`);
  }
  const apiKey = singleHeader(request, "authorization");
  if (!isApiKey(apiKey)) throw authenticationFailed("step 1: no API key");
  return apiKey;
}

/** Makes the 401 of a request that has named a key, and notes for the key's owner what was wrong. */
type Refuse = (
  reason: AuthFailureReason,
  internal: string,
  skewSeconds?: number | null,
) => AppError;

function refuserOf(app: App, request: FastifyRequest, keyHash: string): Refuse {
  return (reason, internal, skewSeconds = null) => {
    recordAuthFailure(app, request, { keyHash, reason, skewSeconds });
    return authenticationFailed(internal);
  };
}

/** Step 2, and the forms that the later steps need. */
function readSignature(request: FastifyRequest, now: Date, refuse: Refuse) {
  const timestamp = singleHeader(request, "x-timestamp");
  if (!/^\d{10}$/.test(timestamp)) throw refuse("timestamp_skewed", "step 2: no timestamp");
  const skewSeconds = Number(timestamp) - wholeSeconds(now);
  if (Math.abs(skewSeconds) > TOLERANCE_SECONDS) {
    throw refuse("timestamp_skewed", `step 2: skew ${skewSeconds} s`, skewSeconds);
  }
  const nonce = singleHeader(request, "x-nonce");
  if (!/^[\x21-\x7e]{16,128}$/.test(nonce)) {
    throw refuse("nonce_malformed", "step 3: form of the nonce");
  }
  return { timestamp, nonce, signature: singleHeader(request, "x-request-signature") };
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

function refuseUnadmitted({ outcome }: Admission, refuse: Refuse): void {
  if (outcome === "replayed") throw refuse("nonce_replayed", "step 3: nonce seen");
  if (outcome === "refused") {
    throw refuse("signature_mismatch", "step 4 or 5: unknown key or wrong signature");
  }
}

/** Step 4, as of now: the key may have ended by the clock since it was cached. */
function refuseUnusable(
  { endsAt, ipAllowlist }: LoadedApiKey,
  { ip, now }: { readonly ip: string; readonly now: Date },
  refuse: Refuse,
): void {
  if (endsAt !== null && endsAt <= now) throw refuse("key_expired", "step 4: expired");
  if (!isInNetworks(ip, ipAllowlist)) {
    throw refuse("network_not_allowed", "step 4: network not allowed");
  }
}

function bucketOf({ settings }: App, key: LoadedApiKey | undefined): TokenBucket {
  const perMinute = key?.rateLimitPerMinute ?? null;
  if (perMinute === null) return settings.keyBucket;
  return { capacity: perMinute, refillPerSecond: perMinute / 60 };
}

function principalOf(key: LoadedApiKey, presented: Presented, bucket: TokenBucket): KeyPrincipal {
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
    bucket,
  };
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
