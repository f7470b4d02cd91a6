import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import type { VendorEvent } from "../../ports/vendor-webhooks.ts";

/**
 * Verifies a vendor's webhook by the vendor's own scheme. Throws `not_found` if the vendor in the path sends no webhooks,
 * and `authentication_failed` if the webhook is not from the vendor.
 */
export async function verifyVendorWebhook(
  { vendorWebhooks, clock }: Pick<App, "vendorWebhooks" | "clock">,
  { params, rawBody, headers }: FastifyRequest,
): Promise<VendorEvent | null> {
  const { vendor } = params as { readonly vendor: string };
  const webhooks = vendorWebhooks.get(vendor);
  if (webhooks === undefined) throw new AppError("not_found");
  const verified = await webhooks.verify({ rawBody, headers, receivedAt: clock.now() });
  if (verified === undefined) throw authenticationFailed(`invalid webhook from ${vendor}`);
  return verified.event;
}
