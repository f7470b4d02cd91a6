import type { App } from "../../../app.ts";
import { deleteInBatches } from "../../../db/delete-in-batches.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { deleteExpiredChallenges } from "./queries.ts";

/** Deletes expired challenges of logins that were waiting for a second factor. */
export async function purgeChallenges({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await deleteInBatches(() => withTransaction(db, UNKNOWN_TENANT, (tx) => deleteExpiredChallenges(tx, at)));
}
