import { type Compilable, CompiledQuery, type RawBuilder, sql, type TransactionBuilder } from "kysely";
import { DatabaseError } from "pg";
import { AppError } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Db, Tx } from "./database.ts";
import { markTransaction } from "./open-transaction.ts";
import { SET_TENANT, SET_TENANT_AND_LOCK_TIMEOUT, WITH_NEXT } from "./round-trips.ts";
import type { Schema } from "./schema.ts";

const ATTEMPTS_MAX = 4;
const RETRYABLE_SQLSTATES = new Set(["40001", "40P01"]);

/**
 * Runs `work` in a transaction of the tenant. Repeats it after a deadlock or serialization failure, and throws
 * `service_unavailable` after four attempts. `work` can run more than once, so it must not call vendors. Row-level
 * security rejects writes to other tenants' rows and hides other tenants' secrets.
 *
 * With `lockTimeoutMs`, a statement that waits longer for a lock fails with an error for which `isLockTimeout` returns
 * true.
 */
export async function withTransaction<Result>(
  db: Db,
  tenantId: TenantId,
  work: (tx: Tx) => Promise<Result>,
  { lockTimeoutMs }: { readonly lockTimeoutMs?: number } = {},
): Promise<Result> {
  const setting =
    lockTimeoutMs === undefined
      ? CompiledQuery.raw(SET_TENANT, [tenantId])
      : CompiledQuery.raw(SET_TENANT_AND_LOCK_TIMEOUT, [tenantId, `${lockTimeoutMs}ms`]);
  return runTransaction(db.transaction(), setting, work);
}

/** Like `withTransaction`, but all statements read the same snapshot of the database. */
export async function withSnapshot<Result>(
  db: Db,
  tenantId: TenantId,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const transaction = db.transaction().setIsolationLevel("repeatable read");
  return runTransaction(transaction, CompiledQuery.raw(SET_TENANT, [tenantId]), work);
}

/** Runs `work` in a transaction that is rolled back, and returns its result: to learn what it would return or throw. */
export async function tryTransaction<Result>(
  db: Db,
  tenantId: TenantId,
  work: (tx: Tx) => Promise<Result>,
  options?: { readonly lockTimeoutMs?: number },
): Promise<Result> {
  let result: Result | undefined;
  const rollBack = async (tx: Tx) => {
    result = await work(tx);
    throw new RolledBack();
  };
  await withTransaction(db, tenantId, rollBack, options).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return result as Result;
}

class RolledBack extends Error {}

async function runTransaction<Result>(
  transaction: TransactionBuilder<Schema>,
  setting: CompiledQuery,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(transaction, setting, work);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt === ATTEMPTS_MAX) {
        const internal = `a transaction failed ${ATTEMPTS_MAX} times with a deadlock or serialization failure`;
        throw new AppError("service_unavailable", { internal, cause: error });
      }
    }
  }
}

async function runOnce<Result>(
  transaction: TransactionBuilder<Schema>,
  setting: CompiledQuery,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const committed: (() => void)[] = [];
  const result = await transaction.execute(async (tx) => {
    await tx.executeQuery(setting);
    return markTransaction(() => work(tx), committed);
  });
  for (const act of committed) act();
  return result;
}

/**
 * Returns an expression that sets the tenant for one statement outside a transaction. Join the tenant's rows to this
 * expression, so that they are read after the tenant is set.
 */
export function setTenantForStatement(tenantId: TenantId): RawBuilder<TenantId> {
  return sql`set_config('purser.tenant_id', ${tenantId}, true)`;
}

/** Sends a statement with the transaction's next one, or with its commit. See `WITH_NEXT`. */
export async function sendWithNext(tx: Tx, query: Compilable): Promise<void> {
  const compiled = query.compile();
  await tx.executeQuery({ ...compiled, sql: WITH_NEXT + compiled.sql });
}

function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && RETRYABLE_SQLSTATES.has(error.code ?? "");
}

/**
 * Runs the work in a savepoint, and returns its result. Undoes what the work wrote if `isKept` returns false for the result.
 * The locks that it took are then released.
 */
export async function undoUnless<Result>(
  tx: Tx,
  isKept: (result: Result) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql`savepoint undo_unless`.execute(tx);
  const result = await work();
  if (!isKept(result)) await sql`rollback to savepoint undo_unless`.execute(tx);
  // The name then means the savepoint of the caller again, if there is one.
  await sql`release savepoint undo_unless`.execute(tx);
  return result;
}
