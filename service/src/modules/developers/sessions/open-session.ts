import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import type { Tx } from "../../../db/database.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId } from "../../../foundation/ids.ts";
import type { AuthMethod, Developer, DeveloperProfile } from "../queries.ts";
import type { SecondFactor } from "../second-factor/use-second-factor.ts";
import { insertRefreshToken, insertSession } from "./queries.ts";

/** The session's lifetime. Refreshing the tokens does not extend it. */
const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;

/** A session's tokens. They cannot be retrieved later: only a hash of the refresh token is stored. */
export interface SessionGrant {
  readonly developer: DeveloperProfile;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

export interface OpenSession {
  readonly developer: DeveloperProfile;
  readonly client: ClientInfo;
  readonly method: AuthMethod;
  /** Null if the account has no second factor. */
  readonly secondFactor: SecondFactor | null;
  readonly at: Date;
}

/** A session that becomes valid when its transaction commits. */
export type OpenedSession = Omit<SessionGrant, "accessToken"> & { readonly sessionId: string };

/** Inserts a session. Must run in the transaction that checked the login. */
export async function openSession(
  tx: Tx,
  { developer, client, method, secondFactor, at }: OpenSession,
): Promise<OpenedSession> {
  const { tenantId } = developer;
  const sessionId = newId("ses");
  const expiresAt = new Date(at.getTime() + SESSION_DAYS * DAY_MS);
  const { token: refreshToken, tokenHash } = newSecretToken();
  await insertSession(tx, {
    tenantId,
    sessionId,
    createdAt: at,
    lastUsedAt: at,
    expiresAt,
    network: client.network,
    userAgent: client.userAgent,
  });
  await insertRefreshToken(tx, { tokenHash, tenantId, sessionId, issuedAt: at });
  await appendAuditEntry(tx, developerActor({ tenantId }, client), {
    action: "developer.logged_in",
    subject: { type: "session", id: sessionId },
    facts: { method, second_factor: secondFactor },
    occurredAt: at,
  });
  return { developer, sessionId, refreshToken, expiresAt };
}

/** Issues the access token. Call it after the session has been committed. */
export async function grantOf(
  { accessTokens }: Pick<App, "accessTokens">,
  { sessionId, ...opened }: OpenedSession,
  at: Date,
): Promise<SessionGrant> {
  const subject = opened.developer.tenantId;
  return { ...opened, accessToken: await accessTokens.issue({ subject, sessionId }, at) };
}

/**
 * Throws `authentication_failed` if the account is suspended or closed. Callers get the same error for an unknown
 * account, so they cannot tell the cases apart.
 */
export function assertAccountActive({ tenantId, status }: Developer): void {
  if (status !== "suspended" && status !== "closed") return;
  throw new AppError("authentication_failed", { internal: `${tenantId} is ${status}` });
}
