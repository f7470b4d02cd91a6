import type { App } from "../../app.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { askStore } from "../../foundation/deadline.ts";
import { AppError } from "../../foundation/errors.ts";

/** How many logins an address may begin from one network without finishing one. From elsewhere it may go on. */
const LOGINS = { limit: 5, windowMs: 900_000 };

interface Begun {
  /** Lower case. */
  readonly email: string;
  readonly network: string;
}

/** Counts a login before it is tried, so that many at once get no further than one after another. Throws `rate_limited`. */
export async function countLogin(
  { fastState, clock, settings }: Pick<App, "fastState" | "clock" | "settings">,
  begun: Begun,
): Promise<void> {
  const nowMs = clock.now().getTime();
  const { allowed, retryAfterMs } = await askStore(
    fastState.countInWindow({ key: windowOf(begun), ...LOGINS, nowMs }),
    settings.storeTimeoutMs,
    "counting an admin's logins",
  );
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw new AppError("rate_limited", { retryAfterSeconds, internal: "too many admin logins" });
}

/** Forgets what was counted, once somebody has got in. What cannot be forgotten runs out by itself. */
export async function forgetLogins({ fastState }: Pick<App, "fastState">, begun: Begun) {
  await fastState.forgetWindow({ key: windowOf(begun) }).catch(() => {});
}

function windowOf({ email, network }: Begun): string {
  return `admin-login:${sha256Hex(`${email} ${network}`)}`;
}
