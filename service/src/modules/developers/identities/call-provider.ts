import type { App } from "../../../app.ts";
import { AppError, authenticationFailed } from "../../../foundation/errors.ts";
import { VendorError } from "../../../ports/vendor-error.ts";

/** Error codes by which a provider refuses this installation's app, whatever the user's code is. */
const CONFIGURATION_ERRORS: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials",
  "redirect_uri_mismatch",
  "application_suspended",
]);

/**
 * Calls an identity provider. Throws `authentication_failed` if it refuses the user's code or token, and
 * `provider_unavailable` if it cannot be reached or refuses this installation's app.
 */
export async function callProvider<Answer>(
  { log }: Pick<App, "log">,
  call: Promise<Answer>,
): Promise<Answer> {
  try {
    return await call;
  } catch (thrown) {
    if (!(thrown instanceof VendorError)) throw thrown;
    const { vendor, operation, vendorCode = "", failure } = thrown;
    if (CONFIGURATION_ERRORS.has(vendorCode)) {
      log.error(
        { vendor, operation, vendorCode },
        "identity provider rejected the OAuth app: check its status, client id, secret and redirect URI",
      );
    } else if (failure === "refused" || failure === "unauthorized" || failure === "not_found") {
      throw authenticationFailed(thrown.message);
    }
    throw new AppError("provider_unavailable", { internal: thrown.message, cause: thrown });
  }
}
