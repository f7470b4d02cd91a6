import type {
  Admission,
  AdmissionRequest,
  BucketState,
  FastState,
  SignatureGuardRequest,
  TokenBucket,
  WindowRequest,
} from "../../ports/fast-state.ts";
import { type Claim, ClaimsFile, keepUntilMs, readClaims } from "./claims-file.ts";
import { ExpiringMap } from "./expiring-map.ts";
import {
  type BucketLevel,
  bucketState,
  CLAIM_MARGIN_MS,
  EPOCH_TTL_MS,
  fullAfterMs,
  limitedState,
  refill,
  signatureGuardResult,
  takeToken,
} from "./fast-state-rules.ts";

type CacheEntry =
  | { readonly kind: "value"; readonly value: string; readonly untilMs: number }
  | { readonly kind: "lease"; readonly leaseId: string; readonly untilMs: number };

type Epoch =
  | { readonly state: "current"; readonly epoch: string }
  | { readonly state: "suspended"; readonly untilMs: number };

/**
 * The in-memory fast state of a single process. With `claimsFile`, claims survive a restart. All other state is lost:
 * after a restart, token buckets are full, call counts are zero, and API keys are read from the database again. Rejects
 * if the file cannot be read or opened.
 */
export async function createMemoryFastState(options: { readonly claimsFile?: string }): Promise<FastState> {
  const path = options.claimsFile;
  return new MemoryFastState(path === undefined ? [] : await readClaims(path), path);
}

/** No method awaits anything, so calls cannot interleave. */
class MemoryFastState implements FastState {
  readonly #claims = new ExpiringMap<Claim>();
  readonly #buckets = new ExpiringMap<BucketLevel>();
  readonly #epochs = new ExpiringMap<Epoch>();
  readonly #windows = new ExpiringMap<readonly number[]>();
  readonly #cache = new ExpiringMap<CacheEntry>();
  readonly #claimsFile: ClaimsFile | undefined;

  constructor(found: readonly Claim[], claimsPath: string | undefined) {
    // A later claim on the same id replaces an earlier one, which has expired.
    for (const claim of found) this.#store(claim, Number.NEGATIVE_INFINITY);
    this.#claimsFile = claimsPath === undefined ? undefined : new ClaimsFile(claimsPath, this.#claims);
  }

