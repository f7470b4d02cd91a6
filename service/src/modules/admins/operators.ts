import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";

/** A transaction among the operators' own rows, which no developer's transaction sees. */
export function asOperators<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withTransaction(db, OPERATOR_TENANT, work);
}
