import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { deleteSession, listEnded } from "./queries.ts";

const SESSIONS_MAX = 1_000;
/** Ended sessions are retained for a week for security investigations. */
const RETENTION_MS = 7 * 86_400_000;

/** Deletes sessions and their refresh tokens a week after the sessions end. */
export async function purgeEndedSessions({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await tryEach(await listEnded(db, { before, limit: SESSIONS_MAX }), (session) =>
    withTransaction(db, session.tenantId, (tx) => deleteSession(tx, session)),
  );
}
