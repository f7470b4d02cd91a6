import type { BucketState, SignatureGuardRequest, TokenBucket } from "../../ports/fast-state.ts";

/**
 * Time for which a claim is stored after its expiry. Clocks differ between replicas and can be set back: a replica
 * whose clock is behind must still find the claim of a request whose timestamp it accepts.
 */
export const CLAIM_MARGIN_MS = 30_000;

/**
 * Time for which an epoch is stored. A key without an epoch gets a new one and is read from the database again, which
 * is cheap. Anyone can send keys that do not exist, so their epochs must expire soon.
 */
export const EPOCH_TTL_MS = 600_000;

const TOKEN_MICROS = 1_000_000;

/** A bucket's level at a time, in millionths of a token: whole numbers, so that Lua and JavaScript compute the same. */
export interface BucketLevel {
  readonly micros: number;
  readonly atMs: number;
}

/** The capacity in millionths of a token, and the millionths added each millisecond. */
export function bucketMicros(bucket: TokenBucket): { capacity: number; perMs: number } {
  return {
    capacity: Math.round(bucket.capacity * TOKEN_MICROS),
    perMs: Math.round((bucket.refillPerSecond * TOKEN_MICROS) / 1_000),
  };
}

/** The level at `nowMs`. A new bucket is full. A clock that was set back adds nothing. */
export function refill(
  stored: BucketLevel | undefined,
  bucket: TokenBucket,
  nowMs: number,
): BucketLevel {
  const { capacity, perMs } = bucketMicros(bucket);
  if (stored === undefined) return { micros: capacity, atMs: nowMs };
  const elapsedMs = Math.max(0, nowMs - stored.atMs);
  return {
    micros: Math.min(capacity, stored.micros + elapsedMs * perMs),
    atMs: Math.max(nowMs, stored.atMs),
  };
}

/** The level minus one token. Undefined if there is less than one token. */
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

/** The state of a bucket without a token: `resetMs` is the time until the next token. */
export function limitedState(levelMicros: number, bucket: TokenBucket): BucketState {
  const missingMicros = TOKEN_MICROS - levelMicros;
  return { remaining: 0, resetMs: Math.ceil(missingMicros / bucketMicros(bucket).perMs) };
}

/**
 * The result for a signature. `earlier` is the idempotency key of its first use (null: none), undefined for a new
 * signature.
 */
export function guardVerdict(
  earlier: string | null | undefined,
  { idempotencyKey }: SignatureGuardRequest,
): "first" | "same_key" | "other_key" {
  if (earlier === undefined) return "first";
  return earlier !== null && earlier === idempotencyKey ? "same_key" : "other_key";
}
