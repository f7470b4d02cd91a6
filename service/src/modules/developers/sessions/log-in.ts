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
  /** A code of the second factor, by which a login is done in one call. */
  readonly code: string | undefined;
  /** The token of the verification link that the browser has followed. */
  readonly verificationToken: string | undefined;
  readonly client: ClientInfo;
}

/**
 * Begins a session for an address and its password, or asks for the second factor of an account that has one. A wrong
 * password or code, an unknown address and an account that is shut are the same `authentication_failed`, after the same work. Nobody is ever locked out: after five failures a captcha is asked for.
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
  // Each attempt counts before it is made, so that many at once get no further than one after another; success forgets them.
  const attempt = await countCall(app, failures, LOGIN_FAILURES);
  if (!attempt.allowed) await requireCaptcha(app, captchaToken);

  // The database does the same for an address that nobody has.
  const tenantId = (await findTenantByEmail(app.db, email)) ?? UNKNOWN_TENANT;
  const hash = await withTransaction(app.db, tenantId, (tx) => findPasswordHash(tx, tenantId));
  const isRight =
    hash === undefined
      ? await app.passwords.verifyNothing(password)
      : await app.passwords.verify(hash, password);
  if (hash === undefined || !isRight) {
    throw new AppError("authentication_failed", { internal: "unknown address or wrong password" });
  }
  const begun = await beginSession(app, {
    tenantId,
    client,
    method: "password",
    passwordHash: hash,
    code,
    verificationToken,
  });
  // A count that cannot be forgotten costs a captcha later, which is no reason to refuse the right password.
  await deleteCallCounts(app, failures);
  return begun;
}
