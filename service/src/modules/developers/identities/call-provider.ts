import type { App } from "../../../app.ts";
import { AppError, authenticationFailed } from "../../../foundation/errors.ts";
import { VendorError } from "../../../ports/vendor-error.ts";

/** Error codes that mean the provider rejected this installation's OAuth client, not the user's code or token. */
const CONFIGURATION_ERRORS: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials",
  "redirect_uri_mismatch",
  "application_suspended",
]);

/**
 * Waits for a call to an identity provider and converts its errors. Throws `authentication_failed` if the provider
 * rejected the user's code or token, and `provider_unavailable` if it could not be reached or rejected this
 * installation's OAuth client.
 */
export async function callProvider<Answer>({ log }: Pick<App, "log">, call: Promise<Answer>): Promise<Answer> {
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
