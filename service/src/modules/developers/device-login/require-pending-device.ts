import type { App } from "../../../app.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { type AppError, invalidField } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { hashUserCode } from "./codes.ts";
import { type DeviceLogin, findPendingDeviceLogin } from "./queries.ts";

/** User codes are short: an account that looks for them finds none. */
const WRONG_CODES = { limit: 5, windowMs: 900_000 };
/** Right ones included: who has a code of their own could else forget the wrong ones by it, again and again. */
const CODES = { limit: 30, windowMs: 900_000 };

/**
 * The device that waits under a user code. A code that is unknown, decided or over is refused at `/body/user_code`; after
 * five of them in a quarter of an hour, or thirty codes of whatever kind, the account is `rate_limited`.
 */
export async function requirePendingDevice(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { tenantId, userCode }: { readonly tenantId: TenantId; readonly userCode: string },
): Promise<DeviceLogin> {
  const guesses = `user-code:${tenantId}`;
  // Each attempt counts before it is made, so that many at once get no further than one after another.
  enforceCallLimit(await countCall(app, guesses, WRONG_CODES));
  enforceCallLimit(await countCall(app, `user-codes:${tenantId}`, CODES));
  const waiting = await findPendingDeviceLogin(app.db, {
    userCodeHash: hashUserCode(userCode),
    at: app.clock.now(),
  });
  if (waiting === undefined) throw unknownUserCode();
  // A count that cannot be forgotten costs its owner a quarter of an hour later, and nothing now.
  await deleteCallCounts(app, guesses);
  return waiting;
}

export function unknownUserCode(): AppError {
  return invalidField("/body/user_code", "unknown", "is unknown, was used, or is over");
}
