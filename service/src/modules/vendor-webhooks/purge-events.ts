import type { App } from "../../app.ts";
import { deleteInBatches } from "../../db/delete-in-batches.ts";
import { withTransaction } from "../../db/transaction.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import { deleteEventsBefore } from "./queries.ts";

/** How long a repeated event is recognized. */
const RETENTION_MS = 30 * 86_400_000;

/** Deletes events of vendors after 30 days. */
export async function purgeVendorEvents({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await deleteInBatches(() => withTransaction(db, OPERATOR_TENANT, (tx) => deleteEventsBefore(tx, before)));
}
