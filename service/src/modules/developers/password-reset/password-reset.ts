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
import { EMPTY_PROFILE, recordVerification, withdrawAccess } from "../confirm-ownership.ts";
import { recordAccountChange } from "../developers.ts";
import { endEmailTokens, getEmailTokenOwner, invalidToken, useEmailToken } from "../email-verification/queries.ts";
import { enqueueNoticeEmail, enqueueTokenEmail } from "../enqueue-emails.ts";
import { changeKeys, type KeyChange, type KeyChangeAccess } from "../keys/change-keys.ts";
import { withdrawAccountKeys } from "../keys/withdraw-keys.ts";
import { resetKyb } from "../kyb/queries.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import {
  type Developer,
  developerRows,
  findDeveloper,
  findTenantByEmail,
  getDeveloper,
  isInactive,
  passwordRows,
} from "../queries.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/queries.ts";

/** Limit on calls per client network (an IPv4 address or an IPv6 /64). */
const CALLS = { limit: 5, windowMs: 60_000 };
/** Limit on emails to one address. It protects a mailbox from a caller that uses many networks. */
const MAILS = { limit: 3, windowMs: 3_600_000 };
const TOKEN_MS = 3_600_000;

interface RequestPasswordReset {
  /** In lowercase. */
  readonly email: string;
  readonly client: ClientInfo;
}

/**
 * Emails a URL for choosing a new password. Sends nothing if the email address is unknown, or if its account is
 * suspended or closed. The caller cannot tell whether an email was sent.
 */
export async function requestPasswordReset(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "keyEncryptionKey" | "vaults">,
  { email, client }: RequestPasswordReset,
): Promise<void> {
  enforceCallLimit(await countCall(app, `forgot:${client.network}`, CALLS));
  await withMinimumDuration(app.settings.minimumDurationMs, async () => {
    const mail = await countCall(app, `forgot-mail:${sha256Hex(email)}`, MAILS);
    const tenantId = await findTenantByEmail(app.db, email);
    const developer = tenantId && (await findDeveloper(app.db, tenantId));
    if (!mail.allowed || !developer || isInactive(developer.status)) return;
    const vault = await openVault(app, developer.tenantId);
    await withTransaction(app.db, developer.tenantId, (tx) =>
      mailResetToken(tx, vault, { developer, client, at: app.clock.now() }),
    );
  });
}

async function mailResetToken(
  tx: Tx,
  vault: TenantVault,
  {
    developer: { tenantId, email },
    client,
    at,
  }: { readonly developer: Developer; readonly client: ClientInfo; readonly at: Date },
): Promise<void> {
  const expiresAt = new Date(at.getTime() + TOKEN_MS);
  await enqueueTokenEmail(tx, vault, { tenantId, email, purpose: "reset_password", expiresAt, at });
  await recordAccountChange(tx, developerActor({ tenantId }, client), {
    action: "developer.password_reset_requested",
    at,
  });
}

/** The response is the same for every email address, so that it does not reveal which addresses have an account. */
export const RequestedPasswordResetResource = Type.Object(
  { status: Type.Literal("accepted") },
  { $id: "RequestedPasswordReset" },
);

export const PasswordResetResource = NamedObject("PasswordReset", { status: Type.Literal("password_reset") });

const PURPOSE = "reset_password";
const PASSWORD_RESET = "password_reset";

interface ResetPassword {
  /** The token from the URL in the email. */
  readonly token: string;
  readonly password: string;
  /** Whether to keep the API keys. Only used if the account's ownership is not confirmed. */
  readonly keepKeys: boolean;
  /** Whether to revoke the API keys. Only used if the account's ownership is confirmed. */
  readonly revokeKeys: boolean;
  readonly client: ClientInfo;
}

