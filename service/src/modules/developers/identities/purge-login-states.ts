import type { App } from "../../../app.ts";
import { deleteInBatches } from "../../../db/delete-in-batches.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { deleteExpiredLoginStates } from "./queries.ts";

/** Deletes expired states of logins at identity providers. */
export async function purgeLoginStates({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await deleteInBatches(() => withTransaction(db, UNKNOWN_TENANT, (tx) => deleteExpiredLoginStates(tx, at)));
}
