import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { applyClaim } from "../claims/apply-claim.ts";
import { deleteClaims, findClaim } from "../claims/queries.ts";
import { lockDeveloper } from "../queries.ts";
import { recordVerification } from "../record-verification.ts";
import { findEmailTokenOwner, useEmailToken } from "./queries.ts";

/**
 * Uses an emailed token to verify the developer's address, and applies the token's signup claim to the account. Deletes
 * all of the account's claims and ends its sessions. If the address is already verified, only marks the token as used.
 * Does not start a session, because an email scanner may have opened the URL.
 *
 * Throws `invalid_token` if the token is unknown, used or expired, or if its claim was deleted.
 */
export async function verifyEmail(
  app: Pick<App, "db" | "clock">,
  { token, client }: { readonly token: string; readonly client: ClientInfo },
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  const purpose = "verify_email";
  const tenantId = await findEmailTokenOwner(app.db, { tokenHash, purpose, at });
  if (tenantId === undefined) {
    throw invalidToken("unknown, used or expired token");
  }

  await withTransaction(app.db, tenantId, async (tx) => {
    // The account is locked before the token. Otherwise, two concurrent calls with tokens of the same account could
    // deadlock.
    const developer = await lockDeveloper(tx, tenantId);
    const used = await useEmailToken(tx, { tokenHash, tenantId, purpose, at });
    if (used === undefined || used.email !== developer.email || used.claimNumber === null) {
      throw invalidToken("the token was used, has expired, or belongs to a previous address");
    }
    if (developer.emailVerifiedAt !== null) return;

    const { claimNumber } = used;
    const claim = await findClaim(tx, { tenantId, claimNumber });
    if (claim === undefined) throw invalidToken("the token's claim was deleted");
    const isWaiting = developer.status === "pending_verification";
    const status = isWaiting ? "active" : developer.status;
    const change = { status, emailVerifiedAt: at };
    await applyClaim(tx, claim, { at, reason: "email_verified", change });
    await deleteClaims(tx, { tenantId, keepTokensOf: claimNumber });
    const actor = developerActor({ tenantId }, client);
    await recordVerification(tx, actor, { developer, occurredAt: at });
  });
}

function invalidToken(internal: string): AppError {
  return new AppError("invalid_token", { internal });
}
