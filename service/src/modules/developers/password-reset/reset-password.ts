import type { App } from "../../../app.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Visitor } from "../../../foundation/visitor.ts";
import { actorFor } from "../actor-for.ts";
import {
  endEmailTokens,
  findEmailTokenOwner,
  useEmailToken,
} from "../email-verification/queries.ts";
import { mailNotice } from "../mail-notice.ts";
import { type Developer, lockDeveloper, putPasswordHash } from "../queries.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/queries.ts";

const PURPOSE = "reset_password";

export interface ResetPassword {
  /** Of the mailed link. */
  readonly token: string;
  readonly password: string;
  readonly visitor: Visitor;
}

/**
 * Sets a new password by a mailed token, which is used up with every other one of the account. Whoever was logged in, or
 * waits for a second factor, is so no more; keys and the second factor itself stay. Throws `invalid_token` for a token that
 * is unknown, used or over.
 */
export async function resetPassword(
  app: Pick<App, "db" | "clock" | "passwords">,
  { token, password, visitor }: ResetPassword,
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  // Before the work of a hash, which nobody gets for a token that was used: it would be theirs to ask for without an end.
  const tenantId = await findEmailTokenOwner(app.db, { tokenHash, purpose: PURPOSE, at });
  if (tenantId === undefined) throw refusal("unknown, used or expired token");
  const hash = await app.passwords.hash(password);
  await withTransaction(app.db, tenantId, async (tx) => {
    const { email } = await useToken(tx, { tokenHash, tenantId, at });
    // The password first: a login that still holds the old one waits for this, or is over before its session is ended.
    await putPasswordHash(tx, { tenantId, hash, updatedAt: at });
    await endChallenges(tx, tenantId, at);
    const sessions = await endSessions(tx, { tenantId, at, reason: "password_reset" });
    await endEmailTokens(tx, { tenantId, purpose: PURPOSE, at });
    await appendAuditEntry(tx, actorFor(visitor, tenantId), {
      action: "developer.password_reset",
      subject: { type: "developer", id: tenantId },
      facts: { sessions },
      occurredAt: at,
    });
    await mailNotice(tx, { tenantId, template: "password_changed", to: email, at });
  });
}

/** The developer whose token it is, locked before the token, so that two tokens of one account do not wait for each other. */
async function useToken(
  tx: Tx,
  {
    tokenHash,
    tenantId,
    at,
  }: { readonly tokenHash: string; readonly tenantId: TenantId; readonly at: Date },
): Promise<Developer> {
  const developer = await lockDeveloper(tx, tenantId);
  const used = await useEmailToken(tx, { tokenHash, tenantId, purpose: PURPOSE, at });
  if (used === undefined || used.email !== developer.email) {
    throw refusal("used or expired token, or a former address");
  }
  if (developer.status === "suspended" || developer.status === "closed") {
    throw refusal(`${tenantId} is ${developer.status}`);
  }
  return developer;
}

function refusal(internal: string): AppError {
  return new AppError("invalid_token", { internal });
}
