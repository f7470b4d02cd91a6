import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault } from "../../../vault/vault.ts";
import { confirmOwnership } from "../confirm-ownership.ts";
import { linkNewIdentity } from "../identities/link-identity.ts";
import { developerRows, getDeveloperProfile } from "../queries.ts";
import { assertAccountActive, grantOf, openSession, type SessionGrant } from "../sessions/start-session.ts";
import { countAttempt, mfaChallengeRowsByToken, useChallenge } from "./queries.ts";
import { countSecondFactorAttempt, useSecondFactor } from "./use-second-factor.ts";

/** Maximum number of attempts per challenge (docs/rules/logins.md). */
const ATTEMPTS_MAX = 5;

export interface LogInWithSecondFactor {
  readonly mfaToken: string;
  /** The code shown by the authenticator app, or a recovery code. */
  readonly code: string;
  /**
   * The token from the email verification URL, if this browser opened the URL. The login can then confirm the account's
   * ownership.
   */
  readonly verificationToken: string | undefined;
  readonly client: ClientInfo;
}

type Access = Pick<App, "db" | "clock" | "settings" | "fastState" | "accessTokens" | "keyEncryptionKey" | "vaults">;

/**
 * Completes a login that is waiting for its second factor. Throws the same `authentication_failed` for a token that is
 * unknown, used, expired or out of attempts, and for a code that is wrong or already used.
 */
export async function logInWithSecondFactor(
  app: Access,
  { mfaToken, code, verificationToken, client }: LogInWithSecondFactor,
): Promise<SessionGrant> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(mfaToken);
  const tenantId = await countAttemptOfOwner(app, { tokenHash, code, at });
  const vault = await openVault(app, tenantId);
  const opened = await withTransaction(app.db, tenantId, async (tx) => {
    if (verificationToken !== undefined) await developerRows.lockAndGet(tx, { tenantId });
    const developer = await getDeveloperProfile(tx, tenantId);
    assertAccountActive(developer);
    const secondFactor = await useSecondFactor(tx, vault, { tenantId, code, at });
    if (secondFactor === undefined) throw authenticationFailed("wrong second factor");
    // A password reset may have ended the challenge since the attempt was counted.
    const challenge = await useChallenge(tx, { tokenHash, tenantId, at });
    if (challenge === undefined) throw authenticationFailed("the challenge was used or expired during the request");
    const linked = await linkNewIdentity(tx, { developer, ...challenge, client, at });
    const { method } = challenge;
    await confirmOwnership(tx, { developer, method, verificationToken, client, at });
    return openSession(tx, { developer: linked, client, method, secondFactor, at });
  });
  return grantOf(app, opened, at);
}

/**
 * Counts the attempt and returns the challenge's tenant. The count is committed before the code is checked, so that a
 * failed login cannot roll it back.
 */
async function countAttemptOfOwner(
  app: Access,
  { tokenHash, code, at }: { readonly tokenHash: string; readonly code: string; readonly at: Date },
): Promise<TenantId> {
  const tenantId = (await mfaChallengeRowsByToken.find(app.db, { tokenHash }))?.tenantId;
  if (tenantId === undefined) throw authenticationFailed("unknown challenge");
  const attempt = { tokenHash, tenantId, at, attemptsMax: ATTEMPTS_MAX };
  if (!(await withTransaction(app.db, tenantId, (tx) => countAttempt(tx, attempt)))) {
    throw authenticationFailed("the challenge was already used, has expired or has no attempts left");
  }
  const { allowed } = await countSecondFactorAttempt(app, { tenantId, code });
  if (!allowed) throw authenticationFailed(`${tenantId} sent too many TOTP codes`);
  return tenantId;
}
