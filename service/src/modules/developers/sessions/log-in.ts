import type { App } from "../../../app.ts";
import { countCall, deleteCallCounts } from "../../../call-limits/count-call.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { findPasswordHash, findTenantByEmail } from "../queries.ts";
import { requireCaptcha } from "../require-captcha.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { beginSession, type MfaPending } from "./begin-session.ts";
import { LOGIN_FAILURES, loginFailuresKey } from "./login-failures.ts";
import type { SessionGrant } from "./open-session.ts";

export interface LogIn {
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  readonly captchaToken: string | undefined;
  /** A code of the second factor, to log in with one call. */
  readonly code: string | undefined;
  /** The token of the verification URL that the browser has followed. */
  readonly verificationToken: string | undefined;
  readonly client: ClientInfo;
}

/**
 * Starts a session for an address and its password, or returns a challenge if the account has a second factor. Throws
 * the same `authentication_failed`, after the same work, for a wrong password or code, an unknown address, and an
 * account that is suspended or closed. No account is ever locked: after five failures a captcha is required.
 */
export async function logIn(
  app: Pick<
    App,
    | "db"
    | "clock"
    | "settings"
    | "fastState"
    | "captcha"
    | "passwords"
    | "accessTokens"
    | "keyEncryptionKey"
    | "vaults"
  >,
  { email, password, captchaToken, code, verificationToken, client }: LogIn,
): Promise<SessionGrant | MfaPending> {
  const failures = loginFailuresKey({ email, network: client.network });
  // The attempt is counted before it is checked, so that concurrent attempts cannot exceed the limit. Success deletes
  // the count.
  const attempt = await countCall(app, failures, LOGIN_FAILURES);
  if (!attempt.allowed) await requireCaptcha(app, captchaToken);

  // Runs the same queries for an unknown address, so that the response time does not differ.
  const tenantId = (await findTenantByEmail(app.db, email)) ?? UNKNOWN_TENANT;
  const hash = await withTransaction(app.db, tenantId, (tx) => findPasswordHash(tx, tenantId));
  const isRight =
    hash === undefined
      ? await app.passwords.verifyDecoy(password)
      : await app.passwords.verify(hash, password);
  if (hash === undefined || !isRight) {
    throw new AppError("authentication_failed", { internal: "unknown address or wrong password" });
  }
  const result = await beginSession(app, {
    tenantId,
    client,
    method: "password",
    passwordHash: hash,
    code,
    verificationToken,
  });
  // If the fast state cannot delete the count, a later login needs a captcha. This login does not fail.
  await deleteCallCounts(app, failures);
  return result;
}
