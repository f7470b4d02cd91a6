import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { NOBODY } from "../nobody.ts";
import { deleteExpiredChallenges } from "./queries.ts";

/** Forgets the logins that waited too long for their second factor. */
export async function purgeChallenges({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await withTransaction(db, NOBODY, (tx) => deleteExpiredChallenges(tx, clock.now()));
}
