import { type Actor, type AuditEvent, auditRecordOf } from "../../audit/append.ts";
import { entryRowOf } from "../../audit/entries/queries.ts";
import type { Db, Tx } from "../../db/database.ts";
import { isLockTimeout, needsMoreStatements } from "../../db/errors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type Event, newEventOf } from "../../events/append-event.ts";
import { eventRowOf } from "../../events/queries.ts";
import type { Clock } from "../../foundation/clock.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  expiryOf,
  type IdempotentCall,
  isFinal,
  responseOf,
  type StoredResponse,
} from "../claim.ts";
import {
  type ClaimRow,
  claimRequest,
  claimWithNext,
  insertSignature,
  isClaimTaken,
  type MoneyStatements,
  writeRefusal,
} from "./queries.ts";

export const LOCK_TIMEOUT_MS = 1_000;
/** Remembering a signature waits only for a request with the same signature, which remembers it itself. */
const SIGNATURE_LOCK_TIMEOUT_MS = 10;

/** How often a request is decided before it fails because policies change all the time. */
const DECISIONS_MAX = 3;
/** Returned by `move` if what was decided on has changed since. Nothing was moved. */
export const DECIDE_AGAIN = Symbol("decide again");

/** What identifies a money request, and how its outcome becomes a response. */
export interface MoneyClaim<Result> {
  readonly tenantId: TenantId;
  /** Undefined if the request has no Idempotency-Key. */
  readonly call: IdempotentCall | undefined;
  /** Undefined for a dashboard session, which signs nothing. */
  readonly signature: { readonly hash: string; readonly expiresAt: Date } | undefined;
  readonly responseOf: (outcome: Result | AppError) => StoredResponse;
  /** Returns the error for a signature that was used before. */
  readonly rejectReplay: () => AppError;
}

/** The steps of a money request. They can run more than once, but only one run commits. */
export interface MoneySteps<Query, Facts, Plan, Result, Row> {
  readonly statements: MoneyStatements<Query, Facts, Row>;
  /** The parameters of the query that reads the facts. */
  readonly query: Query;
  /**
   * Decides from the facts alone. Returns what to move, or a refusal. The transaction is only for reading what never
   * changes, once in each process.
   */
  decide(facts: Facts, tx: Tx): Plan | AppError | Promise<Plan | AppError>;
  /**
   * Moves the money with a statement that is sent with the one that writes the outcome. That one fails with an error for
   * which `needsMoreStatements` returns true if the move is refused or has to write more. `move` is then called instead,
   * in a new transaction.
   */
  moveWithNextStatement(tx: Tx, plan: Plan): Promise<Result>;
  /**
   * Moves the money in one statement, which changes everything or nothing. Returns the result, or a refusal, or
   * `DECIDE_AGAIN`.
   */
  move(tx: Tx, plan: Plan): Promise<Result | AppError | typeof DECIDE_AGAIN>;
  /** Returns the request's own rows. */
  rowOf(result: Result): Row;
  /** Writes the rows of a refused request, if it has any. */
  recordRefusal?(tx: Tx): Promise<void>;
  /** Returns the audit entry, and the data and the sequence number of the event with the same name. */
  recordOf(
    outcome: Result | AppError,
  ): Omit<AuditEvent, "chain"> & Pick<Event, "data" | "sequence">;
}

