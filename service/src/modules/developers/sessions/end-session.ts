import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { endSessions, lockSession } from "./queries.ts";

/**
 * Ends one of the developer's sessions, which can be the calling session. Throws `session_not_found` if the session
 * does not exist or has already ended.
 */
export async function endSession(
  app: Pick<App, "db" | "clock">,
  { actor, sessionId }: { readonly actor: Actor; readonly sessionId: string },
): Promise<void> {
  const { tenantId } = actor;
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, async (tx) => {
    const session = await lockSession(tx, { tenantId, sessionId });
    if (session === undefined || session.revokedAt !== null || session.expiresAt <= at) {
      throw new AppError("session_not_found", {
        internal: `${tenantId} has no valid session ${sessionId}`,
      });
    }
    const reason = "ended_by_owner";
    await endSessions(tx, { tenantId, sessionId, at, reason });
    await appendAuditEntry(tx, actor, {
      action: "session.revoked",
      subject: { type: "session", id: sessionId },
      facts: { reason },
      occurredAt: at,
    });
  });
}
