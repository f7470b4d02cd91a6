import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { DatabaseError } from "pg";
import { AppError } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import { type Db, SET_TENANT, type Tx } from "./database.ts";
import { markTransaction } from "./open-transaction.ts";

const ATTEMPTS_MAX = 4;
const RETRYABLE_SQLSTATES = new Set(["40001", "40P01"]);

/**
 * Runs `work` in one transaction of one tenant, and again when Postgres broke it off for a deadlock or a serialization
 * failure; `service_unavailable` when that goes on. `work` therefore touches the database only: no vendor call stands in it. The tenant is set for the length of
 * the transaction, and row-level security lets nothing else be written, nor a secret of another be read.
 */
export async function withTransaction<Result>(
  db: Db,
  tenantId: TenantId,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw(SET_TENANT, [tenantId]));
        return markTransaction(() => work(tx));
      });
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (attempt === ATTEMPTS_MAX) {
        const internal = `a transaction was broken off ${ATTEMPTS_MAX} times`;
        throw new AppError("service_unavailable", { internal, cause: error });
      }
    }
  }
}

/**
 * Sets the tenant for one statement, outside a transaction. Whatever reads rows that only the tenant may see must be joined
 * to this value, so that it runs after it.
 */
export function tenantOfStatement(tenantId: TenantId): RawBuilder<TenantId> {
  return sql`set_config('purser.tenant_id', ${tenantId}, true)`;
}

function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && RETRYABLE_SQLSTATES.has(error.code ?? "");
}
