import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault } from "../../../vault/vault.ts";
import { getDeveloper, passwordRows } from "../queries.ts";
import { countSecondFactorAttempt, hasSecondFactor, useSecondFactor } from "../second-factor/use-second-factor.ts";

/** Limit on failed logins per email address and network. Above it, a captcha is required. */
export const LOGIN_FAILURES = { limit: 5, windowMs: 900_000 };

export function loginFailuresKey({ email, network }: { readonly email: string; readonly network: string }): string {
  return `login:${sha256Hex(`${email} ${network}`)}`;
}

const RECENT_MS = 900_000;

/** Evidence that the developer is the one using the session: a recent login, the password or a TOTP code. */
export interface LoginProof {
  /** When the session started. Refreshing its tokens does not change this time. */
  readonly loggedInAt: Date;
  readonly password: string | undefined;
  readonly totpCode: string | undefined;
  /** Called if the password or code is wrong. */
  readonly onWrong: () => void;
}

export type RecentLoginAccess = Pick<
  App,
  "db" | "clock" | "settings" | "fastState" | "passwords" | "keyEncryptionKey" | "vaults"
>;

function isRecentLogin({ clock }: Pick<App, "clock">, loggedInAt: Date): boolean {
  return clock.now().getTime() - loggedInAt.getTime() <= RECENT_MS;
}

/**
 * Succeeds if the login was within the last 15 minutes, or if the password or code is correct. Otherwise throws
 * `reauthentication_required`.
 *
 * A wrong password or code counts as a failed login for the account from this network. Throws `rate_limited` after too
 * many failed logins. The developer can then still log in again by solving a captcha.
 */
export async function requireRecentLogin(
  app: RecentLoginAccess,
  { tenantId, actor }: Actor,
  { loggedInAt, password, totpCode, onWrong }: LoginProof,
): Promise<void> {
  if (isRecentLogin(app, loggedInAt)) return;
  if (password === undefined && totpCode === undefined) {
    throw new AppError("reauthentication_required");
  }
  const { email } = await getDeveloper(app.db, tenantId);
  const failures = loginFailuresKey({ email, network: actor.ip ?? "" });
  enforceCallLimit(await countCall(app, failures, LOGIN_FAILURES));
  const isRight =
    password === undefined
      ? await isRightCode(app, tenantId, totpCode ?? "")
      : await isRightPassword(app, tenantId, password);
  if (!isRight) {
    onWrong();
    throw new AppError("reauthentication_required", {
      detail: "The password or code is wrong. Send the correct one, or log in again.",
    });
  }
  await deleteCallCounts(app, failures);
}

async function isRightPassword(app: RecentLoginAccess, tenantId: TenantId, password: string): Promise<boolean> {
  const stored = await withTransaction(app.db, tenantId, (tx) => passwordRows.find(tx, { tenantId }));
  const hash = stored?.hash;
  return hash === undefined ? app.passwords.verifyDecoy(password) : app.passwords.verify(hash, password);
}

async function isRightCode(app: RecentLoginAccess, tenantId: TenantId, code: string): Promise<boolean> {
  if (!(await hasSecondFactor(app, tenantId))) return false;
  enforceCallLimit(await countSecondFactorAttempt(app, { tenantId, code }));
  const vault = await openVault(app, tenantId);
  const at = app.clock.now();
  const factor = await withTransaction(app.db, tenantId, (tx) => useSecondFactor(tx, vault, { tenantId, code, at }));
  return factor !== undefined;
}
