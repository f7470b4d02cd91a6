/**
 * Short-lived state that all replicas share: nonces, token buckets, used signatures, and each API key's epoch. An epoch
 * is a random id that changes whenever the key is changed or revoked, which invalidates all cached copies of the key.
 * There are two implementations: in the memory of a single process, and in Redis.
 *
 * Every method rejects if the store does not respond. The HTTP layer then responds 503 and does not admit the request.
 * `admit` and `guardSignature` also reject if the store may have lost what it knew when the request was signed.
 * Callers pass the time from `app.clock` in milliseconds, so tests can control it.
 */
export interface FastState {
  /**
   * Performs steps 3, 5 and 6 of checking a signed request (docs/rules/signing.md) in one round trip:
   *
   * 1. Claims the nonce for `nonceTtlMs` under `keyHash`. The outcome is `replayed` if the nonce is already claimed.
   * 2. The outcome is `refused` if `signatureValid` is false. The nonce remains claimed, and no token is taken
   *    (docs/rules/replay-protection.md).
   * 3. Takes one token from the key's bucket. The outcome is `limited` if the bucket is empty, otherwise `admitted`.
   *
   * Every outcome contains the key's epoch. If the key has none, `candidateEpoch` becomes its epoch. The store may lose
   * epochs at any time, so each call needs a new candidate: a reused epoch would make outdated cached keys valid again.
   */
  admit(request: AdmissionRequest): Promise<Admission>;

  /**
   * Stores `signature` and its idempotency key under `keyHash` until `expiresAtMs`. Returns `first` if the signature is
   * new, `same_key` if it was stored with the same idempotency key, and `other_key` in all other cases.
   */
  guardSignature(request: SignatureGuardRequest): Promise<"first" | "same_key" | "other_key">;

  /** Returns the bucket's state at `nowMs` without taking a token. */
  readBucket(request: {
    readonly keyHash: string;
    readonly bucket: TokenBucket;
    readonly nowMs: number;
  }): Promise<BucketState>;

  /**
   * Suspends the key's epoch. Called before a change to the key commits. Until `setEpoch` is called or `ttlMs` has
   * passed, every request reads the key from the database.
   */
  suspendEpoch(request: { readonly keyHash: string; readonly ttlMs: number; readonly nowMs: number }): Promise<void>;

  /**
   * Sets a new epoch after a change to the key has committed. Copies of the key that are already cached become invalid.
   */
  setEpoch(request: { readonly keyHash: string; readonly epoch: string; readonly nowMs: number }): Promise<void>;

  /**
   * Counts one call in a sliding window. If `limit` calls were already counted within the last `windowMs`, `allowed` is
   * false and the call is not counted.
   */
  countInWindow(request: WindowRequest): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }>;

  resetWindow(request: { readonly key: string }): Promise<void>;

  /** Sets `key` for `ttlMs` unless it is already set. Returns true if this call set it. */
  claimOnce(request: { readonly key: string; readonly ttlMs: number; readonly nowMs: number }): Promise<boolean>;

  /**
   * Reads a value from the cache. If there is none, gives the caller the lease to fill it, unless another caller has the
   * lease. A caller reads the value from the database only after this call, so that `clearCached` in between takes the
   * lease away, and an old value never enters the cache.
   */
  readCached(request: {
    readonly key: string;
    /** A new random id. */
    readonly leaseId: string;
    readonly leaseMs: number;
    readonly nowMs: number;
  }): Promise<string | undefined>;

  /** Stores a value for `ttlMs`, if the caller still has the lease. */
  fillCached(request: {
    readonly key: string;
    readonly leaseId: string;
    readonly value: string;
    readonly ttlMs: number;
    readonly nowMs: number;
  }): Promise<void>;

  /** Removes values and leases. Called after a change of the values has committed. */
  clearCached(request: { readonly keys: readonly string[] }): Promise<void>;

  /** Resolves if the store responds and rejects otherwise. Used by the readiness probe. */
  ping(): Promise<void>;

  /** Closes files and connections. */
  close(): Promise<void>;
}

/**
 * A token bucket that starts full with `capacity` tokens and gains `refillPerSecond` tokens per second up to
 * `capacity`. `refillPerSecond` is greater than 0 and has up to three decimals.
 */
export interface TokenBucket {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

export interface BucketState {
  /** The number of whole tokens left. */
  readonly remaining: number;
  /** The time until the bucket is full. If the outcome is `limited`, the time until it has one token. */
  readonly resetMs: number;
}

export interface AdmissionRequest {
  /** Lowercase hex SHA-256 of the request's API key. */
  readonly keyHash: string;
  readonly nonce: string;
  readonly nonceTtlMs: number;
  /** The request's timestamp, which is in whole seconds, in milliseconds. */
  readonly signedAtMs: number;
  readonly signatureValid: boolean;
  readonly bucket: TokenBucket;
  readonly candidateEpoch: string;
  readonly nowMs: number;
}

export interface Admission {
  readonly outcome: "admitted" | "replayed" | "refused" | "limited";
  /** The key's epoch. Null while it is suspended: the key must then be read from the database and not cached. */
  readonly epoch: string | null;
  readonly bucket: BucketState;
}

export interface SignatureGuardRequest {
  readonly keyHash: string;
  readonly signature: string;
  /** The request's Idempotency-Key. Null if it has none. Two nulls do not count as the same key. */
  readonly idempotencyKey: string | null;
  /** As in `AdmissionRequest`. */
  readonly signedAtMs: number;
  readonly expiresAtMs: number;
  readonly nowMs: number;
}

export interface WindowRequest {
  readonly key: string;
  /** The maximum number of calls within `windowMs`. At least 1. */
  readonly limit: number;
  readonly windowMs: number;
  readonly nowMs: number;
}
