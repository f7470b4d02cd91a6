import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { mailNotice } from "../mail-notice.ts";
import {
  type AuthMethod,
  type Developer,
  type DeveloperProfile,
  getDeveloperProfile,
} from "../queries.ts";
import { PROVIDER_NAMES } from "./provider-names.ts";
import {
  findIdentityOwner,
  type IdentityKey,
  insertIdentity,
  insertIdentityLookup,
} from "./queries.ts";

export interface LinkIdentity {
  readonly developer: Developer;
  readonly identity: IdentityKey;
  readonly client: ClientInfo;
  readonly at: Date;
}

/**
 * Makes an identity whose verified address is the developer's another way into their account, and tells them by mail.
 * Nothing happens where it is one already. Throws `conflict` where it is somebody else's, and where the account has another
 * identity of that provider: an address may have changed hands, and a provider's id never does.
 */
export async function linkIdentity(
  tx: Tx,
  { developer: { tenantId, email }, identity, client, at }: LinkIdentity,
): Promise<void> {
  const { provider, subject } = identity;
  const name = PROVIDER_NAMES[provider];
  if (!(await insertIdentityLookup(tx, { provider, subject, tenantId }))) {
    if ((await findIdentityOwner(tx, identity)) === tenantId) return;
    throw new AppError("conflict", { detail: `This ${name} account belongs to another account.` });
  }
  const row = { tenantId, provider, subject, email, linkedAt: at, lastUsedAt: at };
  if (!(await insertIdentity(tx, row))) {
    throw new AppError("conflict", {
      detail: `This account has another ${name} account already. Log in with that one.`,
    });
  }
  await appendAuditEntry(tx, developerActor({ tenantId }, client), {
    action: "developer.identity_linked",
    subject: { type: "developer", id: tenantId },
    facts: { provider },
    occurredAt: at,
  });
  await mailNotice(tx, {
    tenantId,
    template: "identity_linked",
    to: email,
    facts: { provider: name },
    at,
  });
}

/**
 * As above, for a login that has just passed its last factor. Nothing happens where it was begun with a password, or with an
 * identity that is known.
 *
 * @returns the developer as they are now
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
