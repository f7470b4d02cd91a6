import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { enqueueNoticeEmail } from "../enqueue-notice-email.ts";
import { type AuthMethod, type Developer, type DeveloperProfile, getDeveloperProfile } from "../queries.ts";
import { PROVIDER_NAMES } from "./provider-names.ts";
import { findIdentityOwner, type IdentityKey, insertIdentity } from "./queries.ts";

export interface LinkIdentity {
  readonly developer: Developer;
  readonly identity: IdentityKey;
  readonly client: ClientInfo;
  readonly at: Date;
}

/**
 * Links an identity to the developer's account and notifies the developer by email. The caller must have checked that
 * the provider verified the account's email address. Does nothing if the identity is already linked to this account.
 *
 * Throws `conflict` if the identity is linked to another account, or if the account already has a different identity
 * from this provider. In the second case, the new identity may belong to a new owner of the email address, so it does
 * not replace the existing one.
 */
export async function linkIdentity(
  tx: Tx,
  { developer: { tenantId, email }, identity, client, at }: LinkIdentity,
): Promise<void> {
  const { provider, subject } = identity;
  const name = PROVIDER_NAMES[provider];
  const row = { tenantId, provider, subject, email, linkedAt: at, lastUsedAt: at };
  if (!(await insertIdentity(tx, row))) {
    const owner = await findIdentityOwner(tx, identity);
    if (owner === tenantId) return;
    throw new AppError("conflict", {
      detail:
        owner === undefined
          ? `This account is already linked to a different ${name} account. Log in with that one, or unlink it first.`
          : `This ${name} account is linked to another account. Unlink it there first.`,
    });
  }
  await appendAuditEntry(tx, developerActor({ tenantId }, client), {
    action: "developer.identity_linked",
    subject: { type: "developer", id: tenantId },
    facts: { provider },
    occurredAt: at,
  });
  await enqueueNoticeEmail(tx, {
    tenantId,
    template: "identity_linked",
    to: email,
    facts: { provider: name },
    at,
  });
}

/**
 * Links the identity used for a login. Call it after the second factor, if there is one, has been checked. Does nothing
 * for password logins and for identities that are already linked.
 *
 * @returns the developer's current profile
 */
export async function linkNewIdentity(
  tx: Tx,
  {
    method,
    newSubject,
    ...login
  }: Omit<LinkIdentity, "identity" | "developer"> & {
    readonly developer: DeveloperProfile;
    readonly method: AuthMethod;
    readonly newSubject: string | null;
  },
): Promise<DeveloperProfile> {
  if (method === "password" || newSubject === null) return login.developer;
  await linkIdentity(tx, { ...login, identity: { provider: method, subject: newSubject } });
  return getDeveloperProfile(tx, login.developer.tenantId);
}
