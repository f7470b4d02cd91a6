import { developerActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { deleteClaims } from "./claims/queries.ts";
import { recordAccountChange } from "./developers.ts";
import { denyPendingPairs } from "./device-login/queries.ts";
import { deleteEmailTokens, wasVerifiedBy } from "./email-verification/queries.ts";
import { deleteIdentities, type IdentityKey } from "./identities/queries.ts";
import type { KeyChange } from "./keys/change-keys.ts";
import { withdrawAccountKeys } from "./keys/withdraw-keys.ts";
import { type AuthMethod, type Developer, deleteWebhooks, developerRows } from "./queries.ts";
import { deleteSecondFactor, endChallenges } from "./second-factor/queries.ts";
import { endSessions } from "./sessions/queries.ts";

/**
 * Maximum time between opening the verification URL and the password login that confirms the account's ownership
 * (docs/rules/accounts.md).
 */
export const OWNERSHIP_CONFIRMATION_SECONDS = 900;

interface ConfirmOwnership {
  readonly developer: Developer;
  readonly method: AuthMethod;
  /** The token from the verification URL that this browser opened. */
  readonly verificationToken?: string | undefined;
  readonly client: ClientInfo;
  readonly at: Date;
}

/**
 * Marks the account's ownership as confirmed if a password login comes from the browser that opened the verification
 * URL. Such a login shows that the same user has access to the mailbox and knows the password.
 */
export async function confirmOwnership(
  tx: Tx,
  { developer: { tenantId, provenAt }, method, verificationToken, client, at }: ConfirmOwnership,
): Promise<void> {
  if (method !== "password" || provenAt !== null) return;
  if (verificationToken === undefined) return;
  const tokenHash = sha256Hex(verificationToken);
  const after = new Date(at.getTime() - OWNERSHIP_CONFIRMATION_SECONDS * 1000);
  if (!(await wasVerifiedBy(tx, { tokenHash, tenantId, after }))) return;
  await developerRows.updateAndGet(tx, { tenantId }, { provenAt: at, updatedAt: at });
  await recordAccountChange(tx, developerActor({ tenantId }, client), {
    action: "developer.proven",
    facts: { by: "login_after_verification" },
    at,
  });
}

export async function recordVerification(
  tx: Tx,
  actor: Actor,
  { developer: { tenantId }, occurredAt }: { readonly developer: Developer; readonly occurredAt: Date },
): Promise<void> {
  const subject = { type: "developer", id: tenantId };
  // The address is omitted because events are stored for 30 days and delivered to other systems.
  const data = { developer_id: tenantId };
  await recordEntryAndEvent(
    tx,
    actor,
    { action: "developer.email_verified", subject, facts: {}, occurredAt },
    () => data,
  );
}

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
  kybSubmittedAt: null,
} as const;

interface WithdrawAccess {
  /** The reason stored with the ended sessions and revoked keys. */
  readonly reason: "account_reclaimed" | "password_reset";
  readonly keepKeys: boolean;
  readonly keepWebhooks: boolean;
  /** An identity that stays linked. */
  readonly keepIdentity?: IdentityKey;
}

/**
 * Removes all access to an account whose ownership is not confirmed: signup claims, identities, second factor, logins
 * in progress, sessions, emailed tokens, webhooks and API keys. If `keepKeys` is true, the only API keys revoked are those that a
 * device login has issued but the device has not collected.
 *
 * The caller must already have changed or deleted the password, which waits for logins in progress
 * (`lockPasswordHash`). Deleting the identities waits for theirs.
 *
 * @returns the number of sessions ended, of keys revoked and of webhooks deleted
 */
export async function withdrawAccess(
  change: KeyChange,
  { reason, keepKeys, keepWebhooks, keepIdentity }: WithdrawAccess,
): Promise<{ readonly sessions: number; readonly keys: number; readonly webhooks: number }> {
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
  const webhooks = keepWebhooks ? 0 : await deleteWebhooks(tx, tenantId);
  return { sessions, keys, webhooks };
}
