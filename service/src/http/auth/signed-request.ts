import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { isApiKey } from "../../crypto/api-keys.ts";
import { ed25519Canonical, verifyEd25519 } from "../../crypto/ed25519.ts";
import { equalInConstantTime, requestSignature, sha256Hex } from "../../crypto/signing.ts";
import { callStore } from "../../foundation/deadline.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import type { AuthFailureReason } from "../../foundation/vocabulary.ts";
import type { LoadedApiKey } from "../../modules/developers/keys/load-api-key.ts";
import type { Admission, TokenBucket } from "../../ports/fast-state.ts";
import { coarseNetworkOf, isInNetworks } from "./client-network.ts";
import { createKeyCache } from "./key-cache.ts";
import type { KeyPrincipal } from "./principal.ts";
import { setRateLimitHeaders } from "./rate-limit-headers.ts";
import { recordAuthFailure } from "./record-auth-failure.ts";
import { countHeader, singleHeader } from "./request-headers.ts";

const TOLERANCE_SECONDS = 30;
const NONCE_TTL_SECONDS = 30;
const REPLAY_GUARD_SECONDS = 35;

const SIGNING_HEADERS = ["authorization", "x-request-signature", "x-timestamp", "x-nonce"] as const;

const EMPTY_BODY_HASH = sha256Hex("");

/** Signatures of unknown API keys are checked with this key, so that the check takes as long as for a known key. */
const DECOY_SIGNING_KEY = sha256Hex("no key at all");

