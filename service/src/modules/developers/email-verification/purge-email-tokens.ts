import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { deleteExpiredEmailTokens } from "./queries.ts";

/** Deletes expired tokens that were sent by email. */
export async function purgeEmailTokens({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await withTransaction(db, UNKNOWN_TENANT, (tx) => deleteExpiredEmailTokens(tx, clock.now()));
}
