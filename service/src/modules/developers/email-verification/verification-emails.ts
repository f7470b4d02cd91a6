import type { App } from "../../../app.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { findNewestClaim } from "../claims/queries.ts";
import { enqueueTokenEmail } from "../enqueue-emails.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { developerRows, findTenantByEmail } from "../queries.ts";

const TOKEN_HOURS = 24;

export function verificationExpiryOf(at: Date): Date {
  return new Date(at.getTime() + TOKEN_HOURS * 3_600_000);
}

interface EnqueueVerificationEmail {
  readonly tenantId: TenantId;
  readonly email: string;
  readonly claimNumber: number;
  readonly at: Date;
}

/** Queues an email with a URL that verifies the address for a signup claim. Earlier URLs for the claim stay valid. */
export async function enqueueVerificationEmail(
  tx: Tx,
  vault: TenantVault,
  { tenantId, email, claimNumber, at }: EnqueueVerificationEmail,
): Promise<void> {
  const expiresAt = verificationExpiryOf(at);
  const purpose = "verify_email";
  await enqueueTokenEmail(tx, vault, { tenantId, email, purpose, claimNumber, expiresAt, at });
}

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
      const { status } = await developerRows.lockAndGet(tx, { tenantId });
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
