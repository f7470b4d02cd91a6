import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { NOBODY } from "../nobody.ts";
import { deleteExpiredLoginStates } from "./queries.ts";

/** Forgets the logins that nobody can complete any more. */
export async function purgeLoginStates({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await withTransaction(db, NOBODY, (tx) => deleteExpiredLoginStates(tx, clock.now()));
}
