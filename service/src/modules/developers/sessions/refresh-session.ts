import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { type DeveloperProfile, getDeveloperProfile } from "../queries.ts";
import { assertAccountActive, type SessionGrant } from "./open-session.ts";
import {
  endSessions,
  findRefreshToken,
  insertRefreshToken,
  lockSession,
  markRotated,
  type Session,
  touchSession,
} from "./queries.ts";

/** How long a rotated token may turn up again without anybody being a thief: two tabs, or an answer that got lost. */
const REUSE_GRACE_MS = 20_000;

export interface RefreshSession {
  readonly refreshToken: string;
  readonly client: ClientInfo;
}

type Rotation =
  | { readonly outcome: "rotated"; readonly session: Session; readonly developer: DeveloperProfile }
  | { readonly outcome: "refused"; readonly internal: string };

/**
 * Exchanges a refresh token for a new pair of tokens. Each token is good once. One that comes back ends its whole session,
 * since either the thief or the owner holds its successor; within 20 seconds it is only refused (contract, section 0,
 * "Cookies"). Whatever is refused is `authentication_failed`.
 */
export async function refreshSession(
  app: Pick<App, "db" | "clock" | "accessTokens">,
  { refreshToken, client }: RefreshSession,
): Promise<SessionGrant> {
  const at = app.clock.now();
  const presented = sha256Hex(refreshToken);
  const family = await findRefreshToken(app.db, presented);
  if (family === undefined) throw authenticationFailed("unknown refresh token");

  const { tenantId, sessionId } = family;
  const next = newSecretToken();
  // A refusal is a result and not thrown in here: what it ends must be committed.
  const rotation = await withTransaction(app.db, tenantId, async (tx): Promise<Rotation> => {
    const session = await lockSession(tx, family);
    if (session === undefined || session.revokedAt !== null || session.expiresAt <= at) {
      return { outcome: "refused", internal: "a session that is over" };
    }
    const developer = await getDeveloperProfile(tx, tenantId);
    assertAccountActive(developer);
    const token = await findRefreshToken(tx, presented);
    if (token !== undefined && token.rotatedAt !== null) {
      return refuseReuse(tx, { session, rotatedAt: token.rotatedAt, at, client });
    }
    await markRotated(tx, presented, at);
    await insertRefreshToken(tx, { tokenHash: next.tokenHash, tenantId, sessionId, issuedAt: at });
    const { network, userAgent } = client;
    await touchSession(tx, { tenantId, sessionId, lastUsedAt: at, network, userAgent });
    return { outcome: "rotated", session, developer };
  });

  if (rotation.outcome === "refused") throw authenticationFailed(rotation.internal);
  const { developer, session } = rotation;
  const accessToken = await app.accessTokens.issue({ subject: tenantId, sessionId }, at);
  return { developer, accessToken, refreshToken: next.token, expiresAt: session.expiresAt };
}

async function refuseReuse(
  tx: Tx,
  {
    session,
    rotatedAt,
    at,
    client,
  }: {
    readonly session: Session;
    readonly rotatedAt: Date;
    readonly at: Date;
    readonly client: ClientInfo;
  },
): Promise<Rotation> {
  if (at.getTime() - rotatedAt.getTime() <= REUSE_GRACE_MS) {
    return { outcome: "refused", internal: "a refresh token rotated just now" };
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
  return { outcome: "refused", internal: `${sessionId} ended: its refresh token was used twice` };
}
