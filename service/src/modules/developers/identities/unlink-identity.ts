import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { displayNameOf } from "../../../foundation/vendors/index.ts";
import { enqueueNoticeEmail } from "../enqueue-notice-email.ts";
import { getDeveloperProfile, lockDeveloper } from "../queries.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import { deleteIdentity, listIdentities } from "./queries.ts";

export interface UnlinkIdentity {
  readonly actor: Actor;
  readonly provider: string;
  readonly proof: LoginProof;
}

/**
 * Unlinks an identity from the account, and ends logins that are waiting for a second factor. Throws
 * `identity_not_found` if the account has no identity from this provider, `conflict` if the identity is the only way to
 * log in, and the errors of `requireRecentLogin`.
 */
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
    const { email } = await lockDeveloper(tx, tenantId);
    await requireLiveSession(tx, actor, at);
    const identity = (await listIdentities(tx, tenantId)).find((candidate) => candidate.provider === provider);
    if (identity === undefined) throw notLinked();
    const { authMethods } = await getDeveloperProfile(tx, tenantId);
    if (authMethods.length === 1) {
      throw new AppError("conflict", {
        detail: "This is the only way to log in to the account. Set a password first.",
      });
    }
    await deleteIdentity(tx, identity);
    await endChallenges(tx, tenantId, at);
    await appendAuditEntry(tx, actor, {
      action: "developer.identity_unlinked",
      subject: { type: "developer", id: tenantId },
      facts: { provider },
      occurredAt: at,
    });
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
