import type { App } from "../../app.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { AppError } from "../../foundation/errors.ts";
import { countLogin } from "./login-limits.ts";
import { withOperatorTransaction } from "./operators.ts";
import { deleteOldChallenges, findAdminByEmail, insertChallenge } from "./queries.ts";

/** The lifetime of the token for the second login step. */
export const CHALLENGE_SECONDS = 300;
/**
 * How long challenges are stored. Wrong codes are counted from the stored challenges, so this must be longer than
 * `WRONG_CODES_WINDOW_MS` in `finish-admin-login.ts`.
 */
const CHALLENGE_RETENTION_MS = 2 * 3_600_000;

export interface LogInAdmin {
  /** In lowercase. */
  readonly email: string;
  readonly password: string;
  readonly client: ClientInfo;
}

/**
 * The first step of an admin login: exchanges an email address and password for the token of the second step. Throws
 * the same `authentication_failed`, after the same amount of work, for an unknown address, a wrong password and a
 * disabled admin. Throws `rate_limited` after five incomplete logins for an address from one network within 15 minutes.
 */
export async function logInAdmin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "passwords">,
  { email, password, client }: LogInAdmin,
): Promise<{ readonly mfaToken: string }> {
  await countLogin(app, { email, network: client.network });
  const found = await withOperatorTransaction(app.db, (tx) => findAdminByEmail(tx, email));
  const admin = found?.disabledAt === null ? found : undefined;
  const isRight =
    admin === undefined
      ? await app.passwords.verifyDecoy(password)
      : await app.passwords.verify(admin.passwordHash, password);
  if (admin === undefined || !isRight) {
    throw new AppError("authentication_failed", { internal: "unknown admin or wrong password" });
  }

  const at = app.clock.now();
  const { adminId } = admin;
  const { token: mfaToken, tokenHash } = newSecretToken();
  await withOperatorTransaction(app.db, async (tx) => {
    await deleteOldChallenges(tx, {
      adminId,
      before: new Date(at.getTime() - CHALLENGE_RETENTION_MS),
    });
    const expiresAt = new Date(at.getTime() + CHALLENGE_SECONDS * 1000);
    await insertChallenge(tx, { tokenHash, adminId, expiresAt, createdAt: at });
  });
  return { mfaToken };
}
