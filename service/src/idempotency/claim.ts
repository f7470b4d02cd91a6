import type { Db, Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import type { Clock } from "../foundation/clock.ts";
import { AppError } from "../foundation/errors.ts";
import {
  deleteCompletedRecord,
  deleteInFlight,
  deleteRecord,
  type IdempotencyRecord,
  insertRecord,
  lockRecord,
  type NewRecord,
  type Outcome,
  type RecordKey,
  renewLease,
  settleInFlight,
} from "./queries.ts";

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;

/** An answer as it went out, kept to be given again. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Notes the outcome of an operation in the operation's own transaction: an operation that calls it before it commits has
 * its answer stored exactly when it has happened, whatever dies in between.
 */
export type SaveResponse<Result> = (tx: Tx, result: Result) => Promise<void>;

/** For calls that nobody can repeat by a key. */
export const discardResponse: SaveResponse<unknown> = async () => {};

export interface IdempotentCall extends RecordKey {
  /** SHA-256 over path, agent and raw body: not over what an honest retry changes (timestamp, nonce, signature). */
  readonly fingerprint: string;
  readonly agentIds: readonly string[];
  /** 24 hours everywhere; 30 days for what costs money (contract, section 0). */
  readonly retentionHours: number;
}

type Access = { readonly db: Db; readonly clock: Clock };

/**
 * Takes an Idempotency-Key for one call. Undefined: the key is the caller's, go on. An answer: the call was made before.
 *
 * Throws `idempotency_conflict` for another call under the same key, `idempotency_in_flight` while the first one runs, and
 * `secret_already_issued` where the first answer held a secret. A first call whose process died is taken over after its
 * lease of a minute.
 */
export async function claimKey(
  { db, clock }: Access,
  call: IdempotentCall,
): Promise<StoredResponse | undefined> {
  const { retentionHours, ...record } = call;
  const now = clock.now();
  const leaseExpiresAt = new Date(now.getTime() + LEASE_MS);
  const expiresAt = new Date(now.getTime() + retentionHours * HOUR_MS);
  const fresh = { ...record, leaseExpiresAt, expiresAt, createdAt: now };

  return withTransaction(db, call.tenantId, async (tx) => {
    if (await insertRecord(tx, fresh)) return undefined;
    const known = await lockRecord(tx, call);
    if (known === undefined || known.expiresAt <= now) {
      await takeAgain(tx, fresh, known);
      return undefined;
    }
    const answer = answerOf(known, call);
    if (answer !== undefined) return answer;
    if (known.leaseExpiresAt > now) {
      throw new AppError("idempotency_in_flight", { retryAfterSeconds: 1 });
    }
    await renewLease(tx, call, leaseExpiresAt);
    return undefined;
  });
}

/**
 * Takes a key that was free, or past its time, a moment ago. Only what is locked is deleted: a record that was gone may be
 * there again, as that of somebody else who waited too.
 */
async function takeAgain(tx: Tx, fresh: NewRecord, stale: IdempotencyRecord | undefined) {
  if (stale !== undefined) await deleteRecord(tx, fresh);
  if (await insertRecord(tx, fresh)) return;
  throw new AppError("idempotency_in_flight", { retryAfterSeconds: 1 });
}

/** The answer stored for this very call, and nothing else: for a request that may not do anything again. */
export async function findStoredResponse(
  { db }: Access,
  call: IdempotentCall,
): Promise<StoredResponse | undefined> {
  return withTransaction(db, call.tenantId, async (tx) => {
    const known = await lockRecord(tx, call);
    return known === undefined ? undefined : answerOf(known, call);
  });
}

/**
 * Stores the answer of a call in the transaction that made it so. Throws `idempotency_in_flight`, which undoes that
 * transaction, where the call took longer than its lease and whoever took the key over has settled it first.
 */
export async function storeResponse(tx: Tx, key: RecordKey, answer: StoredResponse): Promise<void> {
  const { status: answerStatus, body: answerBody } = answer;
  await settle(tx, key, { state: "stored", answerStatus, answerBody });
}

/** Notes that the call was made and its answer held a secret, which is kept nowhere. Throws as `storeResponse` does. */
export async function storeSecretIssued(tx: Tx, key: RecordKey): Promise<void> {
  await settle(tx, key, { state: "secret_issued" });
}

async function settle(tx: Tx, key: RecordKey, outcome: Outcome): Promise<void> {
  if (await settleInFlight(tx, key, outcome)) return;
  const internal = "the lease ran out, and another call has settled the key";
  throw new AppError("idempotency_in_flight", { internal, retryAfterSeconds: 1 });
}

/** Stores a refusal, which changed nothing, in a transaction of its own. */
export async function storeRefusal(
  { db }: Access,
  key: RecordKey,
  answer: StoredResponse,
): Promise<void> {
  await withTransaction(db, key.tenantId, (tx) => storeResponse(tx, key, answer));
}

/** Gives the key free where the call came to nothing, so that it can be made again at once. */
export async function releaseKey({ db }: Access, key: RecordKey): Promise<void> {
  await withTransaction(db, key.tenantId, (tx) => deleteInFlight(tx, key));
}

/**
 * Forgets a stored answer that turned out to be none, so that the same call can be made again. This very one: somebody may
 * have made the call again by now, and what is stored is theirs.
 */
export async function deleteStoredResponse(
  { db }: Access,
  key: RecordKey,
  answerBody: string,
): Promise<void> {
  await withTransaction(db, key.tenantId, (tx) => deleteCompletedRecord(tx, key, answerBody));
}

function answerOf(known: IdempotencyRecord, call: IdempotentCall): StoredResponse | undefined {
  const sameAgents = [...known.agentIds].sort().join() === [...call.agentIds].sort().join();
  if (known.fingerprint !== call.fingerprint || !sameAgents) {
    throw new AppError("idempotency_conflict");
  }
  if (known.state === "secret_issued") throw new AppError("secret_already_issued");
  if (known.state !== "stored" || known.answerStatus === null) return undefined;
  return { status: known.answerStatus, body: known.answerBody ?? "" };
}
