import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { developerActor } from "../../audit/actors.ts";
import { countCall, enforceCallLimit } from "../../call-limits/count-call.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { newId } from "../../foundation/ids.ts";
import { NamedObject, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { openVault } from "../../vault/vault.ts";
import { requireCaptcha } from "./captcha.ts";
import { applyClaim } from "./claims/apply-claim.ts";
import { type Claim, deleteClaimsUpTo, insertClaim } from "./claims/queries.ts";
import { recordAccountChange } from "./developers.ts";
import { enqueueVerificationEmail, verificationExpiryOf } from "./email-verification/email-verification.ts";
import { enqueueNoticeEmail } from "./enqueue-emails.ts";
import { withMinimumDuration } from "./minimum-duration.ts";
import { type Developer, developerRows, findTenantByEmail, insertDeveloper, passwordRows } from "./queries.ts";

/** A signup whose email address is not verified yet (docs/rules/accounts.md). */
export const SignupResource = NamedObject("Signup", {
  status: Type.Literal("verification_sent"),
  email: Text(
    "The email address from the request, in lowercase. An email is sent to this address, unless there were too many signups with it within an hour.",
  ),
  verification_expires_at: {
    ...Timestamp,
    description: "When the verification URL in the email expires: 24 hours after the signup.",
  },
});

export function presentSignup(signup: {
  readonly email: string;
  readonly verificationExpiresAt: Date;
}): Static<typeof SignupResource> {
  return toWire(SignupResource, signup, { status: "verification_sent" });
}

/** Limit on emails that notify the owner of a verified address about new signups with that address. */
const NOTICES = { limit: 3, windowMs: 3_600_000 };
/**
 * Limit on verification emails to one address. A signup above the limit sends no email, but the user can request one
 * with `resendVerification`.
 */
const VERIFICATION_MAILS = { limit: 10, windowMs: 3_600_000 };
/** Maximum number of unverified signups (claims) that are stored per email address (docs/rules/accounts.md). */
const CLAIMS_MAX = QUOTAS.signupClaims.max;

const HOUR_MS = 3_600_000;
/**
 * The signup limit for a site network (IPv4 /24 or IPv6 /48) is this many times the limit for a client network (an IPv4
 * address or an IPv6 /64).
 */
const ADDRESSES_PER_SITE = QUOTAS.networkSignups.max / QUOTAS.signups.max;

export interface SignUp {
  /** In lowercase. */
  readonly email: string;
  readonly password: string;
  readonly captchaToken: string;
  readonly name: string | null;
  readonly companyName: string | null;
  readonly country: string | null;
  readonly acceptedTermsVersion: string | null;
  readonly client: ClientInfo;
  /** The client's IPv4 /24 or IPv6 /48 network. */
  readonly siteNetwork: string;
}

type Access = Pick<
  App,
  "db" | "clock" | "settings" | "fastState" | "captcha" | "passwords" | "keyEncryptionKey" | "vaults"
>;

/**
 * Creates an account whose email address is not verified yet. If the address already has an unverified account, adds a
 * signup claim with its own password and profile. Until the address is verified, only the newest password works. When
 * the verification URL of a claim is opened, the account gets the password and profile of this claim
 * (docs/rules/accounts.md). If the address is already verified, changes nothing and notifies its owner by email.
 *
 * The response and its timing are the same in all cases. Throws `rate_limited` after too many signups within an hour
 * from one client network (an IPv4 address or an IPv6 /64) or one site network (IPv4 /24 or IPv6 /48).
 */
export async function signUp(app: Access, command: SignUp): Promise<{ readonly verificationExpiresAt: Date }> {
  await requireCaptcha(app, command.captchaToken);
  await countSignUp(app, command);
  const at = app.clock.now();
  // The password is hashed for every signup, before the minimum duration starts. Hashing can wait in a queue for longer
  // than the minimum duration. If the hashing were included in the minimum duration, the response time could then
  // reveal which queries ran.
  const passwordHash = await app.passwords.hash(command.password);
  await withMinimumDuration(app.settings.minimumDurationMs, async () => {
    const address = sha256Hex(command.email);
    const [notice, verificationMail] = await Promise.all([
      countCall(app, `signup:${address}`, NOTICES),
      countCall(app, `signup-link:${address}`, VERIFICATION_MAILS),
    ]);
    const signup = { command, passwordHash, at };
    const isKnown = (await findTenantByEmail(app.db, command.email)) !== undefined;
    const isNew = !isKnown && (await createAccount(app, signup));
    if (!isNew) {
      await claimAccount(app, signup, {
        mailsNotice: notice.allowed,
        mailsVerification: verificationMail.allowed,
      });
    }
  });
  return { verificationExpiresAt: verificationExpiryOf(at) };
}

async function countSignUp(app: Access, { client, siteNetwork }: SignUp): Promise<void> {
  const limit = app.settings.signupsPerHour;
  const windows = [
    { key: `signup-from:${client.network}`, limit },
    { key: `signup-from-site:${siteNetwork}`, limit: limit * ADDRESSES_PER_SITE },
  ];
  for (const { key, limit } of windows) {
    enforceCallLimit(await countCall(app, key, { limit, windowMs: HOUR_MS }));
  }
}

interface HashedSignUp {
  readonly command: SignUp;
  readonly passwordHash: string;
  readonly at: Date;
}

/** Returns false if a concurrent signup has taken the email address. */
async function createAccount(app: Access, signup: HashedSignUp): Promise<boolean> {
  const { command, passwordHash, at } = signup;
  const { email, name, companyName, country, acceptedTermsVersion } = command;
  const tenantId = newId("dev");
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    const developer = await insertDeveloper(tx, {
      tenantId,
      email,
      name,
      companyName,
      country,
      acceptedTermsVersion,
      status: "pending_verification",
      createdAt: at,
      updatedAt: at,
    });
    if (developer === undefined) return false;
    await passwordRows.put(tx, { tenantId, hash: passwordHash, updatedAt: at });
    const claimNumber = await insertClaim(tx, claimOf(developer, signup));
    await recordSignUp(tx, developer, signup);
    await enqueueVerificationEmail(tx, vault, { tenantId, email, claimNumber, at });
    return true;
  });
}

