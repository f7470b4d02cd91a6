/**
 * The state that every replica must agree on within a request: nonces, token buckets, signatures already used, and the
 * epoch of each API key. Two implementations keep these promises: one in the memory of a single process, one in Redis.
 *
 * Every method rejects when the store cannot answer. The edge turns that into 503; nothing is ever let through.
 * Each call takes `now` in milliseconds from `app.clock`, so that a test which moves the clock moves the store with it.
 */
export interface FastState {
  /**
   * Steps 3, 5 and 6 of a signed request (specification, "Verification order") in one round trip, in this order:
   *
   * 1. claims the nonce for `nonceTtlMs`, scoped to `keyHash`; already claimed: `replayed`;
   * 2. `signatureValid` false: `refused` (the nonce stays burnt, as the specification's order has it, and no token is taken);
   * 3. takes one token from the key's bucket; empty: `limited`;
   * 4. otherwise `admitted`.
   *
   * Every outcome carries the key's epoch. Where the key has none, `candidateEpoch` becomes its epoch. A store may forget
   * epochs at any time, so a candidate is made for this call and used for no other: an epoch that comes back would revive
   * what was cached under it.
   */
  admit(request: AdmissionRequest): Promise<Admission>;

  /**
   * Remembers `signature` under `keyHash` until `expiresAtMs`, together with the idempotency key that came with it.
   * Returns `first` when it was not remembered before, `same_key` when it was and with this very idempotency key, and
   * `other_key` when it was with another one or with none.
   */
  guardSignature(request: SignatureGuardRequest): Promise<"first" | "same_key" | "other_key">;

  /** What the bucket holds at `nowMs`, without taking anything from it. */
  readBucket(request: {
    readonly keyHash: string;
    readonly bucket: TokenBucket;
    readonly nowMs: number;
  }): Promise<BucketState>;

  /**
   * Gives the key an epoch that no reader may cache under, for `ttlMs`. Called before a revocation commits: until
   * `setEpoch`, every request reads the key from the database. Rejects when the store cannot be told.
   */
  suspendEpoch(request: {
    readonly keyHash: string;
    readonly ttlMs: number;
    readonly nowMs: number;
  }): Promise<void>;

  /** Gives the key a new epoch. Called after a revocation has committed; cached copies under older epochs are void from then on. */
  setEpoch(request: {
    readonly keyHash: string;
    readonly epoch: string;
    readonly nowMs: number;
  }): Promise<void>;

  /** Counts one call in a sliding window. False, and not counted, when `limit` calls already stand within the last `windowMs`. */
  countInWindow(
    request: WindowRequest,
  ): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }>;

  /** Forgets what a window has counted: the next call is its first. */
  forgetWindow(request: { readonly key: string }): Promise<void>;

  /** Sets `key` for `ttlMs` unless it is set. True for the caller who set it. Used for single-use captcha solutions. */
  claimOnce(request: {
    readonly key: string;
    readonly ttlMs: number;
    readonly nowMs: number;
  }): Promise<boolean>;

  /** Resolves when the store answers, rejects otherwise. For readiness. */
  ping(): Promise<void>;

  /** Releases files and connections. */
  close(): Promise<void>;
}

/**
 * A token bucket: starts full with `capacity` tokens and gains `refillPerSecond` tokens a second up to `capacity`. The
 * refill is above 0 and counts to the thousandth. Times that this file calls `…Ms` are whole milliseconds.
 */
export interface TokenBucket {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** Whole tokens left, and the milliseconds until the bucket is full again (of a `limited` admission: until one token is there). */
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
  /** The key's epoch, or null while it is suspended: then the key is read from the database and not cached. */
  readonly epoch: string | null;
  readonly bucket: BucketState;
}

export interface SignatureGuardRequest {
  readonly keyHash: string;
  readonly signature: string;
  /** The request's Idempotency-Key, or null where it has none; null never counts as the same key. */
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
