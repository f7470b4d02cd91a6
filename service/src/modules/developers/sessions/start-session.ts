import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { openVault, type TenantVault } from "../../../vault/vault.ts";
import { confirmOwnership } from "../confirm-ownership.ts";
import { linkNewIdentity } from "../identities/link-identity.ts";
import { type IdentityKey, lockIdentity } from "../identities/queries.ts";
import {
  type AuthMethod,
  type Developer,
  type DeveloperProfile,
  developerRows,
  getDeveloperProfile,
  isInactive,
  lockPasswordHash,
} from "../queries.ts";
import { mfaChallengeRows } from "../second-factor/queries.ts";
import {
  countSecondFactorAttempt,
  hasSecondFactor,
  type SecondFactor,
  useSecondFactor,
} from "../second-factor/use-second-factor.ts";
import { refreshTokenRows, sessionRows } from "./queries.ts";

const CHALLENGE_MS = 300_000;

export interface StartSession {
  readonly tenantId: TenantId;
  readonly client: ClientInfo;
  /** The first factor: the password or an identity provider. */
  readonly method: AuthMethod;
  /** The hash that the password was checked against. The login fails if the account's hash has changed since then. */
  readonly passwordHash?: string;
  /** A second-factor code, if the client sent one. Ignored if the account has no second factor. */
  readonly code?: string | undefined;
  /** The user's ID at the identity provider in `method`. */
  readonly subject?: string;
  /**
   * Whether to link the identity to the account when the session starts. If false, the identity must already be linked.
   */
  readonly linksIdentity?: boolean;
  readonly verificationToken?: string | undefined;
}

/** A login that is waiting for its second factor. `mfaToken` is valid for five minutes and five attempts. */
export interface MfaPending {
  readonly mfaToken: string;
  readonly methods: readonly SecondFactor[];
}

/**
 * Starts a session for a developer whose first factor has been checked. If the account has a second factor and no code
 * was sent, returns a challenge instead.
 */
export async function startSession(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "accessTokens" | "keyEncryptionKey" | "vaults">,
  command: StartSession,
): Promise<SessionGrant | MfaPending> {
  const { tenantId, client, method, code, subject = null, linksIdentity = false } = command;
  const newSubject = linksIdentity ? subject : null;
  const at = app.clock.now();
  const presented = code === undefined ? undefined : await countCode(app, tenantId, code);
  const opened = await withTransaction(app.db, tenantId, async (tx) => {
    const developer = await lockFirstFactor(tx, command);
    if (developer.mfaEnabled && presented === undefined) {
      return createChallenge(tx, { developer, method, newSubject, at });
    }
    const secondFactor = developer.mfaEnabled ? await checkSecondFactor(tx, presented, { tenantId, at }) : null;
    await confirmOwnership(tx, { developer, ...command, at });
    const linked = await linkNewIdentity(tx, { developer, method, newSubject, client, at });
    return openSession(tx, { developer: linked, client, method, secondFactor, at });
  });
  return "mfaToken" in opened ? opened : grantOf(app, opened, at);
}

/**
 * Returns the developer, and locks the password or identity that was used to log in. The password cannot be changed,
 * and the identity cannot be unlinked, until the new session is committed.
 */
async function lockFirstFactor(
  tx: Tx,
  { tenantId, method, passwordHash, subject, linksIdentity, verificationToken }: StartSession,
): Promise<DeveloperProfile> {
  // A login with a verification token may update the developer's row. A password reset locks the developer's row first
  // and then the password. To avoid a deadlock, the login must lock them in the same order.
  if (verificationToken !== undefined) await developerRows.lockAndGet(tx, { tenantId });
  const developer = await getDeveloperProfile(tx, tenantId);
  assertAccountActive(developer);
  if (method === "password") {
    if (passwordHash !== undefined) await assertPasswordUnchanged(tx, tenantId, passwordHash);
  } else if (subject !== undefined && !linksIdentity) {
    await assertIdentityLinked(tx, { tenantId, provider: method, subject });
  }
  return developer;
}

interface PresentedCode {
  readonly code: string;
  readonly vault: TenantVault;
}

/** Counts the attempt to enter a code. Returns undefined without counting if the account has no second factor. */
async function countCode(
  app: Parameters<typeof startSession>[0],
  tenantId: TenantId,
  code: string,
): Promise<PresentedCode | undefined> {
  if (!(await hasSecondFactor(app, tenantId))) return undefined;
  const { allowed } = await countSecondFactorAttempt(app, { tenantId, code });
  if (!allowed) throw authenticationFailed(`${tenantId} sent too many TOTP codes`);
  return { code, vault: await openVault(app, tenantId) };
}

async function checkSecondFactor(
  tx: Tx,
  presented: PresentedCode | undefined,
  { tenantId, at }: { readonly tenantId: TenantId; readonly at: Date },
): Promise<SecondFactor> {
  const factor = presented && (await useSecondFactor(tx, presented.vault, { tenantId, at, ...presented }));
  if (factor === undefined) throw authenticationFailed("wrong second factor");
  return factor;
}

/** Throws `authentication_failed` if the password was changed after the login checked it. */
async function assertPasswordUnchanged(tx: Tx, tenantId: TenantId, hash: string): Promise<void> {
  if ((await lockPasswordHash(tx, tenantId)) === hash) return;
  throw authenticationFailed("the password was changed during the login");
}

/** Throws `authentication_failed` if the identity was unlinked after the login started. */
async function assertIdentityLinked(tx: Tx, identity: IdentityKey & { readonly tenantId: TenantId }): Promise<void> {
  if (await lockIdentity(tx, identity)) return;
  throw authenticationFailed("the identity was unlinked during the login");
}

interface CreateChallenge {
  readonly developer: DeveloperProfile;
  readonly method: AuthMethod;
  readonly newSubject: string | null;
  readonly at: Date;
}

async function createChallenge(
  tx: Tx,
  { developer: { tenantId }, method, newSubject, at }: CreateChallenge,
): Promise<MfaPending> {
  const { token: mfaToken, tokenHash } = newSecretToken();
  const expiresAt = new Date(at.getTime() + CHALLENGE_MS);
  await mfaChallengeRows.insert(tx, { tokenHash, tenantId, method, newSubject, expiresAt, createdAt: at });
  return { mfaToken, methods: ["totp", "recovery_code"] };
}

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
  await sessionRows.insert(tx, {
    tenantId,
    sessionId,
    createdAt: at,
    lastUsedAt: at,
    expiresAt,
    network: client.network,
    userAgent: client.userAgent,
  });
  await refreshTokenRows.insert(tx, { tokenHash, tenantId, sessionId, issuedAt: at });
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
  if (isInactive(status)) throw authenticationFailed(`${tenantId} is ${status}`);
}
