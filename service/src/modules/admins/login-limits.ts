import type { App } from "../../app.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../call-limits/count-call.ts";
import { sha256Hex } from "../../crypto/signing.ts";

/** How many logins an address may begin from one network without finishing one. From elsewhere it may go on. */
const LOGINS = { limit: 5, windowMs: 900_000 };

interface Begun {
  /** Lower case. */
  readonly email: string;
  readonly network: string;
}

/** Counts a login before it is tried, so that many at once get no further than one after another. Throws `rate_limited`. */
export async function countLogin(
  app: Pick<App, "fastState" | "clock" | "settings">,
  begun: Begun,
): Promise<void> {
  enforceCallLimit(await countCall(app, windowOf(begun), LOGINS), "too many admin logins");
}

/** Forgets what was counted, once an admin is logged in. */
export function deleteLoginFailures(app: Pick<App, "fastState">, begun: Begun): Promise<void> {
  return deleteCallCounts(app, windowOf(begun));
}

function windowOf({ email, network }: Begun): string {
  return `admin-login:${sha256Hex(`${email} ${network}`)}`;
}
