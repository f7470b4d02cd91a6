import { developerActor } from "../../../audit/actors.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { displayNameOf } from "../../../foundation/vendors.ts";
import { recordAccountChange } from "../developers.ts";
import { enqueueNoticeEmail } from "../enqueue-emails.ts";
import {
  type AuthMethod,
  type Developer,
  type DeveloperProfile,
  developerRows,
  getDeveloperProfile,
} from "../queries.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { requireLiveSession } from "../sessions/live-session.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import { type IdentityKey, identityRows, identityRowsBySubject, listIdentities } from "./queries.ts";

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
  const name = displayNameOf(provider);
  const row = { tenantId, provider, subject, email, linkedAt: at, lastUsedAt: at };
  if (!(await identityRows.insertIfNew(tx, row))) {
    const owner = (await identityRowsBySubject.find(tx, identity))?.tenantId;
    if (owner === tenantId) return;
    throw new AppError("conflict", {
      detail:
        owner === undefined
          ? `This account is already linked to a different ${name} account. Log in with that one, or unlink it first.`
          : `This ${name} account is linked to another account. Unlink it there first.`,
    });
  }
  await recordAccountChange(tx, developerActor({ tenantId }, client), {
    action: "developer.identity_linked",
    facts: { provider },
    at,
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

export interface UnlinkIdentity {
  readonly actor: Actor;
  readonly provider: string;
  readonly proof: LoginProof;
}

/** Unlinks an identity from the account, and ends logins that are waiting for a second factor. */
export async function unlinkIdentity(
  app: RecentLoginAccess,
  { actor, provider, proof }: UnlinkIdentity,
): Promise<void> {
  const { tenantId } = actor;
  const linked = await listIdentities(app.db, tenantId);
  if (!linked.some((identity) => identity.provider === provider)) throw notLinked();
  await requireRecentLogin(app, actor, proof);
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, async (tx) => {
    // Without this lock, two concurrent requests could each unlink one of the last two identities.
    const { email } = await developerRows.lockAndGet(tx, { tenantId });
    await requireLiveSession(tx, actor, at);
    const identity = (await listIdentities(tx, tenantId)).find((candidate) => candidate.provider === provider);
    if (identity === undefined) throw notLinked();
    const { authMethods } = await getDeveloperProfile(tx, tenantId);
    if (authMethods.length === 1) {
      throw new AppError("conflict", {
        detail: "This is the only way to log in to the account. Set a password first.",
      });
    }
    await identityRows.remove(tx, identity);
    await endChallenges(tx, tenantId, at);
    await recordAccountChange(tx, actor, { action: "developer.identity_unlinked", facts: { provider }, at });
    await enqueueNoticeEmail(tx, {
      tenantId,
      template: "identity_unlinked",
      to: email,
      facts: { provider: displayNameOf(identity.provider) },
      at,
    });
  });
}

function notLinked(): AppError {
  return new AppError("identity_not_found");
}
