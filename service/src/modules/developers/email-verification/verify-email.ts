import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { Visitor } from "../../../foundation/visitor.ts";
import { actorFor } from "../actor-for.ts";
import { lockDeveloper, updateDeveloper } from "../queries.ts";
import { recordVerification } from "../record-verification.ts";
import { findEmailTokenOwner, useEmailToken } from "./queries.ts";

/**
 * Uses up a mailed token, and marks its developer's address as verified. Throws `invalid_token` for one that is unknown,
 * used or expired. It signs nobody in: a mail scanner may have followed the link.
 */
export async function verifyEmail(
  app: Pick<App, "db" | "clock">,
  { token, visitor }: { readonly token: string; readonly visitor: Visitor },
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  const purpose = "verify_email";
  const tenantId = await findEmailTokenOwner(app.db, { tokenHash, purpose, at });
  if (tenantId === undefined) {
    throw new AppError("invalid_token", { internal: "unknown, used or expired token" });
  }

  await withTransaction(app.db, tenantId, async (tx) => {
    const used = await useEmailToken(tx, { tokenHash, tenantId, purpose, at });
    const developer = await lockDeveloper(tx, tenantId);
    if (used === undefined || used.email !== developer.email) {
      throw new AppError("invalid_token", {
        internal: "used or expired token, or a former address",
      });
    }
    if (developer.emailVerifiedAt !== null) return;

    const isWaiting = developer.status === "pending_verification";
    await updateDeveloper(tx, tenantId, {
      status: isWaiting ? "active" : developer.status,
      emailVerifiedAt: at,
      updatedAt: at,
    });
    const actor = actorFor(visitor, tenantId);
    await recordVerification(tx, actor, { developer, occurredAt: at });
  });
}
