import type { App } from "../../../app.ts";
import { deleteInBatches } from "../../../db/delete-in-batches.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { deleteExpiredEmailTokens } from "./queries.ts";

/** Deletes expired tokens that were sent by email. */
export async function purgeEmailTokens({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await deleteInBatches(() => withTransaction(db, UNKNOWN_TENANT, (tx) => deleteExpiredEmailTokens(tx, at)));
}
