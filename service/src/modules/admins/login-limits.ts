import type { App } from "../../app.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../call-limits/count-call.ts";
import { sha256Hex } from "../../crypto/signing.ts";

/**
 * Limit on logins that were started but not completed. They are counted per email address and network, so an attacker
 * cannot lock out an admin who logs in from another network.
 */
const LOGINS = { limit: 5, windowMs: 900_000 };

interface LoginAttempt {
  /** In lowercase. */
  readonly email: string;
  readonly network: string;
}

/**
 * Counts a login attempt. Called before the password is checked, so that concurrent attempts cannot exceed the limit.
 * Throws `rate_limited` when the limit is exceeded.
 */
export async function countLogin(
  app: Pick<App, "fastState" | "clock" | "settings">,
  attempt: LoginAttempt,
): Promise<void> {
  enforceCallLimit(await countCall(app, windowOf(attempt), LOGINS), "too many admin logins");
}

/** Resets the count of login attempts after a successful login. */
export function deleteLoginFailures(app: Pick<App, "fastState">, attempt: LoginAttempt): Promise<void> {
  return deleteCallCounts(app, windowOf(attempt));
}

function windowOf({ email, network }: LoginAttempt): string {
  return `admin-login:${sha256Hex(`${email} ${network}`)}`;
}
