import { deleteClaims } from "./claims/queries.ts";
import { denyPendingPairs } from "./device-login/queries.ts";
import { deleteEmailTokens } from "./email-verification/queries.ts";
import { deleteIdentities, type IdentityKey } from "./identities/queries.ts";
import type { KeyChange } from "./keys/change-keys.ts";
import { withdrawAccountKeys } from "./keys/withdraw-keys.ts";
import { deleteSecondFactor, endChallenges } from "./second-factor/queries.ts";
import { endSessions } from "./sessions/queries.ts";

/**
 * The initial profile and KYB (know-your-business) values. An account can be reset to these values when the owner of
 * its email address takes over the account, because another person may have entered the previous values.
 */
export const EMPTY_PROFILE = {
  name: null,
  companyName: null,
  website: null,
  country: null,
  timezone: "UTC",
  billingEmail: null,
  notificationPreferences: "{}",
  acceptedTermsVersion: null,
  kybStatus: "unverified",
  kybVerifiedAt: null,
  kybExpiresAt: null,
  kybReference: null,
} as const;

export interface WithdrawAccess {
  /** The reason stored with the ended sessions and revoked keys. */
  readonly reason: "account_reclaimed" | "password_reset";
  readonly keepKeys: boolean;
  /** An identity that stays linked. */
  readonly keepIdentity?: IdentityKey;
}

/**
 * Removes all access to an account whose ownership is not confirmed: signup claims, identities, second factor, logins
 * in progress, sessions, emailed tokens and API keys. If `keepKeys` is true, the only API keys revoked are those that a
 * device login has issued but the device has not collected.
 *
 * The caller must already have changed or deleted the password. A login in progress locks the row of the password or
 * identity that it uses, until its session is committed. Changing or deleting that row therefore waits for the login,
 * and this function then ends the new session.
 *
 * @returns the number of sessions ended and the number of keys revoked
 */
export async function withdrawAccess(
  change: KeyChange,
  { reason, keepKeys, keepIdentity }: WithdrawAccess,
): Promise<{ readonly sessions: number; readonly keys: number }> {
  const { tx, actor, at } = change;
  const { tenantId } = actor;
  await deleteIdentities(tx, { tenantId, except: keepIdentity });
  await deleteClaims(tx, { tenantId });
  await deleteSecondFactor(tx, tenantId);
  await endChallenges(tx, tenantId, at);
  const sessions = await endSessions(tx, { tenantId, at, reason });
  await deleteEmailTokens(tx, tenantId);
  const uncollectedKeyIds = await denyPendingPairs(tx, tenantId);
  const keys = await withdrawAccountKeys(change, {
    reason,
    ...(keepKeys ? { keyIds: uncollectedKeyIds } : {}),
  });
  return { sessions, keys };
}
