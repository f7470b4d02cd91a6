import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorEvent, VerifiedWebhook } from "../../ports/vendor-webhooks.ts";

/**
 * Verifies a vendor's webhook by the vendor's own scheme. Throws `not_found` if the vendor in the path sends no webhooks,
 * `authentication_failed` if the webhook is not from the vendor, and `provider_unavailable` if the vendor does not say which
 * keys are its own.
 */
export async function verifyVendorWebhook(
  { vendorWebhooks, clock }: Pick<App, "vendorWebhooks" | "clock">,
  { params, rawBody, headers }: FastifyRequest,
): Promise<VendorEvent | null> {
  const { vendor } = params as { readonly vendor: string };
  const webhooks = vendorWebhooks.get(vendor);
  if (webhooks === undefined) throw new AppError("not_found");
  let verified: VerifiedWebhook | undefined;
  try {
    verified = await webhooks.verify({ rawBody, headers, receivedAt: clock.now() });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    throw new AppError("provider_unavailable", { internal: error.message, cause: error });
  }
  if (verified === undefined) throw authenticationFailed(`invalid webhook from ${vendor}`);
  return verified.event;
}
