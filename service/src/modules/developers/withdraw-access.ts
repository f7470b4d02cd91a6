import { deleteClaims } from "./claims/queries.ts";
import { denyPendingPairs } from "./device-login/queries.ts";
import { deleteEmailTokens } from "./email-verification/queries.ts";
import { deleteIdentities, type IdentityKey } from "./identities/queries.ts";
import type { KeyChange } from "./keys/change-keys.ts";
import { withdrawAccountKeys } from "./keys/withdraw-account-keys.ts";
import { deleteSecondFactor, endChallenges } from "./second-factor/queries.ts";
import { endSessions } from "./sessions/queries.ts";

export interface WithdrawAccess {
  /** Why sessions and keys end. */
  readonly reason: "account_reclaimed" | "password_reset";
  readonly keepKeys: boolean;
  /** An identity that stays a way into the account. */
  readonly keepIdentity?: IdentityKey;
}

/**
 * Withdraws every way into an account that is not proven, except for its password, which the caller has changed before:
 * claims, identities, second factor, logins in progress, sessions, mailed links, device logins whose pair was not collected,
 * and keys unless they are kept.
 *
 * A login in progress holds the password or its identity, so its session is there when sessions are ended.
 *
 * @returns how many sessions and keys were ended
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
  const waiting = await denyPendingPairs(tx, tenantId);
  const keys = await withdrawAccountKeys(change, {
    reason,
    ...(keepKeys ? { keyIds: waiting } : {}),
  });
  return { sessions, keys };
}
