import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { endSessions, findRefreshToken, lockSession } from "./queries.ts";

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
  const tokenRow = await findRefreshToken(app.db, tokenHash);
  if (tokenRow === undefined) return;

  const { tenantId, sessionId } = tokenRow;
  await withTransaction(app.db, tenantId, async (tx) => {
    const session = await lockSession(tx, tokenRow);
    const token = await findRefreshToken(tx, tokenHash);
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