interface PresentedSignature {
  readonly apiKey: string;
  readonly keyHash: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

export type SignedRequestAuthenticator = (request: FastifyRequest, reply: FastifyReply) => Promise<KeyPrincipal>;

/**
 * Authenticates signed requests in the six steps of docs/rules/signing.md. One call to the fast state (Redis or
 * memory) claims the nonce and takes a token from the key's bucket. All failures of steps 1 to 5 return the same 401.
 * The reason is not in the response. It is logged, and recorded for the key's owner. Throws `service_unavailable` if
 * the database or Redis does not respond.
 */
export function createSignedRequestAuthenticator(app: App): SignedRequestAuthenticator {
  const keys = createKeyCache(app);
  const { storeTimeoutMs } = app.settings;

  return async (request, reply) => {
    const now = app.clock.now();
    const apiKey = readApiKey(request);
    const keyHash = sha256Hex(apiKey);
    const refuse = createRefuse(app, request, keyHash);
    checkHeaders(request, refuse);
    const presented = { apiKey, keyHash, ...readSignature(request, now, refuse) };
    const found = keys.peek(keyHash) ?? (await keys.load(keyHash));
    const admission = await callStore(
      app.fastState.admit({
        keyHash,
        nonce: presented.nonce,
        nonceTtlMs: nonceTtlMs(presented.timestamp, now),
        signedAtMs: Number(presented.timestamp) * 1000,
        signatureValid: isSignatureValid(found, presented, request),
        bucket: bucketOf(app, found),
        candidateEpoch: randomUUID(),
        nowMs: now.getTime(),
      }),
      storeTimeoutMs,
      "admitting a request",
    );
    checkAdmission(admission, refuse);

    const { epoch } = admission;
    const key = keys.getIfCurrent(keyHash, epoch) ?? (await keys.reload(keyHash, epoch));
    if (key === undefined) throw refuse("key_revoked", "step 4: key revoked");
    checkKeyUsable(key, request.ip, now, refuse);
    request.authenticated = { key, startedAtMs: now.getTime() };
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
    return keyPrincipalOf(key, presented, bucket);
  };
}

/** Returns the request's API key. This is step 1 of signature verification (docs/rules/signing.md). */
function readApiKey(request: FastifyRequest): string {
  for (const name of SIGNING_HEADERS) {
    if (countHeader(request, name) > 1) throw authenticationFailed(`step 1: repeated header ${name}`);
  }
  const apiKey = singleHeader(request, "authorization");
  if (!isApiKey(apiKey)) throw authenticationFailed("step 1: no API key");
  return apiKey;
}

/** Checks that every signing header was sent. This is the end of step 1 of signature verification. */
function checkHeaders(request: FastifyRequest, refuse: Refuse): void {
  const missing = SIGNING_HEADERS.filter((name) => countHeader(request, name) === 0);
  if (missing.length > 0) throw refuse("header_missing", `step 1: no ${missing.join(", no ")}`);
}

/** Creates the 401 error for a request with an API key, and records the reason for the key's owner. */
type Refuse = (reason: AuthFailureReason, internal: string, skewSeconds?: number | null) => AppError;

function createRefuse(app: App, request: FastifyRequest, keyHash: string): Refuse {
  return (reason, internal, skewSeconds = null) => {
    recordAuthFailure(app, request, { keyHash, reason, skewSeconds });
    return authenticationFailed(internal);
  };
}

/**
 * Checks the timestamp and the format of the nonce. This is step 2 and the start of step 3 of signature verification
 * (docs/rules/signing.md).
 */
function readSignature(request: FastifyRequest, now: Date, refuse: Refuse) {
  const timestamp = singleHeader(request, "x-timestamp");
  if (!/^\d{10}$/.test(timestamp)) throw refuse("timestamp_skewed", "step 2: malformed timestamp");
  const skewSeconds = Number(timestamp) - wholeSeconds(now);
  if (Math.abs(skewSeconds) > TOLERANCE_SECONDS) {
    throw refuse("timestamp_skewed", `step 2: skew ${skewSeconds} s`, skewSeconds);
  }
  const nonce = singleHeader(request, "x-nonce");
  if (!/^[\x21-\x7e]{16,128}$/.test(nonce)) {
    throw refuse("nonce_malformed", "step 3: malformed nonce");
  }
  return { timestamp, nonce, signature: singleHeader(request, "x-request-signature") };
}

/**
 * A timestamp ahead of the server's clock stays valid for longer than a current one, so its nonce is stored for longer
 * (docs/rules/replay-protection.md).
 */
function nonceTtlMs(timestamp: string, now: Date): number {
  return Math.max(NONCE_TTL_SECONDS, Number(timestamp) + 31 - wholeSeconds(now)) * 1000;
}

/**
 * Returns true if the signature is valid. This is step 5 of signature verification (docs/rules/signing.md). For an
 * unknown key, a signature is computed too, so that the response time does not reveal whether a key exists.
 */
function isSignatureValid(
  key: LoadedApiKey | undefined,
  presented: PresentedSignature,
  request: FastifyRequest,
): boolean {
  if (key?.signatureAlg === "ed25519") return isEd25519SignatureValid(key, presented, request);
  const sent = Buffer.from(/^[0-9a-f]{64}$/.test(presented.signature) ? presented.signature : "", "hex");
  const { timestamp } = presented;
  const parts = { timestamp, method: request.method, bodyHash: bodyHashOf(request) };
  const signingKey = key?.verificationKey ?? DECOY_SIGNING_KEY;
  // The signature can cover the path with or without its query string (docs/rules/signing.md).
  const [withoutQuery = "", query] = request.url.split("?", 2);
  const paths = query === undefined ? [withoutQuery] : [request.url, withoutQuery];
  const matches = paths.filter((path) => equalInConstantTime(requestSignature(signingKey, { ...parts, path }), sent));
  return key !== undefined && matches.length > 0;
}

function isEd25519SignatureValid(
  key: LoadedApiKey,
  { timestamp, nonce, signature }: PresentedSignature,
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

function checkAdmission({ outcome }: Admission, refuse: Refuse): void {
  if (outcome === "replayed") throw refuse("nonce_replayed", "step 3: nonce already used");
  if (outcome === "refused") {
    throw refuse("signature_mismatch", "step 4 or 5: unknown key or wrong signature");
  }
}

/**
 * Throws if the key has expired or does not allow the client's network. A cached key can have expired since it was
 * read. This is part of step 4 of signature verification (docs/rules/signing.md).
 */
function checkKeyUsable({ endsAt, ipAllowlist }: LoadedApiKey, ip: string, now: Date, refuse: Refuse): void {
  if (endsAt !== null && endsAt <= now) throw refuse("key_expired", "step 4: key expired");
  if (!isInNetworks(ip, ipAllowlist)) {
    throw refuse("network_not_allowed", "step 4: network not allowed");
  }
}

function bucketOf({ settings }: App, key: LoadedApiKey | undefined): TokenBucket {
  const perMinute = key?.rateLimitPerMinute ?? null;
  if (perMinute === null) return settings.keyBucket;
  return { capacity: perMinute, refillPerSecond: perMinute / 60 };
}

function keyPrincipalOf(key: LoadedApiKey, presented: PresentedSignature, bucket: TokenBucket): KeyPrincipal {
  return {
    kind: "api_key",
    tenantId: key.tenantId,
    mode: key.mode,
    keyId: key.keyId,
    keyHash: presented.keyHash,
    apiKey: presented.apiKey,
    signature: presented.signature,
    signedAtMs: Number(presented.timestamp) * 1000,
    signatureExpiresAtMs: (Number(presented.timestamp) + REPLAY_GUARD_SECONDS) * 1000,
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
