import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { linkNewIdentity } from "../identities/link-identity.ts";
import { proveAccount } from "../prove-account.ts";
import { getDeveloperProfile, lockDeveloper } from "../queries.ts";
import {
  assertAccountActive,
  grantOf,
  openSession,
  type SessionGrant,
} from "../sessions/open-session.ts";
import { countAttempt, findChallengeOwner, useChallenge } from "./queries.ts";
import { countSecondFactorAttempt, useSecondFactor } from "./use-second-factor.ts";

/** Contract, section 10. */
const ATTEMPTS_MAX = 5;

export interface LogInWithSecondFactor {
  readonly mfaToken: string;
  /** What the device shows, or a recovery code. */
  readonly code: string;
  /** The token of the verification link that the browser has followed. */
  readonly verificationToken: string | undefined;
  readonly client: ClientInfo;
}

type Access = Pick<
  App,
  "db" | "clock" | "settings" | "fastState" | "accessTokens" | "keyEncryptionKey" | "vaults"
>;

/**
 * Finishes a login that waits for its second factor. A token that is unknown, used, over or out of attempts and a code that
 * is wrong or was used are the same `authentication_failed`.
 */
export async function logInWithSecondFactor(
  app: Access,
  { mfaToken, code, verificationToken, client }: LogInWithSecondFactor,
): Promise<SessionGrant> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(mfaToken);
  const tenantId = await countedOwner(app, { tokenHash, code, at });
  const vault = await openVault(app, tenantId);
  const opened = await withTransaction(app.db, tenantId, async (tx) => {
    if (verificationToken !== undefined) await lockDeveloper(tx, tenantId);
    const developer = await getDeveloperProfile(tx, tenantId);
    assertAccountActive(developer);
    const secondFactor = await useSecondFactor(tx, vault, { tenantId, code, at });
    if (secondFactor === undefined) throw authenticationFailed("a wrong second factor");
    // A reset of the password may have ended the challenge since its attempt was counted.
    const challenge = await useChallenge(tx, { tokenHash, tenantId, at });
    if (challenge === undefined)
      throw authenticationFailed("a challenge that was used or ended meanwhile");
    const linked = await linkNewIdentity(tx, { developer, ...challenge, client, at });
    const { method } = challenge;
    await proveAccount(tx, { developer, method, verificationToken, client, at });
    return openSession(tx, { developer: linked, client, method, secondFactor, at });
  });
  return grantOf(app, opened, at);
}

/** Whose login it is, once the attempt is counted: committed before the code is looked at, so that no guess is free. */
async function countedOwner(
  app: Access,
  { tokenHash, code, at }: { readonly tokenHash: string; readonly code: string; readonly at: Date },
): Promise<TenantId> {
  const tenantId = await findChallengeOwner(app.db, tokenHash);
  if (tenantId === undefined) throw authenticationFailed("an unknown challenge");
  const attempt = { tokenHash, tenantId, at, attemptsMax: ATTEMPTS_MAX };
  if (!(await withTransaction(app.db, tenantId, (tx) => countAttempt(tx, attempt)))) {
    throw authenticationFailed("a challenge that is used, over or out of attempts");
  }
  const { allowed } = await countSecondFactorAttempt(app, { tenantId, code });
  if (!allowed) throw authenticationFailed(`too many codes for ${tenantId}`);
  return tenantId;
}
