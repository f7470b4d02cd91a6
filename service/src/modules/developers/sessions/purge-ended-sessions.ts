import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { deleteSession, listEnded } from "./queries.ts";

const SESSIONS_MAX = 1_000;
/** For how long a session that is over can still be seen in the database, for whoever looks into what happened. */
const KEPT_MS = 7 * 86_400_000;

/** Forgets sessions that are long over, with all of their refresh tokens. */
export async function purgeEndedSessions({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await tryEach(await listEnded(db, { before, limit: SESSIONS_MAX }), (session) =>
    withTransaction(db, session.tenantId, (tx) => deleteSession(tx, session)),
  );
}
