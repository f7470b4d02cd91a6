import type { App } from "../../app.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { AppError } from "../../foundation/errors.ts";
import { countLogin } from "./login-limits.ts";
import { asOperators } from "./operators.ts";
import { deleteOldChallenges, findAdminByEmail, insertChallenge } from "./queries.ts";

/** How long the second step may take. */
export const CHALLENGE_SECONDS = 300;
/** Longer than the guesses of `finishAdminLogin` are counted over. */
const CHALLENGES_KEPT_MS = 2 * 3_600_000;

export interface LogInAdmin {
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  readonly client: ClientInfo;
}

/**
 * The first step of an admin's login: address and password, for a token that waits for the code. An unknown address, a
 * wrong password and an admin who was disabled are the same `authentication_failed`, after the same work. After five
 * logins that were not finished, `rate_limited` for this address from this network.
 */
export async function logInAdmin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "passwords">,
  { email, password, client }: LogInAdmin,
): Promise<{ readonly mfaToken: string }> {
  await countLogin(app, { email, network: client.network });
  const found = await asOperators(app.db, (tx) => findAdminByEmail(tx, email));
  const admin = found?.disabledAt === null ? found : undefined;
  const isRight =
    admin === undefined
      ? await app.passwords.verifyNothing(password)
      : await app.passwords.verify(admin.passwordHash, password);
  if (admin === undefined || !isRight) {
    throw new AppError("authentication_failed", { internal: "no such admin or wrong password" });
  }

  const at = app.clock.now();
  const { adminId } = admin;
  const { token: mfaToken, tokenHash } = newSecretToken();
  await asOperators(app.db, async (tx) => {
    await deleteOldChallenges(tx, { adminId, before: new Date(at.getTime() - CHALLENGES_KEPT_MS) });
    const expiresAt = new Date(at.getTime() + CHALLENGE_SECONDS * 1000);
    await insertChallenge(tx, { tokenHash, adminId, expiresAt, createdAt: at });
  });
  return { mfaToken };
}
