import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { endSessions, findRefreshToken, lockSession } from "./queries.ts";

export interface LogOut {
  readonly refreshToken: string;
  /** Ends every session of the developer's, when the token is one that could still be refreshed. */
  readonly allSessions: boolean;
  readonly client: ClientInfo;
}

/** Ends the session that the token belongs to, rotated or not. An unknown token ends nothing, and nobody is told. */
export async function logOut(
  app: Pick<App, "db" | "clock">,
  { refreshToken, allSessions, client }: LogOut,
): Promise<void> {
  const at = app.clock.now();
  const presented = sha256Hex(refreshToken);
  const family = await findRefreshToken(app.db, presented);
  if (family === undefined) return;

  const { tenantId, sessionId } = family;
  await withTransaction(app.db, tenantId, async (tx) => {
    const session = await lockSession(tx, family);
    const token = await findRefreshToken(tx, presented);
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