/**
 * Sets a new password using an emailed token. Invalidates the account's other reset tokens, and ends all sessions and
 * all logins that are waiting for a second factor. Throws `invalid_token` if the token is unknown, used or expired.
 *
 * If the account's ownership is confirmed, its second factor is kept, and its API keys are revoked only if `revokeKeys`
 * is true.
 *
 * If the ownership is not confirmed, the account may have been created by a different user. Its other credentials and
 * its profile are then deleted, and its API keys are revoked unless `keepKeys` is true. Afterwards the ownership is
 * confirmed and the address verified (docs/rules/accounts.md).
 */
export async function resetPassword(
  app: KeyChangeAccess & Pick<App, "passwords">,
  { token, password, keepKeys, revokeKeys, client }: ResetPassword,
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  // The token is checked before the password is hashed, so that requests with a used token cannot cause expensive
  // hashing.
  const tenantId = await getEmailTokenOwner(app.db, { tokenHash, purpose: PURPOSE, at });
  const hash = await app.passwords.hash(password);
  await changeKeys(app, developerActor({ tenantId }, client), async (change) => {
    const { tx, actor } = change;
    const developer = await useToken(tx, { tokenHash, tenantId, at });
    const isProven = developer.provenAt !== null;
    // Before the sessions are ended (`lockPasswordHash`).
    await passwordRows.put(tx, { tenantId, hash, updatedAt: at });
    const ended = isProven
      ? await endLogins(change, { revokeKeys })
      : await withdrawAccess(change, { reason: PASSWORD_RESET, keepKeys, keepWebhooks: false });
    if (!isProven) await resetUnprovenAccount(change, developer, { keepKeys });
    await recordAccountChange(tx, actor, {
      action: "developer.password_reset",
      facts: { ...ended, was_proven: isProven },
      at,
    });
    const facts = { revoked_keys: String(ended.keys) };
    const to = developer.email;
    await enqueueNoticeEmail(tx, { tenantId, template: "password_changed", to, facts, at });
  });
}

/**
 * Marks the token as used and returns its developer. `changeKeys` has already locked the account, so concurrent resets
 * of the same account cannot deadlock.
 */
async function useToken(
  tx: Tx,
  { tokenHash, tenantId, at }: { readonly tokenHash: string; readonly tenantId: TenantId; readonly at: Date },
): Promise<Developer> {
  const developer = await getDeveloper(tx, tenantId);
  const used = await useEmailToken(tx, { tokenHash, tenantId, purpose: PURPOSE, at });
  if (used === undefined || used.email !== developer.email) {
    throw invalidToken("the token was used, has expired, or belongs to a previous address");
  }
  if (isInactive(developer.status)) throw invalidToken(`${tenantId} is ${developer.status}`);
  return developer;
}

async function endLogins(
  change: KeyChange,
  { revokeKeys }: Pick<ResetPassword, "revokeKeys">,
): Promise<{ readonly sessions: number; readonly keys: number }> {
  const { tx, actor, at } = change;
  const { tenantId } = actor;
  await endChallenges(tx, tenantId, at);
  const sessions = await endSessions(tx, { tenantId, at, reason: PASSWORD_RESET });
  await endEmailTokens(tx, { tenantId, purpose: PURPOSE, at });
  const keys = revokeKeys ? await withdrawAccountKeys(change, { reason: PASSWORD_RESET }) : 0;
  return { sessions, keys };
}

/**
 * Clears the profile and KYB status of an account whose ownership was not confirmed. Marks its ownership as confirmed
 * and its address as verified.
 */
async function resetUnprovenAccount(
  { tx, actor, at }: KeyChange,
  developer: Developer,
  { keepKeys }: Pick<ResetPassword, "keepKeys">,
): Promise<void> {
  const { tenantId, emailVerifiedAt } = developer;
  await resetKyb(tx, tenantId, at);
  await developerRows.updateAndGet(
    tx,
    { tenantId },
    {
      ...EMPTY_PROFILE,
      ...(keepKeys ? {} : { registeredAt: null }),
      status: "active",
      emailVerifiedAt: emailVerifiedAt ?? at,
      provenAt: at,
      updatedAt: at,
    },
  );
  if (emailVerifiedAt === null) await recordVerification(tx, actor, { developer, occurredAt: at });
}
