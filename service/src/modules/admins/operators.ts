import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";

/** Runs a transaction as the operators' tenant. Row-level security hides its rows from other tenants. */
export function withOperatorTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return withTransaction(db, OPERATOR_TENANT, work);
}