  async admit(request: AdmissionRequest): Promise<Admission> {
    const { keyHash, nonce, nonceTtlMs, nowMs } = request;
    const id = `nonce:${keyHash}:${nonce}`;
    const earlier = this.#claim({ id, expiresAtMs: nowMs + nonceTtlMs, note: null }, nowMs);

    const epoch = this.#epochOf(request);
    if (earlier !== undefined) {
      return { outcome: "replayed", epoch, bucket: this.#bucketState(request) };
    }
    if (!request.signatureValid) {
      return { outcome: "refused", epoch, bucket: this.#bucketState(request) };
    }
    return { ...this.#take(request), epoch };
  }

  async guardSignature(request: SignatureGuardRequest) {
    const { keyHash, signature, idempotencyKey, expiresAtMs, nowMs } = request;
    const id = `signature:${keyHash}:${signature}`;
    const earlier = this.#claim({ id, expiresAtMs, note: idempotencyKey }, nowMs);
    return signatureGuardResult(earlier?.note, request);
  }

  async readBucket(request: { keyHash: string; bucket: TokenBucket; nowMs: number }) {
    return this.#bucketState(request);
  }

  async suspendEpoch({ keyHash, ttlMs, nowMs }: { keyHash: string; ttlMs: number; nowMs: number }) {
    const untilMs = nowMs + ttlMs;
    this.#epochs.set(keyHash, { state: "suspended", untilMs }, { keepUntilMs: untilMs + CLAIM_MARGIN_MS, nowMs });
  }

  async setEpoch({ keyHash, epoch, nowMs }: { keyHash: string; epoch: string; nowMs: number }) {
    this.#epochs.set(keyHash, { state: "current", epoch }, { keepUntilMs: nowMs + EPOCH_TTL_MS, nowMs });
  }

  async countInWindow({ key, limit, windowMs, nowMs }: WindowRequest) {
    const counted = this.#windows.get(key) ?? [];
    // The `limit`th most recent call decides. If it is still in the window, the new call is not allowed.
    const decidingMs = counted.at(-limit);
    const retryAfterMs = decidingMs === undefined ? 0 : decidingMs + windowMs - nowMs;
    if (retryAfterMs > 0) return { allowed: false, retryAfterMs };

    this.#windows.set(key, [...counted, nowMs].slice(-limit), {
      keepUntilMs: nowMs + windowMs + CLAIM_MARGIN_MS,
      nowMs,
    });
    return { allowed: true, retryAfterMs: 0 };
  }

  async resetWindow({ key }: { key: string }) {
    this.#windows.delete(key);
  }

  async claimOnce({ key, ttlMs, nowMs }: { key: string; ttlMs: number; nowMs: number }) {
    const claim = { id: `once:${key}`, expiresAtMs: nowMs + ttlMs, note: null };
    return this.#claim(claim, nowMs) === undefined;
  }

  async readCached({ key, leaseId, leaseMs, nowMs }: Parameters<FastState["readCached"]>[0]) {
    const entry = this.#cache.get(key);
    if (entry !== undefined && entry.untilMs > nowMs) {
      return entry.kind === "value" ? entry.value : undefined;
    }
    const untilMs = nowMs + leaseMs;
    this.#cache.set(key, { kind: "lease", leaseId, untilMs }, { keepUntilMs: untilMs, nowMs });
    return undefined;
  }

  async fillCached({ key, leaseId, value, ttlMs, nowMs }: Parameters<FastState["fillCached"]>[0]) {
    const entry = this.#cache.get(key);
    if (entry?.kind !== "lease" || entry.leaseId !== leaseId) return;
    const untilMs = nowMs + ttlMs;
    this.#cache.set(key, { kind: "value", value, untilMs }, { keepUntilMs: untilMs, nowMs });
  }

  async clearCached({ keys }: { keys: readonly string[] }) {
    for (const key of keys) this.#cache.delete(key);
  }

  async ping() {}

  async close() {
    this.#claimsFile?.close();
  }

  /**
   * Returns the earlier claim if it has not expired. Otherwise stores this claim and returns undefined. Writes the
   * claim to the file before storing it in memory. If the write fails, no claim is made.
   */
  #claim(claim: Claim, nowMs: number): Claim | undefined {
    const earlier = this.#claims.get(claim.id);
    if (earlier !== undefined && earlier.expiresAtMs > nowMs) return earlier;
    this.#claimsFile?.append(claim, nowMs);
    this.#store(claim, nowMs);
    return undefined;
  }

  #store(claim: Claim, nowMs: number): void {
    this.#claims.set(claim.id, claim, { keepUntilMs: keepUntilMs(claim), nowMs });
  }

  #epochOf({ keyHash, candidateEpoch, nowMs }: AdmissionRequest): string | null {
    const known = this.#epochs.get(keyHash);
    if (known?.state === "current") return known.epoch;
    if (known?.state === "suspended" && known.untilMs > nowMs) return null;
    const keepUntilMs = nowMs + EPOCH_TTL_MS;
    this.#epochs.set(keyHash, { state: "current", epoch: candidateEpoch }, { keepUntilMs, nowMs });
    return candidateEpoch;
  }

  #take({ keyHash, bucket, nowMs }: AdmissionRequest): Pick<Admission, "outcome" | "bucket"> {
    const level = refill(this.#buckets.get(keyHash), bucket, nowMs);
    const left = takeToken(level);
    if (left === undefined) return { outcome: "limited", bucket: limitedState(level.micros, bucket) };

    const fullAtMs = nowMs + fullAfterMs(left.micros, bucket);
    this.#buckets.set(keyHash, left, { keepUntilMs: fullAtMs + CLAIM_MARGIN_MS, nowMs });
    return { outcome: "admitted", bucket: bucketState(left.micros, bucket) };
  }

  #bucketState(request: { keyHash: string; bucket: TokenBucket; nowMs: number }): BucketState {
    const { keyHash, bucket, nowMs } = request;
    return bucketState(refill(this.#buckets.get(keyHash), bucket, nowMs).micros, bucket);
  }
}
