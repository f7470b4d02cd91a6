import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import {
  endEmailTokens,
  findEmailTokenOwner,
  useEmailToken,
} from "../email-verification/queries.ts";
import { EMPTY_PROFILE } from "../empty-profile.ts";
import { changeKeys, type KeyChange, type KeyChangeAccess } from "../keys/change-keys.ts";
import { withdrawAccountKeys } from "../keys/withdraw-account-keys.ts";
import { supersedePending } from "../kyb/queries.ts";
import { mailNotice } from "../mail-notice.ts";
import { type Developer, getDeveloper, putPasswordHash, updateDeveloper } from "../queries.ts";
import { recordVerification } from "../record-verification.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/queries.ts";
import { withdrawAccess } from "../withdraw-access.ts";

const PURPOSE = "reset_password";
/** Why sessions and keys end. */
const PASSWORD_RESET = "password_reset";

export interface ResetPassword {
  /** Of the mailed link. */
  readonly token: string;
  readonly password: string;
  /** Of an account that is not proven: its keys stay. */
  readonly keepKeys: boolean;
  /** Of an account that is proven: its keys end. */
  readonly revokeKeys: boolean;
  readonly client: ClientInfo;
}

/**
 * Sets a new password by a mailed token, which is used up with every other one of the account, and ends every session and
 * every login that waits for a second factor. Throws `invalid_token` for a token that is unknown, used or expired.
 *
 * Keys and second factor of a proven account stay, unless `revokeKeys`. An account that is not proven may have been made by
 * another person than the owner of the address: every way into it and its profile are withdrawn, keys unless `keepKeys`.
 * The account is proven from then on, and its address verified.
 */
export async function resetPassword(
  app: KeyChangeAccess & Pick<App, "passwords">,
  { token, password, keepKeys, revokeKeys, client }: ResetPassword,
): Promise<void> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  // Before the work of a hash, which nobody gets for a token that was used: it would be theirs to ask for without an end.
  const tenantId = await findEmailTokenOwner(app.db, { tokenHash, purpose: PURPOSE, at });
  if (tenantId === undefined) throw refusal("unknown, used or expired token");
  const hash = await app.passwords.hash(password);
  await changeKeys(app, developerActor({ tenantId }, client), async (change) => {
    const { tx, actor } = change;
    const developer = await useToken(tx, { tokenHash, tenantId, at });
    const isProven = developer.provenAt !== null;
    // The password first: a login in progress holds the old one, and its session is ended below.
    await putPasswordHash(tx, { tenantId, hash, updatedAt: at });
    const ended = isProven
      ? await endLogins(change, { revokeKeys })
      : await withdrawAccess(change, { reason: PASSWORD_RESET, keepKeys });
    if (!isProven) await startAnew(change, developer, { keepKeys });
    await appendAuditEntry(tx, actor, {
      action: "developer.password_reset",
      subject: { type: "developer", id: tenantId },
      facts: { ...ended, was_proven: isProven },
      occurredAt: at,
    });
    const facts = { revoked_keys: String(ended.keys) };
    const to = developer.email;
    await mailNotice(tx, { tenantId, template: "password_changed", to, facts, at });
  });
}

/** The developer whose token it is. The account is locked before the token, so that two tokens of one do not wait for each other. */
async function useToken(
  tx: Tx,
  {
    tokenHash,
    tenantId,
    at,
  }: { readonly tokenHash: string; readonly tenantId: TenantId; readonly at: Date },
): Promise<Developer> {
  const developer = await getDeveloper(tx, tenantId);
  const used = await useEmailToken(tx, { tokenHash, tenantId, purpose: PURPOSE, at });
  if (used === undefined || used.email !== developer.email) {
    throw refusal("used or expired token, or a former address");
  }
  if (developer.status === "suspended" || developer.status === "closed") {
    throw refusal(`${tenantId} is ${developer.status}`);
  }
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

/** Makes the account that of the person who has shown the mailbox, with nothing of an earlier holder's profile. */
async function startAnew(
  { tx, actor, at }: KeyChange,
  developer: Developer,
  { keepKeys }: Pick<ResetPassword, "keepKeys">,
): Promise<void> {
  const { tenantId, emailVerifiedAt } = developer;
  await supersedePending(tx, { tenantId, at });
  await updateDeveloper(tx, tenantId, {
    ...EMPTY_PROFILE,
    ...(keepKeys ? {} : { registeredAt: null }),
    status: "active",
    emailVerifiedAt: emailVerifiedAt ?? at,
    provenAt: at,
    updatedAt: at,
  });
  if (emailVerifiedAt === null) await recordVerification(tx, actor, { developer, occurredAt: at });
}

function refusal(internal: string): AppError {
  return new AppError("invalid_token", { internal });
}
