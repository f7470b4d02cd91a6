import type { App } from "../../app.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type TenantId } from "../../foundation/ids.ts";
import type { Visitor } from "../../foundation/visitor.ts";
import { enqueueMail } from "../../outbox/enqueue.ts";
import { openVault } from "../../vault/open-vault.ts";
import { actorFor } from "./actor-for.ts";
import { countCall } from "./count-call.ts";
import { mailVerification, verificationExpiryOf } from "./email-verification/mail-verification.ts";
import {
  findTenantByEmail,
  insertDeveloper,
  insertDeveloperEmail,
  putPasswordHash,
} from "./queries.ts";
import { requireCaptcha } from "./require-captcha.ts";
import { inSteadyTime } from "./steady-time.ts";

/** Longer than making an account takes on an idle machine. */
const STEADY_MS = 250;
/** How often an owner is told of signups with their address. */
const NOTICES = { limit: 3, windowMs: 3_600_000 };

const HOUR_MS = 3_600_000;
/** How many times the limit of one client address all addresses of a site network get together. */
const ADDRESSES_PER_SITE = 10;

export interface SignUp {
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  readonly captchaToken: string;
  readonly name: string | null;
  readonly companyName: string | null;
  readonly country: string | null;
  readonly acceptedTermsVersion: string | null;
  readonly visitor: Visitor;
  /** The /24 (IPv6: /48) of the visitor's address. */
  readonly siteNetwork: string;
}

type Access = Pick<
  App,
  | "db"
  | "clock"
  | "settings"
  | "fastState"
  | "captcha"
  | "passwords"
  | "keyEncryptionKey"
  | "vaults"
>;

/**
 * Makes an account that waits for its address to be verified. For an address that has one already nothing changes, and its
 * owner is told by mail; whoever asked gets the same answer at the same time (contract, ruling 10). Throws `rate_limited`
 * when the client's address or its site network has signed up too often in the last hour.
 */
export async function signUp(
  app: Access,
  command: SignUp,
): Promise<{ readonly verificationExpiresAt: Date }> {
  await requireCaptcha(app, command.captchaToken);
  await countSignUp(app, command);
  const at = app.clock.now();
  // The same work for both, and before the steady time: a queue of hashes would use it up, and what follows would show.
  const passwordHash = await app.passwords.hash(command.password);
  await inSteadyTime(STEADY_MS, async () => {
    const notice = await countCall(app, `signup:${sha256Hex(command.email)}`, NOTICES);
    const isKnown = (await findTenantByEmail(app.db, command.email)) !== undefined;
    const isNew = !isKnown && (await createAccount(app, command, passwordHash, at));
    if (!isNew && notice.allowed) await tellOwner(app, command.email, at);
  });
  return { verificationExpiresAt: verificationExpiryOf(at) };
}

async function countSignUp(app: Access, { visitor, siteNetwork }: SignUp): Promise<void> {
  const limit = app.settings.signupsPerHour;
  const windows = [
    { key: `signup-from:${visitor.network}`, limit },
    { key: `signup-from-site:${siteNetwork}`, limit: limit * ADDRESSES_PER_SITE },
  ];
  for (const { key, limit } of windows) {
    const { allowed, retryAfterMs } = await countCall(app, key, { limit, windowMs: HOUR_MS });
    if (allowed) continue;
    throw new AppError("rate_limited", { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) });
  }
}

/** False where somebody else got the address in the meantime. */
async function createAccount(
  app: Access,
  { visitor, email, name, companyName, country, acceptedTermsVersion }: SignUp,
  passwordHash: string,
  at: Date,
): Promise<boolean> {
  const tenantId = newId("dev");
  const vault = await openVault(app, tenantId);
  const profile = { email, name, companyName, country, acceptedTermsVersion };
  return withTransaction(app.db, tenantId, async (tx) => {
    if (!(await insertDeveloperEmail(tx, { email, tenantId }))) return false;
    await insertDeveloper(tx, {
      ...profile,
      tenantId,
      status: "pending_verification",
      createdAt: at,
      updatedAt: at,
    });
    await putPasswordHash(tx, { tenantId, hash: passwordHash, updatedAt: at });
    await appendAuditEntry(tx, actorFor(visitor, tenantId), {
      action: "developer.signed_up",
      subject: { type: "developer", id: tenantId },
      facts: { accepted_terms_version: acceptedTermsVersion },
      occurredAt: at,
    });
    await mailVerification(tx, vault, { tenantId, email, at });
    return true;
  });
}

async function tellOwner(app: Access, email: string, at: Date): Promise<void> {
  const tenantId: TenantId | undefined = await findTenantByEmail(app.db, email);
  if (tenantId === undefined) return;
  await withTransaction(app.db, tenantId, (tx) =>
    enqueueMail(
      tx,
      { tenantId, mode: "live" },
      {
        messageId: newId("mail"),
        template: "already_registered",
        to: email,
        sealedToken: null,
        createdAt: at,
      },
    ),
  );
}
