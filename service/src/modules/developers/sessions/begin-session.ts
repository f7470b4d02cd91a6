import type { App } from "../../../app.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { linkNewIdentity } from "../identities/link-identity.ts";
import { type IdentityKey, lockIdentity } from "../identities/queries.ts";
import { proveAccount } from "../prove-account.ts";
import {
  type AuthMethod,
  type DeveloperProfile,
  getDeveloperProfile,
  lockDeveloper,
  lockPasswordHash,
} from "../queries.ts";
import { insertChallenge } from "../second-factor/queries.ts";
import {
  countSecondFactorAttempt,
  hasSecondFactor,
  type SecondFactor,
  useSecondFactor,
} from "../second-factor/use-second-factor.ts";
import { assertAccountActive, grantOf, openSession, type SessionGrant } from "./open-session.ts";

const CHALLENGE_MS = 300_000;

export interface BeginSession {
  readonly tenantId: TenantId;
  readonly client: ClientInfo;
  /** The first factor: the password, or the identity provider. */
  readonly method: AuthMethod;
  /** The hash that the password was checked against. The login fails if it has changed since. */
  readonly passwordHash?: string;
  /** A code of the second factor, if the client sent one. Ignored for accounts without one. */
  readonly code?: string | undefined;
  /** The user's id at the identity provider that `method` names. */
  readonly subject?: string;
  /**
   * Links the identity to the account when the session starts, after the second factor. Otherwise it must be linked
   * already.
   */
  readonly linksIdentity?: boolean;
  /** The token of the verification URL that the browser has followed. */
  readonly verificationToken?: string | undefined;
}

/** A login that waits for its second factor. `mfaToken` is valid for five minutes and five attempts. */
export interface MfaPending {
  readonly mfaToken: string;
  readonly methods: readonly SecondFactor[];
}

/**
 * Starts a session for a developer whose first factor was right, or returns a challenge if the account has a second
 * factor. Throws `authentication_failed` for a wrong code and for an account that is suspended or closed.
 */
export async function beginSession(
  app: Pick<
    App,
    "db" | "clock" | "settings" | "fastState" | "accessTokens" | "keyEncryptionKey" | "vaults"
  >,
  command: BeginSession,
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
    const secondFactor = developer.mfaEnabled
      ? await checkSecondFactor(tx, presented, { tenantId, at })
      : null;
    await proveAccount(tx, { developer, ...command, at });
    const linked = await linkNewIdentity(tx, { developer, method, newSubject, client, at });
    return openSession(tx, { developer: linked, client, method, secondFactor, at });
  });
  return "mfaToken" in opened ? opened : grantOf(app, opened, at);
}

/**
 * Returns the developer and locks the password or identity until the transaction ends. Throws if it was changed or
 * unlinked since it was checked, so that no session outlives that change.
 */
async function lockFirstFactor(
  tx: Tx,
  { tenantId, method, passwordHash, subject, linksIdentity, verificationToken }: BeginSession,
): Promise<DeveloperProfile> {
  // A login that may prove the account changes the developer's row, which is always locked before the password.
  if (verificationToken !== undefined) await lockDeveloper(tx, tenantId);
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

/** Counts the attempt. Returns undefined, and counts nothing, if the account has no second factor. */
async function countCode(
  app: Parameters<typeof beginSession>[0],
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
  const factor =
    presented && (await useSecondFactor(tx, presented.vault, { tenantId, at, ...presented }));
  if (factor === undefined) throw authenticationFailed("wrong second factor");
  return factor;
}

/** The password may be reset during a login with the old one. The session must not outlive the reset. */
async function assertPasswordUnchanged(tx: Tx, tenantId: TenantId, hash: string): Promise<void> {
  if ((await lockPasswordHash(tx, tenantId)) === hash) return;
  throw authenticationFailed("the password was changed during the login");
}

/** The identity may be unlinked during a login with it. */
async function assertIdentityLinked(
  tx: Tx,
  identity: IdentityKey & { readonly tenantId: TenantId },
): Promise<void> {
  if (await lockIdentity(tx, identity)) return;
  throw authenticationFailed("the identity was unlinked during the login");
}

async function createChallenge(
  tx: Tx,
  {
    developer: { tenantId },
    method,
    newSubject,
    at,
  }: {
    readonly developer: DeveloperProfile;
    readonly method: AuthMethod;
    readonly newSubject: string | null;
    readonly at: Date;
  },
): Promise<MfaPending> {
  const { token: mfaToken, tokenHash } = newSecretToken();
  const expiresAt = new Date(at.getTime() + CHALLENGE_MS);
  await insertChallenge(tx, { tokenHash, tenantId, method, newSubject, expiresAt, createdAt: at });
  return { mfaToken, methods: ["totp", "recovery_code"] };
}
