import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { endSessions, refreshTokenRowsByHash, sessionRows } from "./queries.ts";

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
    const session = await sessionRows.lock(tx, { tenantId, sessionId });
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

export interface LogOut {
  readonly refreshToken: string;
  /** Whether to end all of the developer's sessions. Ignored if the refresh token has already been rotated. */
  readonly allSessions: boolean;
  readonly client: ClientInfo;
}

/**
 * Ends the session that a refresh token belongs to, even if the token has been rotated. Does nothing if the token is
 * unknown.
 */
export async function logOut(
  app: Pick<App, "db" | "clock">,
  { refreshToken, allSessions, client }: LogOut,
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(refreshToken);
  const tokenRow = await refreshTokenRowsByHash.find(app.db, { tokenHash });
  if (tokenRow === undefined) return;

  const { tenantId, sessionId } = tokenRow;
  await withTransaction(app.db, tenantId, async (tx) => {
    const session = await sessionRows.lock(tx, tokenRow);
    const token = await refreshTokenRowsByHash.find(tx, { tokenHash });
    if (session === undefined || session.revokedAt !== null || session.expiresAt <= at) return;
    const endsAll = allSessions && token?.rotatedAt === null;
    const ended = await endSessions(tx, {
      tenantId,
      at,
      reason: "logged_out",
      ...(endsAll ? {} : { sessionId }),
    });
    await appendAuditEntry(tx, developerActor({ tenantId }, client), {
      action: "developer.logged_out",
      subject: { type: "session", id: sessionId },
      facts: { sessions: ended },
      occurredAt: at,
    });
  });
}
