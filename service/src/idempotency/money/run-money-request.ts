import { type Actor, auditRecordOf } from "../../audit/append.ts";
import { entryRowOf } from "../../audit/entries/queries.ts";
import type { Db, Tx } from "../../db/database.ts";
import { hasOutdatedFacts, isLockTimeout, needsMoreStatements } from "../../db/errors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type Event, type EventEntry, newEventOf } from "../../events/events.ts";
import { eventRowOf } from "../../events/queries.ts";
import type { Clock } from "../../foundation/clock.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  type IdempotentCall,
  isFinal,
  recordExpiryOf,
  type StoredResponse,
  storedResponseOf,
  storeResponse,
} from "../claim.ts";
import { deleteInFlight } from "../queries.ts";
import {
  type ClaimRow,
  claimRequest,
  claimWithNext,
  isClaimTaken,
  isClaimWait,
  type MoneyStatements,
  type OutcomeRow,
  requestSignatureRows,
  writeRefusal,
} from "./queries.ts";

export const LOCK_TIMEOUT_MS = 1_000;
/** How often a request waits for locks before it fails. */
const LOCK_WAITS_MAX = 3;
/** Remembering a signature waits only for a request with the same signature, which remembers it itself. */
const SIGNATURE_LOCK_TIMEOUT_MS = 10;

/** How often a request is decided before it fails because policies change all the time. */
const DECISIONS_MAX = 3;
/** Returned by `move` if what was decided on has changed since. Nothing was moved. */
export const DECIDE_AGAIN = Symbol("decide again");

interface Access {
  readonly db: Db;
  readonly clock: Clock;
}

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
   * Returns facts that this process has kept, or undefined. If they allow the request, it takes one round trip. The
   * statement of `moveWithNextStatement` must then fail with an error for which `hasOutdatedFacts` returns true unless
   * the facts are current.
   */
  cachedFacts?(): Facts | undefined;
  /**
   * Decides from the facts alone. Returns what to move, or a refusal. The database is only for reading what never
   * changes, once in each process.
   */
  decide(facts: Facts, db: Db): Plan | AppError | Promise<Plan | AppError>;
  /**
   * Returns a move in one statement, which is sent with the one that writes the outcome. That one fails with an error for
   * which `needsMoreStatements` returns true if the move is refused or has to write more. `move` is then called instead,
   * in a new transaction. Throws `MoreStatementsNeeded` if it is known before that one statement is not enough.
   */
  moveWithNextStatement(plan: Plan): MoveWithNextStatement<Result>;
  /**
   * Moves the money in one statement, which changes everything or nothing. Returns the result, or a refusal, or
   * `DECIDE_AGAIN`.
   */
  move(tx: Tx, plan: Plan): Promise<Result | AppError | typeof DECIDE_AGAIN>;
  /**
   * Releases what only a late job still holds. Is called outside any transaction, before a request that was refused or has
   * to write more is decided again.
   */
  beforeDecidingAgain?(): Promise<void>;
  /** Returns the request's own rows. */
  rowOf(result: Result): Row;
  /** Writes the rows of a refused request, if it has any. */
  recordRefusal?(tx: Tx): Promise<void>;
  /** Returns the audit entry, and the data and the sequence number of the event with the same name. */
  recordOf(outcome: Result | AppError): EventEntry & Pick<Event, "data" | "sequence">;
}

export interface MoveWithNextStatement<Result> {
  /** What the statement has done if it succeeds. */
  readonly result: Result;
  send(tx: Tx): Promise<void>;
}

