import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { NamedObject } from "../../../foundation/wire/fields.ts";
import { openVault, type TenantVault } from "../../../vault/vault.ts";
import { applyClaim } from "../claims/apply-claim.ts";
import { accountClaimRows, type Claim, deleteClaims, findNewestClaim } from "../claims/queries.ts";
import { recordVerification } from "../confirm-ownership.ts";
import { enqueueTokenEmail } from "../enqueue-emails.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { developerRows, findTenantByEmail } from "../queries.ts";
import { findVerificationToken, getEmailTokenOwner, invalidToken, useEmailToken } from "./queries.ts";

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

interface ResendVerification {
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

/** The page to which a browser is redirected after verification. */
export const VERIFIED_PAGE = "/login?verified=1";

/** A verified email address (docs/rules/accounts.md). */
export const VerifiedEmailResource = NamedObject("VerifiedEmail", {
  status: Type.Literal("verified"),
  redirect_url: Type.Literal(VERIFIED_PAGE, {
    description: "URL path of the page to show next, which is the login page.",
  }),
});

/** The response is the same for every address, so that it does not reveal whether the address has an account. */
export const ResentVerificationResource = Type.Object(
  { status: Type.Literal("accepted") },
  { $id: "ResentVerification" },
);

/** What an emailed verification token can still do. */
export interface Verification {
  readonly email: string;
  /** When the address was verified, with this token or another one. Null if the token can still verify it. */
  readonly verifiedAt: Date | null;
}

/** Reads what the token can do, and changes nothing. Returns undefined if the token is unknown or expired. */
export async function findVerification(
  { db, clock }: Pick<App, "db" | "clock">,
  token: string,
): Promise<Verification | undefined> {
  const found = await findVerificationToken(db, sha256Hex(token));
  if (found === undefined) return undefined;
  const { email, emailVerifiedAt: verifiedAt, usedAt, expiresAt } = found;
  const isUsable = usedAt === null && expiresAt > clock.now();
  return verifiedAt === null && !isUsable ? undefined : { email, verifiedAt };
}

interface VerifyEmail {
  readonly token: string;
  /** The hash of the password that the user has just entered, if the address is verified by a login. */
  readonly passwordHash?: string;
  readonly client: ClientInfo;
}

/**
 * Uses an emailed token to verify the developer's address, and applies the token's signup claim to the account. Deletes
 * all of the account's claims and ends its sessions. If the address is already verified, only marks the token as used.
 * Does not start a session, because an email scanner may have opened the URL.
 */
export async function verifyEmail(
  app: Pick<App, "db" | "clock">,
  { token, passwordHash, client }: VerifyEmail,
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  const purpose = "verify_email";
  const tenantId = await getEmailTokenOwner(app.db, { tokenHash, purpose, at });

  await withTransaction(app.db, tenantId, async (tx) => {
    // The account is locked before the token. Otherwise, two concurrent calls with tokens of the same account could
    // deadlock.
    const developer = await developerRows.lockAndGet(tx, { tenantId });
    const used = await useEmailToken(tx, { tokenHash, tenantId, purpose, at });
    if (used === undefined || used.email !== developer.email || used.claimNumber === null) {
      throw invalidToken("the token was used, has expired, or belongs to a previous address");
    }
    if (developer.emailVerifiedAt !== null) return;

    const { claimNumber } = used;
    const claim = await requireClaim(tx, { tenantId, claimNumber, passwordHash });
    const isWaiting = developer.status === "pending_verification";
    const status = isWaiting ? "active" : developer.status;
    const change = { status, emailVerifiedAt: at };
    await applyClaim(tx, claim, { at, reason: "email_verified", change });
    await deleteClaims(tx, { tenantId, keepTokensOf: claimNumber });
    const actor = developerActor({ tenantId }, client);
    await recordVerification(tx, actor, { developer, occurredAt: at });
  });
}

/** Returns the token's claim. Throws `invalid_token` if it was deleted or has a different password. */
async function requireClaim(
  tx: Tx,
  { passwordHash, ...key }: Pick<Claim, "tenantId" | "claimNumber"> & { readonly passwordHash: string | undefined },
): Promise<Claim> {
  const claim = await accountClaimRows.find(tx, key);
  if (claim === undefined) throw invalidToken("the token's claim was deleted");
  if (passwordHash === undefined || claim.passwordHash === passwordHash) return claim;
  throw invalidToken("the token belongs to a signup with a different password");
}
