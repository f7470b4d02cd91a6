import type { App } from "../../../app.ts";
import { countCall, deleteCallCounts } from "../../../call-limits/count-call.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { requireCaptcha } from "../captcha.ts";
import { UNKNOWN_TENANT } from "../developers.ts";
import { verifyEmail } from "../email-verification/email-verification.ts";
import { findTenantByEmail, getDeveloper, passwordRows } from "../queries.ts";
import { LOGIN_FAILURES, loginFailuresKey } from "./require-recent-login.ts";
import { type MfaPending, type SessionGrant, startSession } from "./start-session.ts";

export interface LogIn {
  /** In lowercase. */
  readonly email: string;
  readonly password: string;
  readonly captchaToken: string | undefined;
  /** A second-factor code, if the client sends it together with the password. */
  readonly code: string | undefined;
  /**
   * The token from the email verification URL, if this browser opened the URL. The login can then confirm the account's
   * ownership.
   */
  readonly verificationToken: string | undefined;
  /** The token from the email verification URL, if the login also verifies the address. */
  readonly verifyToken?: string | undefined;
  readonly client: ClientInfo;
}

/**
 * Logs in with an email address and password. Starts a session, or returns a challenge if the account has a second
 * factor and the request contains no code. Throws the same `authentication_failed`, after the same amount of work, for
 * an unknown address, a wrong password or code, and an account that is suspended or closed. Failures never lock an
 * account; after five of them a captcha is required.
 *
 * With `verifyToken`, also verifies the address after a correct password. Throws `invalid_token` if the token cannot do
 * so and the address is not verified yet.
 */
export async function logIn(
  app: Pick<
    App,
    "db" | "clock" | "settings" | "fastState" | "captcha" | "passwords" | "accessTokens" | "keyEncryptionKey" | "vaults"
  >,
  { email, password, captchaToken, code, verificationToken, verifyToken, client }: LogIn,
): Promise<SessionGrant | MfaPending> {
  const failures = loginFailuresKey({ email, network: client.network });
  // The attempt is counted before the password is checked, so that concurrent attempts cannot exceed the limit. A
  // successful login deletes the count.
  const attempt = await countCall(app, failures, LOGIN_FAILURES);
  if (!attempt.allowed) await requireCaptcha(app, captchaToken);

  // For an unknown address, the same queries run with a tenant that has no rows. The response time then does not reveal
  // whether an account exists.
  const tenantId = (await findTenantByEmail(app.db, email)) ?? UNKNOWN_TENANT;
  const stored = await withTransaction(app.db, tenantId, (tx) => passwordRows.find(tx, { tenantId }));
  const hash = stored?.hash;
  const isRight =
    hash === undefined ? await app.passwords.verifyDecoy(password) : await app.passwords.verify(hash, password);
  if (hash === undefined || !isRight) {
    throw new AppError("authentication_failed", { internal: "unknown address or wrong password" });
  }
  if (verifyToken !== undefined) {
    await verifyBeforeLogin(app, { tenantId, token: verifyToken, passwordHash: hash, client });
  }
  const result = await startSession(app, {
    tenantId,
    client,
    method: "password",
    passwordHash: hash,
    code,
    verificationToken: verifyToken ?? verificationToken,
  });
  // If the count cannot be deleted, this login still succeeds. A later login may then need a captcha.
  await deleteCallCounts(app, failures);
  return result;
}

/** Verifies the address. Ignores an invalid token if the address is verified already, for example by the same token. */
async function verifyBeforeLogin(
  app: Pick<App, "db" | "clock">,
  { tenantId, ...command }: { readonly tenantId: TenantId } & Parameters<typeof verifyEmail>[1],
): Promise<void> {
  try {
    await verifyEmail(app, command);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== "invalid_token") throw thrown;
    const { emailVerifiedAt } = await getDeveloper(app.db, tenantId);
    if (emailVerifiedAt === null) throw thrown;
  }
}
