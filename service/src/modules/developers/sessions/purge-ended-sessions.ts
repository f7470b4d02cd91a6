import type { App } from "../../../app.ts";
import { deleteInBatches, PURGED_AT_ONCE_MAX } from "../../../db/delete-in-batches.ts";
import { itemsByTenant } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { deleteRefreshTokens, deleteSessions, type EndedSession, listEnded } from "./queries.ts";

/** Ended sessions are retained for a week for security investigations. */
const RETENTION_MS = 7 * 86_400_000;

/** Deletes sessions and their refresh tokens a week after the sessions end. */
export async function purgeEndedSessions({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  async function* ended() {
    for (const column of ["expiresAt", "revokedAt"] as const) {
      yield* itemsByTenant<EndedSession>((after) =>
        listEnded(db, { column, before, after, limit: PURGED_AT_ONCE_MAX }),
      );
    }
  }
  await tryEach(ended(), async ([tenantId, sessions]) => {
    const deleted = { tenantId, sessionIds: sessions.map(({ sessionId }) => sessionId) };
    await deleteInBatches(() => withTransaction(db, tenantId, (tx) => deleteRefreshTokens(tx, deleted)));
    await withTransaction(db, tenantId, (tx) => deleteSessions(tx, deleted));
  });
}
