import type { Db, Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { AppError } from "../foundation/errors.ts";
import {
  deleteCompletedRecord,
  deleteInFlight,
  type IdempotencyRecord,
  type NewRecord,
  type Outcome,
  type RecordKey,
  recordRows,
  storeOutcome,
} from "./queries.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
/** The lease of a call that calls no vendor before the transaction that stores its response. */
export const SHORT_LEASE_MS = 10_000;

/** A response as it was sent. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Stores a command's response in the command's own transaction, so that the response is stored if and only if the
 * change is committed.
 */
export type SaveResponse<Result> = (tx: Tx, result: Result) => Promise<void>;

/** Used for calls without an Idempotency-Key. */
export const discardResponse: SaveResponse<unknown> = async () => {};

export interface IdempotentCall extends RecordKey {
  /**
   * SHA-256 of the URL, the agent, the body without its password, and the limits of the caller's access. Excludes what
   * changes in a correct retry: the timestamp, nonce and signature.
   */
  readonly fingerprint: string;
  readonly agentIds: readonly string[];
  /** 24 hours, or 30 days for calls that cost money (docs/rules/idempotency.md). */
  readonly retentionHours: number;
}

type Access = { readonly db: Db; readonly clock: Clock };

/**
 * Claims an Idempotency-Key for one call. Returns undefined if the caller must run the call, or the stored response of
 * an earlier call.
 *
 * Throws `idempotency_conflict` if the key was used for another call, `idempotency_in_flight` while the first call
 * runs, and `secret_already_issued` if the first response contained a secret. If the process that ran the first call
 * died, the key can be claimed after its lease, by default one minute.
 */
export async function claimKey(
  { db, clock }: Access,
  call: IdempotentCall,
  leaseMs: number = LEASE_MS,
): Promise<StoredResponse | undefined> {
  const { retentionHours, ...claimed } = call;
  const now = clock.now();
  const leaseExpiresAt = new Date(now.getTime() + leaseMs);
  const expiresAt = recordExpiryOf(call, now);
  const record = { ...claimed, leaseExpiresAt, expiresAt, createdAt: now, state: "in_flight" } as const;

  return withTransaction(db, call.tenantId, async (tx) => {
    if (await recordRows.insertIfNew(tx, record)) return undefined;
    const existing = await recordRows.lock(tx, call);
    if (existing === undefined || existing.expiresAt <= now) {
      await replaceExpired(tx, record, existing);
      return undefined;
    }
    const response = storedResponseOf(existing, call);
    if (response !== undefined) return response;
    if (existing.leaseExpiresAt > now) {
      throw new AppError("idempotency_in_flight", { retryAfterSeconds: 1 });
    }
    await recordRows.update(tx, call, { leaseExpiresAt });
    return undefined;
  });
}

/**
 * Claims a key whose record has expired, or was deleted before this transaction could lock it. `expired` is the locked
 * record, if any. Throws `idempotency_in_flight` if another call has claimed the key in the meantime.
 */
async function replaceExpired(tx: Tx, record: NewRecord, expired: IdempotencyRecord | undefined) {
  if (expired !== undefined) await recordRows.remove(tx, record);
  if (await recordRows.insertIfNew(tx, record)) return;
  throw new AppError("idempotency_in_flight", { retryAfterSeconds: 1 });
}

/** Returns the stored response to this exact call, or undefined. Does not claim the key. */
export async function findStoredResponse({ db }: Access, call: IdempotentCall): Promise<StoredResponse | undefined> {
  return withTransaction(db, call.tenantId, async (tx) => {
    const existing = await recordRows.lock(tx, call);
    return existing === undefined ? undefined : storedResponseOf(existing, call);
  });
}

/**
 * Stores a call's response in the call's transaction. If the call took longer than its lease and another call has
 * stored an outcome for the key, throws `idempotency_in_flight`. The error rolls back the transaction.
 */
export async function storeResponse(tx: Tx, key: RecordKey, response: StoredResponse): Promise<void> {
  const { status: answerStatus, body: answerBody } = response;
  await settle(tx, key, { state: "stored", answerStatus, answerBody });
}

/**
 * Records that the call succeeded and that its response contained a secret. The response itself is not stored. Throws
 * the same error as `storeResponse`.
 */
export async function storeSecretIssued(tx: Tx, key: RecordKey): Promise<void> {
  await settle(tx, key, { state: "secret_issued" });
}

async function settle(tx: Tx, key: RecordKey, outcome: Outcome): Promise<void> {
  if (await storeOutcome(tx, key, outcome)) return;
  const internal = "the lease expired, and another call has stored an outcome for the key";
  throw new AppError("idempotency_in_flight", { internal, retryAfterSeconds: 1 });
}

/**
 * Stores an error response in a separate transaction. The failed call has changed nothing that must be committed
 * together with the response.
 */
export async function storeErrorResponse({ db }: Access, key: RecordKey, response: StoredResponse): Promise<void> {
  await withTransaction(db, key.tenantId, (tx) => storeResponse(tx, key, response));
}

/** Releases the key of a failed call, so that the call can be repeated immediately. */
export async function releaseKey({ db }: Access, key: RecordKey): Promise<void> {
  await withTransaction(db, key.tenantId, (tx) => deleteInFlight(tx, key));
}

/**
 * Deletes a stored response so that the call can be repeated. Does nothing unless the stored body is still
 * `answerBody`, because another call may have stored its own response.
 */
export async function deleteStoredResponse({ db }: Access, key: RecordKey, answerBody: string): Promise<void> {
  await withTransaction(db, key.tenantId, (tx) => deleteCompletedRecord(tx, key, answerBody));
}

/** Returns when the record of a call expires that is claimed at this time. */
export function recordExpiryOf({ retentionHours }: IdempotentCall, claimedAt: Date): Date {
  return new Date(claimedAt.getTime() + retentionHours * HOUR_MS);
}

/**
 * Returns the stored response of the first call with the key, or undefined if there is none. Throws
 * `idempotency_conflict` if `call` differs from the first call, and `secret_already_issued` if the first response
 * contained a secret.
 */
export function storedResponseOf(
  existing: Pick<IdempotencyRecord, "fingerprint" | "agentIds" | "state" | "answerStatus" | "answerBody">,
  call: IdempotentCall,
): StoredResponse | undefined {
  const sameAgents = [...existing.agentIds].sort().join() === [...call.agentIds].sort().join();
  if (existing.fingerprint !== call.fingerprint || !sameAgents) {
    throw new AppError("idempotency_conflict");
  }
  if (existing.state === "secret_issued") throw new AppError("secret_already_issued");
  if (existing.state !== "stored" || existing.answerStatus === null) return undefined;
  return { status: existing.answerStatus, body: existing.answerBody ?? "" };
}

const NOT_FINAL: ReadonlySet<string> = new Set(["validation_error", "reauthentication_required", "signature_replayed"]);

/** Returns true if the error is stored as the response to its call (docs/rules/idempotency.md). */
export function isFinal({ status, code }: AppError): boolean {
  return status < 500 && status !== 429 && status !== 401 && !NOT_FINAL.has(code);
}
