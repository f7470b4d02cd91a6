import type { BucketState, SignatureGuardRequest, TokenBucket } from "../../ports/fast-state.ts";

/**
 * How long a claim is stored after its expiry. Clocks differ between replicas and can be set back. A replica with a
 * slow clock still accepts requests that other replicas regard as expired. The claims of these requests must still be
 * stored, so that the replica detects repeated requests.
 */
export const CLAIM_MARGIN_MS = 30_000;

/**
 * How long an API key's epoch (see `FastState`) is stored. After that time, the key gets a new epoch and is read from
 * the database again, which is cheap. The time is short because requests with nonexistent keys create epochs too.
 */
export const EPOCH_TTL_MS = 600_000;

const TOKEN_MICROS = 1_000_000;

/** A bucket's level at `atMs`, in whole millionths of a token, so that Lua and JavaScript compute the same result. */
export interface BucketLevel {
  readonly micros: number;
  readonly atMs: number;
}

/** The bucket's capacity in millionths of a token, and its refill in millionths per millisecond. */
export function bucketMicros(bucket: TokenBucket): { capacity: number; perMs: number } {
  return {
    capacity: Math.round(bucket.capacity * TOKEN_MICROS),
    perMs: Math.round((bucket.refillPerSecond * TOKEN_MICROS) / 1_000),
  };
}

/** Returns the level at `nowMs`. A new bucket is full. If the clock was set back, no tokens are added. */
export function refill(stored: BucketLevel | undefined, bucket: TokenBucket, nowMs: number): BucketLevel {
  const { capacity, perMs } = bucketMicros(bucket);
  if (stored === undefined) return { micros: capacity, atMs: nowMs };
  const elapsedMs = Math.max(0, nowMs - stored.atMs);
  return {
    micros: Math.min(capacity, stored.micros + elapsedMs * perMs),
    atMs: Math.max(nowMs, stored.atMs),
  };
}

/** Returns the level minus one token, or undefined if there is less than one token. */
export function takeToken(level: BucketLevel): BucketLevel | undefined {
  if (level.micros < TOKEN_MICROS) return undefined;
  return { ...level, micros: level.micros - TOKEN_MICROS };
}

/** Milliseconds until the bucket is full. */
export function fullAfterMs(levelMicros: number, bucket: TokenBucket): number {
  const { capacity, perMs } = bucketMicros(bucket);
  return Math.ceil(Math.max(0, capacity - levelMicros) / perMs);
}

export function bucketState(levelMicros: number, bucket: TokenBucket): BucketState {
  return {
    remaining: Math.floor(levelMicros / TOKEN_MICROS),
    resetMs: fullAfterMs(levelMicros, bucket),
  };
}

/** The state of a bucket with less than one token. `resetMs` is the time until the bucket has one token. */
export function limitedState(levelMicros: number, bucket: TokenBucket): BucketState {
  const missingMicros = TOKEN_MICROS - levelMicros;
  return { remaining: 0, resetMs: Math.ceil(missingMicros / bucketMicros(bucket).perMs) };
}

/**
 * Returns the result of `guardSignature`. `earlier` is the idempotency key of the signature's first use: null if that
 * request had none, undefined if the signature is new.
 */
export function signatureGuardResult(
  earlier: string | null | undefined,
  { idempotencyKey }: SignatureGuardRequest,
): "first" | "same_key" | "other_key" {
  if (earlier === undefined) return "first";
  return earlier !== null && earlier === idempotencyKey ? "same_key" : "other_key";
}
