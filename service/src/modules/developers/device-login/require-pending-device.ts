import type { App } from "../../../app.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { type AppError, invalidField } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { hashUserCode } from "./codes.ts";
import { type DeviceLogin, findPendingDeviceLogin } from "./queries.ts";

/** Limit on wrong user codes per account. User codes are short, so without a limit an attacker could guess one. */
const WRONG_CODES = { limit: 5, windowMs: 900_000 };
/**
 * Limit on all codes, correct or wrong. It is needed because a correct code resets the count of wrong codes. Otherwise,
 * an attacker could enter the codes of their own devices between guesses and guess without limit.
 */
const CODES = { limit: 30, windowMs: 900_000 };

/**
 * Returns the pending device login with this user code. Throws `validation_error` for `/body/user_code` if the code is
 * unknown, expired or already decided. Throws `rate_limited` after an account has entered five wrong codes in a row, or
 * 30 codes in total, within 15 minutes.
 */
export async function requirePendingDevice(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { tenantId, userCode }: { readonly tenantId: TenantId; readonly userCode: string },
): Promise<DeviceLogin> {
  const guesses = `user-code:${tenantId}`;
  // The attempt is counted before the code is checked, so that concurrent attempts cannot exceed the limit.
  enforceCallLimit(await countCall(app, guesses, WRONG_CODES));
  enforceCallLimit(await countCall(app, `user-codes:${tenantId}`, CODES));
  const waiting = await findPendingDeviceLogin(app.db, {
    userCodeHash: hashUserCode(userCode),
    at: app.clock.now(),
  });
  if (waiting === undefined) throw unknownUserCode();
  // If the count cannot be deleted, this call still succeeds. The account then reaches its limit sooner.
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
