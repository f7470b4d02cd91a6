/**
 * The state that all replicas must agree on within a request: nonces, token buckets, used signatures, and the epoch of
 * each API key. There are two implementations: in the memory of a single process, and in Redis.
 *
 * Every method rejects if the store does not answer. The HTTP layer responds with 503 and never admits the request.
 * Each call receives the time from `app.clock` in milliseconds, so a test that moves the clock moves the store too.
 */
export interface FastState {
  /**
   * Steps 3, 5 and 6 of a signed request (docs/api.md, section 2.4) in one round trip, in this order:
   *
   * 1. claims the nonce for `nonceTtlMs` under `keyHash`; `replayed` if it is already claimed;
   * 2. `refused` if `signatureValid` is false (the nonce stays used, and no token is taken; docs/api.md, section 6.1);
   * 3. takes one token from the key's bucket; `limited` if it is empty;
   * 4. `admitted` otherwise.
   *
   * Every outcome contains the key's epoch. If the key has none, `candidateEpoch` becomes its epoch. A store may lose
   * epochs at any time, so each call needs a new candidate: a repeated epoch would make outdated cached keys valid.
   */
  admit(request: AdmissionRequest): Promise<Admission>;

  /**
   * Stores `signature` and its idempotency key under `keyHash` until `expiresAtMs`. Returns `first` if the signature is
   * new, `same_key` if it was stored with the same idempotency key, and `other_key` if it was stored with another key
   * or none.
   */
  guardSignature(request: SignatureGuardRequest): Promise<"first" | "same_key" | "other_key">;

  /** The bucket's state at `nowMs`. Takes no token. */
  readBucket(request: {
    readonly keyHash: string;
    readonly bucket: TokenBucket;
    readonly nowMs: number;
  }): Promise<BucketState>;

  /**
   * Suspends the key's epoch for `ttlMs`. Called before a revocation commits: until `setEpoch`, every request reads the
   * key from the database. Rejects if the store does not confirm it.
   */
  suspendEpoch(request: {
    readonly keyHash: string;
    readonly ttlMs: number;
    readonly nowMs: number;
  }): Promise<void>;

  /** Sets a new epoch. Called after a revocation has committed; copies cached under earlier epochs become invalid. */
  setEpoch(request: {
    readonly keyHash: string;
    readonly epoch: string;
    readonly nowMs: number;
  }): Promise<void>;

  /**
   * Counts one call in a sliding window. Returns false, and does not count the call, if the last `windowMs` already
   * have `limit` calls.
   */
  countInWindow(
    request: WindowRequest,
  ): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }>;

  /** Resets a window's count to zero. */
  resetWindow(request: { readonly key: string }): Promise<void>;

  /** Sets `key` for `ttlMs` unless it is set. Returns true if this call set it. Makes captcha solutions single-use. */
  claimOnce(request: {
    readonly key: string;
    readonly ttlMs: number;
    readonly nowMs: number;
  }): Promise<boolean>;

  /** Resolves if the store answers, rejects otherwise. Used by the readiness probe. */
  ping(): Promise<void>;

  /** Releases files and connections. */
  close(): Promise<void>;
}

/**
 * A token bucket: starts full with `capacity` tokens and gains `refillPerSecond` tokens a second up to `capacity`. The
 * refill is above 0, with up to three decimals. All `…Ms` values in this file are whole milliseconds.
 */
export interface TokenBucket {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** Whole tokens left, and the milliseconds until the bucket is full (if `limited`: until it has one token). */
export interface BucketState {
  readonly remaining: number;
  readonly resetMs: number;
}

export interface AdmissionRequest {
  /** Lower-case hex SHA-256 of the presented API key. */
  readonly keyHash: string;
  readonly nonce: string;
  readonly nonceTtlMs: number;
  readonly signatureValid: boolean;
  readonly bucket: TokenBucket;
  readonly candidateEpoch: string;
  readonly nowMs: number;
}

export interface Admission {
  readonly outcome: "admitted" | "replayed" | "refused" | "limited";
  /** The key's epoch. Null while it is suspended: the key must be read from the database and not cached. */
  readonly epoch: string | null;
  readonly bucket: BucketState;
}

export interface SignatureGuardRequest {
  readonly keyHash: string;
  readonly signature: string;
  /** The request's Idempotency-Key. Null if it has none; null never equals another null. */
  readonly idempotencyKey: string | null;
  readonly expiresAtMs: number;
  readonly nowMs: number;
}

export interface WindowRequest {
  readonly key: string;
  /** At least 1. */
  readonly limit: number;
  readonly windowMs: number;
  readonly nowMs: number;
}