/** Adds a signup claim if the account's address is not verified yet. Otherwise notifies the account's owner. */
async function claimAccount(
  app: Access,
  signup: HashedSignUp,
  { mailsNotice, mailsVerification }: { readonly mailsNotice: boolean; readonly mailsVerification: boolean },
): Promise<void> {
  const { command, at } = signup;
  const tenantId = await findTenantByEmail(app.db, command.email);
  if (tenantId === undefined) return;
  const vault = await openVault(app, tenantId);
  await withTransaction(app.db, tenantId, async (tx) => {
    const developer = await developerRows.lockAndGet(tx, { tenantId });
    if (developer.emailVerifiedAt !== null || developer.status !== "pending_verification") {
      const notice = { tenantId, template: "already_registered", to: developer.email, at } as const;
      if (mailsNotice) await enqueueNoticeEmail(tx, notice);
      return;
    }
    const claim = claimOf(developer, signup);
    const claimNumber = await insertClaim(tx, claim);
    await deleteClaimsUpTo(tx, { tenantId, claimNumber: claimNumber - CLAIMS_MAX });
    await applyClaim(tx, claim, { at, reason: "signed_up_again" });
    await recordSignUp(tx, developer, signup);
    if (mailsVerification) {
      await enqueueVerificationEmail(tx, vault, {
        tenantId,
        email: developer.email,
        claimNumber,
        at,
      });
    }
  });
}

function claimOf({ tenantId }: Developer, { command, passwordHash, at }: HashedSignUp): Omit<Claim, "claimNumber"> {
  const { name, companyName, country, acceptedTermsVersion } = command;
  const profile = { name, companyName, country, acceptedTermsVersion };
  return { tenantId, passwordHash, ...profile, createdAt: at };
}

async function recordSignUp(
  tx: Tx,
  { tenantId }: Developer,
  { command: { client, acceptedTermsVersion }, at }: HashedSignUp,
): Promise<void> {
  await recordAccountChange(tx, developerActor({ tenantId }, client), {
    action: "developer.signed_up",
    facts: { accepted_terms_version: acceptedTermsVersion },
    at,
  });
}
