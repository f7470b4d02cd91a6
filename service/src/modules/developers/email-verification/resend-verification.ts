import type { App } from "../../../app.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { findNewestClaim } from "../claims/queries.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { findTenantByEmail, lockDeveloper } from "../queries.ts";
import { enqueueVerificationEmail } from "./enqueue-verification-email.ts";

/** Call limit per network. */
const CALLS = { limit: 3, windowMs: 60_000 };
/** Email limit per address, so that a caller cannot flood a mailbox by calling from many networks. */
const MAILS = { limit: 3, windowMs: 3_600_000 };

export interface ResendVerification {
  /** In lowercase. */
  readonly email: string;
  readonly network: string;
}

/**
 * Emails another URL for the newest signup claim if the address is waiting for verification. The caller cannot tell
 * whether an email was sent. Throws `rate_limited` after three calls per minute from one network.
 */
export async function resendVerification(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "keyEncryptionKey" | "vaults">,
  { email, network }: ResendVerification,
): Promise<void> {
  enforceCallLimit(await countCall(app, `resend:${network}`, CALLS));
  await withMinimumDuration(app.settings.minimumDurationMs, async () => {
    const mail = await countCall(app, `resend-mail:${sha256Hex(email)}`, MAILS);
    const tenantId = await findTenantByEmail(app.db, email);
    if (!mail.allowed || tenantId === undefined) return;
    const vault = await openVault(app, tenantId);
    await withTransaction(app.db, tenantId, async (tx) => {
      const { status } = await lockDeveloper(tx, tenantId);
      const claim = await findNewestClaim(tx, tenantId);
      if (status !== "pending_verification" || claim === undefined) return;
      const { claimNumber } = claim;
      await enqueueVerificationEmail(tx, vault, {
        tenantId,
        email,
        claimNumber,
        at: app.clock.now(),
      });
    });
  });
}