export interface MoneyAnswer {
  readonly response: StoredResponse;
  /** Whether the response is that of an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

type Attempt<Result> =
  | { readonly kind: "taken"; readonly record: Parameters<typeof storedResponseOf>[0] }
  | {
      readonly kind: "done";
      readonly outcome: Result | AppError;
      readonly response: StoredResponse;
    };

/**
 * Runs a money request in one transaction of two round trips: begin, claim the key and the signature, and read the
 * facts; then move, write and commit. With cached facts, it is one round trip. `decide` needs no round trip, except for
 * what this process reads only once. If the key or the signature was used before, or if the move is refused or has to
 * write more, the transaction is rolled back, and another one uses a round trip for each step.
 *
 * A refusal is committed as well: the key, the signature, the response, an audit entry and an event, but nothing else.
 * It is then thrown. An error that is thrown by a step, or that is not final, such as a `validation_error`, rolls back
 * the transaction. Only the signature is then stored, in a transaction of its own.
 *
 * A request whose key or signature is in use by another transaction waits for it. Throws `idempotency_in_flight` if
 * this takes longer than a second, and `service_unavailable` if another lock takes longer than three. Throws
 * `version_conflict` if policies change whenever the request is decided.
 */
export async function runMoneyRequest<Query, Facts, Plan, Result, Row>(
  app: Access,
  actor: Actor,
  claim: MoneyClaim<Result>,
  steps: MoneySteps<Query, Facts, Plan, Result, Row>,
): Promise<MoneyAnswer> {
  const claimRow = claimRowOf(claim, app.clock.now());
  const finish = async (tx: Tx, outcome: Result | AppError): Promise<Attempt<Result>> => {
    const response = claim.responseOf(outcome);
    await write(tx, steps, { actor, claimRow, outcome, response });
    return { kind: "done", outcome, response };
  };
  const moveWithNext = async (tx: Tx, plan: Plan) => {
    const { result, send } = steps.moveWithNextStatement(plan);
    await send(tx);
    return result;
  };
  const transact = (run: (tx: Tx) => Promise<Attempt<Result>>) =>
    withTransaction(app.db, claim.tenantId, run, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  const runAtOnce = (plan?: Plan) =>
    transact(async (tx) => {
      await claimWithNext(tx, claimRow);
      const move = { ...steps, move: moveWithNext };
      return finish(tx, plan === undefined ? await outcomeOf(tx, move) : await moveWithNext(tx, plan));
    });
  const run = async () => {
    const plan = await planFromCachedFacts(app.db, steps);
    if (plan === undefined) return runAtOnce();
    return runAtOnce(plan).catch((error: unknown) => {
      if (!hasOutdatedFacts(error)) throw error;
      return runAtOnce();
    });
  };
  return answerAfter(app, claim, () =>
    run().catch(async (error: unknown) => {
      if (needsMoreStatements(error)) await steps.beforeDecidingAgain?.();
      else if (!isClaimTaken(error)) throw error;
      return transact((tx) => claimThen(tx, claim, claimRow, async () => finish(tx, await outcomeOf(tx, steps))));
    }),
  );
}

/**
 * Runs a request that lets money move later, such as an approval. Like `runMoneyRequest`, it accepts a signature only
 * once, and claims the key and the signature in the transaction of the change. `work` writes its own rows, audit entry and
 * event, and uses as many round trips as it needs. It can run more than once, but only one run commits.
 *
 * If `work` returns an error that is not final, its changes are committed, the key is released, and the error is thrown.
 *
 * If `work` throws a final error, its changes are rolled back, and the error is stored as the response. `recordRefusal` can
 * write an audit entry and an event in the transaction that stores it.
 */
export async function runClaimedRequest<Result>(
  app: Access,
  claim: MoneyClaim<Result>,
  work: (tx: Tx) => Promise<Result | AppError>,
  recordRefusal: (tx: Tx, refusal: AppError) => Promise<void> = async () => {},
): Promise<MoneyAnswer> {
  const claimRow = claimRowOf(claim, app.clock.now());
  let isClaimed = false;
  const attempt = (perform: (tx: Tx) => Promise<Result | AppError>) =>
    withTransaction(
      app.db,
      claim.tenantId,
      (tx) => {
        isClaimed = false;
        return claimThen(tx, claim, claimRow, async () => {
          isClaimed = true;
          const outcome = await perform(tx);
          const response = claim.responseOf(outcome);
          if (claim.call !== undefined) await storeOutcome(tx, claim.call, outcome, response);
          return { kind: "done", outcome, response };
        });
      },
      { lockTimeoutMs: LOCK_TIMEOUT_MS },
    );
  return answerAfter(
    app,
    claim,
    () => attempt(work),
    (error) => {
      if (!isClaimed || !(error instanceof AppError) || !isFinal(error)) throw error;
      return attempt(async (tx) => {
        await recordRefusal(tx, error);
        return error;
      });
    },
  );
}

async function storeOutcome(tx: Tx, call: IdempotentCall, outcome: unknown, response: StoredResponse): Promise<void> {
  if (outcome instanceof AppError && !isFinal(outcome)) await deleteInFlight(tx, call);
  else await storeResponse(tx, call, response);
}

/** Claims the key and the signature, then runs the request unless it has run before. */
async function claimThen<Result>(
  tx: Tx,
  claim: MoneyClaim<Result>,
  claimRow: ClaimRow,
  run: () => Promise<Attempt<Result>>,
): Promise<Attempt<Result>> {
  const claimed = await claimRequest(tx, claimRow);
  if (claimed.outcome === "replayed") throw claim.rejectReplay();
  return claimed.outcome === "taken" ? { kind: "taken", record: claimed.record } : run();
}

/** Runs the request, and remembers the signature if this fails. `refused` can still answer an error of the request. */
async function answerAfter<Result>(
  app: Access,
  claim: MoneyClaim<Result>,
  run: () => Promise<Attempt<Result>>,
  refused?: (error: unknown) => Promise<Attempt<Result>>,
): Promise<MoneyAnswer> {
  const end = await waitForLocks(run)
    .catch(refused)
    .catch(async (error: unknown) => {
      await rememberSignature(app.db, claim);
      if (!isLockTimeout(error)) throw error;
      if (isClaimWait(error)) throw new AppError("idempotency_in_flight");
      throw new AppError("service_unavailable", { internal: "a lock timed out", cause: error });
    });
  if (end.kind === "taken") {
    const response = claim.call === undefined ? undefined : storedResponseOf(end.record, claim.call);
    if (response === undefined) throw new AppError("idempotency_in_flight");
    return { response, isReplayed: true };
  }
  if (end.outcome instanceof AppError) throw end.outcome;
  return { response: end.response, isReplayed: false };
}

/**
 * Runs a transaction again if another lock than that of the claim timed out. PostgreSQL does not wake the transactions
 * that wait for a row in the order of their arrival, so that one of many payments under a cap can wait for long. A
 * transaction that is started again does not keep its connection meanwhile.
 */
async function waitForLocks<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let waits = 1; ; waits += 1) {
    try {
      return await transact();
    } catch (error) {
      if (waits === LOCK_WAITS_MAX || !isLockTimeout(error) || isClaimWait(error)) throw error;
    }
  }
}

