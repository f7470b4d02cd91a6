import type { App } from "../../../app.ts";
import { AppError, authenticationFailed } from "../../../foundation/errors.ts";
import { VendorError } from "../../../ports/vendor-error.ts";

/** The provider refuses our own app, and would refuse it whatever code came with it. */
const OPERATOR_FAULTS: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials",
  "redirect_uri_mismatch",
  "application_suspended",
]);

/**
 * Asks a provider whose code or token this is. One that it does not take is `authentication_failed`; where it cannot be
 * asked, or has something against us, `provider_unavailable`, so that nobody is told that they are somebody else.
 */
export async function callProvider<Answer>(
  { log }: Pick<App, "log">,
  question: Promise<Answer>,
): Promise<Answer> {
  try {
    return await question;
  } catch (thrown) {
    if (!(thrown instanceof VendorError)) throw thrown;
    const { vendor, operation, vendorCode = "", failure } = thrown;
    if (OPERATOR_FAULTS.has(vendorCode)) {
      log.error({ vendor, operation, vendorCode }, "an identity provider refuses this service");
    } else if (failure === "refused" || failure === "unauthorized" || failure === "not_found") {
      throw authenticationFailed(thrown.message);
    }
    throw new AppError("provider_unavailable", { internal: thrown.message, cause: thrown });
  }
}
