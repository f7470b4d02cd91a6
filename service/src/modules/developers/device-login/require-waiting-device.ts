import type { App } from "../../../app.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { countCall } from "../count-call.ts";
import { hashUserCode } from "./codes.ts";
import { type DeviceLogin, findWaitingDeviceLogin } from "./queries.ts";

/** User codes are short: an account that looks for them finds none. */
const WRONG_CODES = { limit: 5, windowMs: 900_000 };

/**
 * The device that waits under a user code. A code that is unknown, decided or over is refused at `/body/user_code`; after
 * five of them in a quarter of an hour the account is `rate_limited`.
 */
export async function requireWaitingDevice(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { tenantId, userCode }: { readonly tenantId: TenantId; readonly userCode: string },
): Promise<DeviceLogin> {
  const guesses = `user-code:${tenantId}`;
  // Each attempt counts before it is made, so that many at once get no further than one after another.
  const attempt = await countCall(app, guesses, WRONG_CODES);
  if (!attempt.allowed) {
    const retryAfterSeconds = Math.ceil(attempt.retryAfterMs / 1000);
    throw new AppError("rate_limited", { retryAfterSeconds });
  }
  const waiting = await findWaitingDeviceLogin(app.db, {
    userCodeHash: hashUserCode(userCode),
    at: app.clock.now(),
  });
  if (waiting === undefined) throw unknownUserCode();
  // A count that cannot be forgotten costs its owner a quarter of an hour later, and nothing now.
  await app.fastState.forgetWindow({ key: guesses }).catch(() => {});
  return waiting;
}

export function unknownUserCode(): AppError {
  return invalidField("/body/user_code", "unknown", "is unknown, was used, or is over");
}