export interface MoneyAnswer {
  readonly response: StoredResponse;
  /** Whether the response is that of an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

export type Attempt<Result> =
  | { readonly kind: "taken"; readonly record: Parameters<typeof responseOf>[0] }
  | {
      readonly kind: "done";
      readonly outcome: Result | AppError;
      readonly response: StoredResponse;
    };

/**
 * Runs a money request in one transaction of two round trips: begin, claim the key and the signature, and read the facts;
 * then move, write and commit. `decide` needs no round trip, except for what this process reads only once. If the
 * key or the signature was used before, or if the move is refused or has to write more, the transaction is rolled back,
 * and another one uses a round trip for each step.
 *
 * A refusal is committed as well: the key, the signature, the response, an audit entry and an event, but nothing else. It
 * is then thrown. An error that is thrown by a step, or that is not final, such as a `validation_error`, rolls back the
 * transaction. Only the signature is then stored, in a transaction of its own.
 *
 * A request whose key or signature is in use by another transaction waits for it. Throws `idempotency_in_flight` if this
 * takes longer than a second, and `service_unavailable` if another lock does. Throws `version_conflict` if policies change
 * whenever the request is decided.
 */
export async function runMoneyRequest<Query, Facts, Plan, Result, Row>(
  app: { readonly db: Db; readonly clock: Clock },
  actor: Actor,
  claim: MoneyClaim<Result>,
  steps: MoneySteps<Query, Facts, Plan, Result, Row>,
): Promise<MoneyAnswer> {
  const claimRow = claimRowOf(claim, app.clock.now());
  let isClaimed = false;
  const runInTwoRoundTrips = async (tx: Tx): Promise<Attempt<Result>> => {
    isClaimed = false;
    await claimWithNext(tx, claimRow);
    return perform(tx, steps.moveWithNextStatement);
  };
  const runStepByStep = async (tx: Tx): Promise<Attempt<Result>> => {
    isClaimed = false;
    const claimed = await claimRequest(tx, claimRow);
    if (claimed.outcome === "replayed") throw claim.rejectReplay();
    if (claimed.outcome === "taken") return { kind: "taken", record: claimed.record };
    return perform(tx, steps.move);
  };
  const perform = async (tx: Tx, move: typeof steps.move): Promise<Attempt<Result>> => {
    const outcome = await outcomeOf(tx, { ...steps, move }, () => {
      isClaimed = true;
    });
    const response = claim.responseOf(outcome);
    await write(tx, steps, { actor, claimRow, outcome, response });
    return { kind: "done", outcome, response };
  };

  const transact = (run: (tx: Tx) => Promise<Attempt<Result>>) =>
    withTransaction(app.db, claim.tenantId, run, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  const end = await transact(runInTwoRoundTrips)
    .catch((error: unknown) => {
      if (!isClaimTaken(error) && !needsMoreStatements(error)) throw error;
      return transact(runStepByStep);
    })
    .catch(async (error: unknown) => {
      await rememberSignature(app.db, claim);
      if (!isLockTimeout(error)) throw error;
      if (isClaimed) {
        throw new AppError("service_unavailable", { internal: "a lock timed out", cause: error });
      }
      throw new AppError("idempotency_in_flight");
    });
  return answerOf(claim, end);
}

/** Reads the facts, decides and moves. Returns the result or a final refusal. */
async function outcomeOf<Query, Facts, Plan, Result, Row>(
  tx: Tx,
  { statements, query, decide, move }: MoneySteps<Query, Facts, Plan, Result, Row>,
  onClaimed: () => void,
): Promise<Result | AppError> {
  for (let decisions = 0; decisions < DECISIONS_MAX; decisions += 1) {
    const [facts] = await statements.readFacts(tx, query);
    onClaimed();
    invariant(facts !== undefined, "the query of the facts returns a row");
    const plan = await decide(facts, tx);
    const outcome = plan instanceof AppError ? plan : await move(tx, plan);
    if (outcome instanceof AppError && !isFinal(outcome)) throw outcome;
    if (outcome !== DECIDE_AGAIN) return outcome;
  }
  throw new AppError("version_conflict", {
    detail: "The agent's policies changed while the request was decided. Repeat the request.",
  });
}

async function write<Query, Facts, Plan, Result, Row>(
  tx: Tx,
  { statements, recordOf, rowOf, recordRefusal }: MoneySteps<Query, Facts, Plan, Result, Row>,
  {
    actor,
    claimRow,
    outcome,
    response,
  }: {
    readonly actor: Actor;
    readonly claimRow: ClaimRow;
    readonly outcome: Result | AppError;
    readonly response: StoredResponse;
  },
): Promise<void> {
  const { data, sequence, ...entry } = recordOf(outcome);
  const row = {
    ...claimRow,
    ...entryRowOf(auditRecordOf(actor, entry)),
    ...eventRowOf(newEventOf(actor, { ...entry, type: entry.action, data, sequence })),
    answerStatus: response.status,
    answerBody: response.body,
  };
  if (outcome instanceof AppError) {
    await recordRefusal?.(tx);
    await writeRefusal(tx, row);
  } else await statements.writeResult(tx, { ...row, ...rowOf(outcome) });
}

export function answerOf<Result>({ call }: MoneyClaim<Result>, end: Attempt<Result>): MoneyAnswer {
  if (end.kind === "taken") {
    const response = call === undefined ? undefined : responseOf(end.record, call);
    if (response === undefined) throw new AppError("idempotency_in_flight");
    return { response, isReplayed: true };
  }
  if (end.outcome instanceof AppError) throw end.outcome;
  return { response: end.response, isReplayed: false };
}

export function claimRowOf(
  { tenantId, call, signature }: MoneyClaim<never>,
  claimedAt: Date,
): ClaimRow {
  return {
    tenantId,
    keyMode: call?.mode ?? null,
    keyMethod: call?.method ?? null,
    keyRoute: call?.route ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
    fingerprint: call?.fingerprint ?? null,
    keyAgentIds: call?.agentIds ?? [],
    keyExpiresAt: call === undefined ? null : expiryOf(call, claimedAt),
    signatureHash: signature?.hash ?? null,
    signatureExpiresAt: signature?.expiresAt ?? null,
    claimedAt,
  };
}

/**
 * Remembers the signature of a request whose transaction was rolled back. Otherwise an attacker could send the captured
 * request with another Idempotency-Key, and the client's own retry would then move the money again. If the database does
 * not respond, the signature is not remembered.
 */
export async function rememberSignature(db: Db, { tenantId, call, signature }: MoneyClaim<never>) {
  if (signature === undefined) return;
  const idempotencyKey = call?.idempotencyKey ?? null;
  const { hash: signatureHash, expiresAt } = signature;
  await withTransaction(
    db,
    tenantId,
    (tx) => insertSignature(tx, { tenantId, signatureHash, idempotencyKey, expiresAt }),
    { lockTimeoutMs: SIGNATURE_LOCK_TIMEOUT_MS },
  ).catch(() => {});
}
