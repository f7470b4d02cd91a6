import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256Hex } from "@purser/service/crypto/signing.ts";
import type { KeyPair } from "../signer.ts";

interface KnownKey {
  readonly tenantId: string;
  readonly signingKey: KeyObject;
}

interface Presented {
  readonly apiKey: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

const TOLERANCE_SECONDS = 30;
const NONCE_LIFETIME_MS = 61_000;
const BUCKET = { capacity: 1e9, refillPerMs: 1e3 };
const EMPTY_BODY_HASH = hash("sha256", "", "hex");

/**
 * Returns a function that verifies a signed request in the six steps of docs/rules/signing.md. All state is in
 * memory, and rare cases are not handled.
 */
export function createVerifier(pairs: readonly (KeyPair & { readonly tenantId: string })[]) {
  const keys = new Map<string, KnownKey>();
  for (const { apiKey, apiSecret, tenantId } of pairs) {
    const signingKey = createSecretKey(Buffer.from(sha256Hex(apiSecret)));
    keys.set(sha256Hex(apiKey), { tenantId, signingKey });
  }
  const isNew = createNonces();
  const takeToken = createBucket();

  return (request: IncomingMessage, bodyHash = EMPTY_BODY_HASH): string | undefined => {
    const nowMs = Date.now();
    const presented = readHeaders(request, nowMs);
    if (presented === undefined) return undefined;
    const keyHash = sha256Hex(presented.apiKey);
    if (!isNew(`${keyHash}:${presented.nonce}`, nowMs)) return undefined;
    const key = keys.get(keyHash);
    if (key === undefined || !hasValidSignature(key, presented, request, bodyHash)) return undefined;
    return takeToken(keyHash, nowMs) ? key.tenantId : undefined;
  };
}

function readHeaders({ headers }: IncomingMessage, nowMs: number): Presented | undefined {
  const apiKey = String(headers.authorization);
  const timestamp = String(headers["x-timestamp"]);
  const nonce = String(headers["x-nonce"]);
  const signature = String(headers["x-request-signature"]);
  const isWellFormed =
    /^svc_sk_(live|test)_[\w-]{43}$/.test(apiKey) &&
    Math.abs(Number(timestamp) - nowMs / 1000) <= TOLERANCE_SECONDS &&
    /^[\x21-\x7e]{16,128}$/.test(nonce) &&
    /^[0-9a-f]{64}$/.test(signature);
  return isWellFormed ? { apiKey, timestamp, nonce, signature } : undefined;
}

function hasValidSignature(
  { signingKey }: KnownKey,
  { timestamp, signature }: Presented,
  { method, url }: IncomingMessage,
  bodyHash: string,
): boolean {
  const expected = createHmac("sha256", signingKey).update(`${timestamp}.${method}.${url}.${bodyHash}`).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}

/**
 * Stores nonces in two sets. After each nonce lifetime, a new set is started and the older set is deleted. A nonce is
 * therefore stored for one to two lifetimes.
 */
function createNonces() {
  let young = new Set<string>();
  let old = new Set<string>();
  let youngSinceMs = Date.now();
  return (id: string, nowMs: number): boolean => {
    if (nowMs - youngSinceMs > NONCE_LIFETIME_MS) {
      old = young;
      young = new Set();
      youngSinceMs = nowMs;
    }
    if (young.has(id) || old.has(id)) return false;
    young.add(id);
    return true;
  };
}

function createBucket() {
  const levels = new Map<string, { readonly tokens: number; readonly atMs: number }>();
  return (keyHash: string, nowMs: number): boolean => {
    const { tokens, atMs } = levels.get(keyHash) ?? { tokens: BUCKET.capacity, atMs: nowMs };
    const level = Math.min(BUCKET.capacity, tokens + (nowMs - atMs) * BUCKET.refillPerMs);
    if (level < 1) return false;
    levels.set(keyHash, { tokens: level - 1, atMs: nowMs });
    return true;
  };
}
