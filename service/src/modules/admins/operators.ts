import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";

/**
 * Runs a transaction in the operators' tenant, which owns the rows of all admins. Row-level security hides these rows
 * from transactions of other tenants.
 */
export function withOperatorTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withTransaction(db, OPERATOR_TENANT, work);
}
