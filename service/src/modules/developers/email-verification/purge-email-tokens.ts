import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { NOBODY } from "../nobody.ts";
import { deleteExpiredEmailTokens } from "./queries.ts";

/** Forgets mailed tokens that are over: they were good for nothing any more. */
export async function purgeEmailTokens({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await withTransaction(db, NOBODY, (tx) => deleteExpiredEmailTokens(tx, clock.now()));
}
