import type { App } from "../../../app.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { type AppError, invalidField } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { hashUserCode } from "./codes.ts";
import { type DeviceLogin, findPendingDeviceLogin } from "./queries.ts";

/** User codes are short, so an account can try only a few wrong ones. */
const WRONG_CODES = { limit: 5, windowMs: 900_000 };
/**
 * Correct codes are counted too: otherwise an account could reset the count of wrong codes with a code of its own
 * device.
 */
const CODES = { limit: 30, windowMs: 900_000 };

/**
 * Returns the device that waits with this user code. Throws `validation_error` at `/body/user_code` for a code that is
 * unknown, decided or expired. Throws `rate_limited` after five such codes, or 30 codes of any kind, of one account
 * within 15 minutes.
 */
export async function requirePendingDevice(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { tenantId, userCode }: { readonly tenantId: TenantId; readonly userCode: string },
): Promise<DeviceLogin> {
  const guesses = `user-code:${tenantId}`;
  // The attempt is counted before it is checked, so that concurrent attempts cannot exceed the limit.
  enforceCallLimit(await countCall(app, guesses, WRONG_CODES));
  enforceCallLimit(await countCall(app, `user-codes:${tenantId}`, CODES));
  const waiting = await findPendingDeviceLogin(app.db, {
    userCodeHash: hashUserCode(userCode),
    at: app.clock.now(),
  });
  if (waiting === undefined) throw unknownUserCode();
  // If the fast state cannot delete the count, the owner may be limited later. The call does not fail.
  await deleteCallCounts(app, guesses);
  return waiting;
}

export function unknownUserCode(): AppError {
  return invalidField(
    "/body/user_code",
    "unknown",
    "is unknown, used or expired. Start the device's login again to get a new code.",
  );
}
