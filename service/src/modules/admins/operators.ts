import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";

/**
 * Runs a transaction as the tenant that stores the admins. Row-level security hides its rows from all other tenants.
 */
export function withOperatorTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return withTransaction(db, OPERATOR_TENANT, work);
}
