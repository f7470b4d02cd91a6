import type { BucketState, SignatureGuardRequest, TokenBucket } from "../../ports/fast-state.ts";

/**
 * How long a claim is kept past its end. A claim ends by the clock of whoever asks, and clocks differ: a replica that is
 * late, or a clock that was set back, still finds the claim of a request whose timestamp it would accept again.
 */
export const CLAIM_MARGIN_MS = 30_000;

/**
 * How long an epoch is kept. A key whose epoch has gone gets a new one and is read from the database once more, which is
 * cheap; anyone can present keys that do not exist, so their epochs must not stay for long.
 */
export const EPOCH_TTL_MS = 600_000;

const TOKEN_MICROS = 1_000_000;

/** What a bucket held at a time, in millionths of a token: whole numbers, on which Lua and JavaScript agree. */
export interface BucketLevel {
  readonly micros: number;
  readonly atMs: number;
}

/** The capacity in millionths of a token, and the millionths that one millisecond adds. */
export function bucketMicros(bucket: TokenBucket): { capacity: number; perMs: number } {
  return {
    capacity: Math.round(bucket.capacity * TOKEN_MICROS),
    perMs: Math.round((bucket.refillPerSecond * TOKEN_MICROS) / 1_000),
  };
}

/** The level at `nowMs`. A bucket that nobody has taken from is full; a clock that went back adds nothing. */
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

/** The level without one token, or undefined where it holds none. */
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

/** The state of a bucket that has just refused: it tells when the next token is there. */
export function limitedState(levelMicros: number, bucket: TokenBucket): BucketState {
  const missingMicros = TOKEN_MICROS - levelMicros;
  return { remaining: 0, resetMs: Math.ceil(missingMicros / bucketMicros(bucket).perMs) };
}

/** The verdict on a signature. `earlier` is the idempotency key it came with before (null: none), undefined where it is new. */
export function guardVerdict(
  earlier: string | null | undefined,
  { idempotencyKey }: SignatureGuardRequest,
): "first" | "same_key" | "other_key" {
  if (earlier === undefined) return "first";
  return earlier !== null && earlier === idempotencyKey ? "same_key" : "other_key";
}
