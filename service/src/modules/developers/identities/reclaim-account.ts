import type { App } from "../../../app.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Visitor } from "../../../foundation/visitor.ts";
import { MODES } from "../../../foundation/vocabulary.ts";
import { actorFor } from "../actor-for.ts";
import { deleteEmailTokens } from "../email-verification/queries.ts";
import { changeKeys, type KeyChange } from "../keys/change-keys.ts";
import { listApiKeys } from "../keys/queries.ts";
import { withdrawKey } from "../keys/withdraw-key.ts";
import { supersedeWaiting } from "../kyb/queries.ts";
import { deletePasswordHash, getDeveloper, updateDeveloper } from "../queries.ts";
import { recordVerification } from "../record-verification.ts";
import { deleteSecondFactor, endChallenges } from "../second-factor/queries.ts";
import { refuseShut } from "../sessions/open-session.ts";
import { endSessions } from "../sessions/queries.ts";
import { linkIdentity } from "./link-identity.ts";
import { deleteIdentities, type IdentityKey } from "./queries.ts";

export interface ReclaimAccount {
  readonly tenantId: TenantId;
  /** Of the person who has shown a provider that the account's address is theirs. */
  readonly identity: IdentityKey & { readonly name: string | null };
  readonly visitor: Visitor;
}

/**
 * Gives an account whose address nobody has verified to the person whose address it is. Whoever signed up with it may have
 * been waiting for them, so that nothing which was set up before is good any more: password, sessions, second factor, keys,
 * mailed links, identities, profile, KYB (S34 of the security design).
 *
 * @returns false where the address was verified meanwhile: then the account is its owner's, and nothing was done
 */
export async function reclaimAccount(
  app: Pick<App, "db" | "clock" | "fastState" | "settings">,
  { tenantId, identity, visitor }: ReclaimAccount,
): Promise<boolean> {
  return changeKeys(app, actorFor(visitor, tenantId), async (change) => {
    const { tx, actor, at } = change;
    const found = await getDeveloper(tx, tenantId);
    refuseShut(found);
    if (found.emailVerifiedAt !== null) return false;

    const dropped = await dropEverything(change);
    const developer = await updateDeveloper(tx, tenantId, {
      name: identity.name,
      companyName: null,
      website: null,
      country: null,
      timezone: "UTC",
      billingEmail: null,
      notificationPreferences: "{}",
      acceptedTermsVersion: null,
      registeredAt: null,
      kybStatus: "unverified",
      kybVerifiedAt: null,
      kybExpiresAt: null,
      kybReference: null,
      status: "active",
      emailVerifiedAt: at,
      updatedAt: at,
    });
    await appendAuditEntry(tx, actor, {
      action: "developer.reclaimed",
      subject: { type: "developer", id: tenantId },
      facts: { provider: identity.provider, ...dropped },
      occurredAt: at,
    });
    await recordVerification(tx, actor, { developer, occurredAt: at });
    await linkIdentity(tx, { developer, identity, visitor, at });
    return true;
  });
}

/** The password first: whoever logs in with it at this moment holds it, and what they get is ended below. */
async function dropEverything(change: KeyChange) {
  const { tx, actor, at } = change;
  const { tenantId } = actor;
  await deletePasswordHash(tx, tenantId);
  await deleteSecondFactor(tx, tenantId);
  await endChallenges(tx, tenantId, at);
  const sessions = await endSessions(tx, { tenantId, at, reason: "account_reclaimed" });
  await deleteEmailTokens(tx, tenantId);
  await deleteIdentities(tx, tenantId);
  await supersedeWaiting(tx, { tenantId, at });
  return { sessions, keys: await withdrawKeys(change) };
}

async function withdrawKeys(change: KeyChange): Promise<number> {
  const { tx, actor } = change;
  const keys = await listApiKeys(tx, { tenantId: actor.tenantId, modes: MODES });
  const standing = keys.filter(({ revokedAt }) => revokedAt === null);
  for (const key of standing) await withdrawKey(change, key, { reason: "account_reclaimed" });
  return standing.length;
}
