import { deleteClaims } from "./claims/queries.ts";
import { denyPendingPairs } from "./device-login/queries.ts";
import { deleteEmailTokens } from "./email-verification/queries.ts";
import { deleteIdentities, type IdentityKey } from "./identities/queries.ts";
import type { KeyChange } from "./keys/change-keys.ts";
import { withdrawAccountKeys } from "./keys/withdraw-account-keys.ts";
import { deleteSecondFactor, endChallenges } from "./second-factor/queries.ts";
import { endSessions } from "./sessions/queries.ts";

export interface WithdrawAccess {
  /** The reason that is stored with ended sessions and keys. */
  readonly reason: "account_reclaimed" | "password_reset";
  readonly keepKeys: boolean;
  /** The identity that stays linked. */
  readonly keepIdentity?: IdentityKey;
}

/**
 * Withdraws every way into an unproven account: claims, identities, second factor, logins in progress, sessions, mailed
 * tokens, device logins whose pair was not collected, and keys unless they are kept. The caller has changed or deleted
 * the password before.
 *
 * A concurrent login locks the password row or its identity row, so its session is committed before the sessions are
 * ended.
 *
 * @returns the number of sessions and keys ended
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
