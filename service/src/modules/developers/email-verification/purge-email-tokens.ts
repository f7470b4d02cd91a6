import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { deleteExpiredEmailTokens } from "./queries.ts";

/** Forgets mailed tokens that are over: they were good for nothing any more. */
export async function purgeEmailTokens({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await withTransaction(db, UNKNOWN_TENANT, (tx) => deleteExpiredEmailTokens(tx, clock.now()));
}