/** Returns undefined unless cached facts allow the request. A refusal is decided from current facts. */
async function planFromCachedFacts<Query, Facts, Plan, Result, Row>(
  db: Db,
  steps: MoneySteps<Query, Facts, Plan, Result, Row>,
): Promise<Plan | undefined> {
  const facts = steps.cachedFacts?.();
  if (facts === undefined) return undefined;
  try {
    const plan = await steps.decide(facts, db);
    return plan instanceof AppError ? undefined : plan;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Reads the facts, decides and moves. Returns the result or a final refusal. */
async function outcomeOf<Query, Facts, Plan, Result, Row>(
  tx: Tx,
  { statements, query, decide, move }: MoneySteps<Query, Facts, Plan, Result, Row>,
): Promise<Result | AppError> {
  for (let decisions = 0; decisions < DECISIONS_MAX; decisions += 1) {
    const [facts] = await statements.readFacts(tx, query);
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

/** Writes the rows of the outcome, the audit entry, the event and the response, and commits. */
async function write<Query, Facts, Plan, Result, Row>(
  tx: Tx,
  { statements, recordOf, recordRefusal, rowOf }: MoneySteps<Query, Facts, Plan, Result, Row>,
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
  const row: OutcomeRow = {
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

function claimRowOf({ tenantId, call, signature }: MoneyClaim<never>, claimedAt: Date): ClaimRow {
  return {
    tenantId,
    keyMode: call?.mode ?? null,
    keyMethod: call?.method ?? null,
    keyRoute: call?.route ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
    fingerprint: call?.fingerprint ?? null,
    keyAgentIds: call?.agentIds ?? [],
    keyExpiresAt: call === undefined ? null : recordExpiryOf(call, claimedAt),
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
async function rememberSignature(db: Db, { tenantId, call, signature }: MoneyClaim<never>) {
  if (signature === undefined) return;
  const idempotencyKey = call?.idempotencyKey ?? null;
  const { hash: signatureHash, expiresAt } = signature;
  await withTransaction(
    db,
    tenantId,
    (tx) => requestSignatureRows.insertIfNew(tx, { tenantId, signatureHash, idempotencyKey, expiresAt }),
    { lockTimeoutMs: SIGNATURE_LOCK_TIMEOUT_MS },
  ).catch(() => {});
}
