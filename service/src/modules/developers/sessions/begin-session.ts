import type { App } from "../../../app.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { linkNewIdentity } from "../identities/link-identity.ts";
import { holdIdentity, type IdentityKey } from "../identities/queries.ts";
import { proveAccount } from "../prove-account.ts";
import {
  type AuthMethod,
  type DeveloperProfile,
  getDeveloperProfile,
  holdPasswordHash,
  lockDeveloper,
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
  /** How the developer has shown who they are. */
  readonly method: AuthMethod;
  /** The stored hash that their password was right for. Where it has been changed since, nothing begins. */
  readonly passwordHash?: string;
  /** A code of the second factor, where the client sent one along. Accounts without one need none. */
  readonly code?: string | undefined;
  /** The subject of the identity at the provider that `method` names. */
  readonly subject?: string;
  /**
   * The identity becomes another way into the account: together with the session, and so not before the second factor. Without
   * this it must be linked already.
   */
  readonly linksIdentity?: boolean;
  /** The token of the verification link that the browser has followed. */
  readonly verificationToken?: string | undefined;
}

/** A login whose first factor was right. `mfaToken` takes the second one, for five minutes and five attempts. */
export interface MfaPending {
  readonly mfaToken: string;
  readonly methods: readonly SecondFactor[];
}

/**
 * Begins the session of a developer who has shown who they are, or asks for the second factor where the account has one.
 * Throws `authentication_failed` for an account that is shut, and for a code that is wrong.
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
  const presented = code === undefined ? undefined : await countedCode(app, tenantId, code);
  const begun = await withTransaction(app.db, tenantId, async (tx) => {
    const developer = await holdFirstFactor(tx, command);
    if (developer.mfaEnabled && presented === undefined) {
      return challenge(tx, { developer, method, newSubject, at });
    }
    const secondFactor = developer.mfaEnabled
      ? await passed(tx, presented, { tenantId, at })
      : null;
    await proveAccount(tx, { developer, ...command, at });
    const linked = await linkNewIdentity(tx, { developer, method, newSubject, client, at });
    return openSession(tx, { developer: linked, client, method, secondFactor, at });
  });
  return "mfaToken" in begun ? begun : grantOf(app, begun, at);
}

/**
 * The developer, whose password or identity cannot be taken away until the transaction ends. Refuses a login whose first
 * factor was taken away since it was checked: a session of it must not outlive that.
 */
async function holdFirstFactor(
  tx: Tx,
  { tenantId, method, passwordHash, subject, linksIdentity, verificationToken }: BeginSession,
): Promise<DeveloperProfile> {
  // A login that may prove the account changes its row, which everyone locks before the password.
  if (verificationToken !== undefined) await lockDeveloper(tx, tenantId);
  const developer = await getDeveloperProfile(tx, tenantId);
  assertAccountActive(developer);
  if (method === "password") {
    if (passwordHash !== undefined) await refuseChangedPassword(tx, tenantId, passwordHash);
  } else if (subject !== undefined && !linksIdentity) {
    await refuseUnlinkedIdentity(tx, { tenantId, provider: method, subject });
  }
  return developer;
}

interface PresentedCode {
  readonly code: string;
  readonly vault: TenantVault;
}

/** A code that may be tried. Undefined where the account has no second factor, so that nothing is counted against it. */
async function countedCode(
  app: Parameters<typeof beginSession>[0],
  tenantId: TenantId,
  code: string,
): Promise<PresentedCode | undefined> {
  if (!(await hasSecondFactor(app, tenantId))) return undefined;
  const { allowed } = await countSecondFactorAttempt(app, { tenantId, code });
  if (!allowed) throw authenticationFailed(`too many codes for ${tenantId}`);
  return { code, vault: await openVault(app, tenantId) };
}

async function passed(
  tx: Tx,
  presented: PresentedCode | undefined,
  { tenantId, at }: { readonly tenantId: TenantId; readonly at: Date },
): Promise<SecondFactor> {
  const factor =
    presented && (await useSecondFactor(tx, presented.vault, { tenantId, at, ...presented }));
  if (factor === undefined) throw authenticationFailed("a wrong second factor");
  return factor;
}

/** A password may be reset while somebody logs in with the old one; what they get must not outlive the reset. */
async function refuseChangedPassword(tx: Tx, tenantId: TenantId, hash: string): Promise<void> {
  if ((await holdPasswordHash(tx, tenantId)) === hash) return;
  throw authenticationFailed("the password was changed meanwhile");
}

/** As above, for an identity that is taken from the account while it logs in. */
async function refuseUnlinkedIdentity(
  tx: Tx,
  identity: IdentityKey & { readonly tenantId: TenantId },
): Promise<void> {
  if (await holdIdentity(tx, identity)) return;
  throw authenticationFailed("the identity was unlinked meanwhile");
}

async function challenge(
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
