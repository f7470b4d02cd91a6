import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, authenticationFailed } from "../../../foundation/errors.ts";
import { type DeveloperProfile, getDeveloperProfile } from "../queries.ts";
import {
  endSessions,
  type RefreshToken,
  refreshTokenRows,
  refreshTokenRowsByHash,
  revokeUnusedSuccessor,
  type Session,
  sessionRows,
} from "./queries.ts";
import { assertAccountActive, type SessionGrant } from "./start-session.ts";

/** Ends one of the developer's sessions, which can be the calling session. */
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

interface LogOut {
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

/**
 * Within this time after a rotation, the old token gets another successor if the first one was not used: the response to
 * the first refresh may have been lost, or two browser tabs may have refreshed at the same time.
 */
const REUSE_GRACE_MS = 20_000;

interface RefreshSession {
  readonly refreshToken: string;
  readonly client: ClientInfo;
}

type Rotation =
  | { readonly outcome: "rotated"; readonly session: Session; readonly developer: DeveloperProfile }
  | { readonly outcome: "refused"; readonly internal: string };

/**
 * Exchanges a refresh token for a new access token and refresh token. A refresh token can be used once. Using it again
 * ends the session, because the token may have been stolen. Within 20 seconds of the token's rotation, a second use
 * replaces the successor if that was not used, and otherwise fails without ending the session (docs/rules/logins.md).
 * Every failure throws `authentication_failed`.
 */
export async function refreshSession(
  app: Pick<App, "db" | "clock" | "accessTokens">,
  { refreshToken, client }: RefreshSession,
): Promise<SessionGrant> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(refreshToken);
  const tokenRow = await refreshTokenRowsByHash.find(app.db, { tokenHash });
  if (tokenRow === undefined) throw authenticationFailed("unknown refresh token");

  const { tenantId, sessionId } = tokenRow;
  const next = newSecretToken();
  // For a rejected token, the transaction returns an outcome. If it threw an error, the end of the session would be
  // rolled back.
  const rotation = await withTransaction(app.db, tenantId, async (tx): Promise<Rotation> => {
    const session = await sessionRows.lock(tx, tokenRow);
    if (session === undefined || session.revokedAt !== null || session.expiresAt <= at) {
      return { outcome: "refused", internal: "the session has ended" };
    }
    const developer = await getDeveloperProfile(tx, tenantId);
    assertAccountActive(developer);
    const token = await refreshTokenRowsByHash.find(tx, { tokenHash });
    if (token !== undefined && token.rotatedAt !== null) {
      const refusal = await reuseToken(tx, {
        session,
        token,
        rotatedAt: token.rotatedAt,
        at,
        client,
      });
      if (refusal !== undefined) return refusal;
    } else await refreshTokenRows.update(tx, tokenRow, { rotatedAt: at, usedAt: at });
    await refreshTokenRows.insert(tx, {
      ...{ tokenHash: next.tokenHash, tenantId, sessionId, issuedAt: at },
      replacesHash: tokenHash,
    });
    const { network, userAgent } = client;
    await sessionRows.update(tx, session, { lastUsedAt: at, network, userAgent });
    return { outcome: "rotated", session, developer };
  });

  if (rotation.outcome === "refused") throw authenticationFailed(rotation.internal);
  const { developer, session } = rotation;
  const accessToken = await app.accessTokens.issue(
    { subject: tenantId, sessionId, refreshTokenHash: next.tokenHash },
    at,
  );
  return { developer, accessToken, refreshToken: next.token, expiresAt: session.expiresAt };
}

interface ReuseToken {
  readonly session: Session;
  readonly token: RefreshToken;
  readonly rotatedAt: Date;
  readonly at: Date;
  readonly client: ClientInfo;
}

/** Revokes the unused successor of a rotated token. Returns why the token gets no other successor, if so. */
async function reuseToken(
  tx: Tx,
  { session, token, rotatedAt, at, client }: ReuseToken,
): Promise<Rotation | undefined> {
  if (at.getTime() - rotatedAt.getTime() <= REUSE_GRACE_MS) {
    if (await revokeUnusedSuccessor(tx, token, at)) return undefined;
    return { outcome: "refused", internal: "the refresh token's successor was used" };
  }
  const { tenantId, sessionId } = session;
  const reason = "refresh_token_reused";
  await endSessions(tx, { tenantId, sessionId, at, reason });
  await appendAuditEntry(tx, developerActor({ tenantId }, client), {
    action: "session.revoked",
    subject: { type: "session", id: sessionId },
    facts: { reason },
    occurredAt: at,
  });
  return {
    outcome: "refused",
    internal: `${sessionId} ended because its refresh token was used twice`,
  };
}
