import type { App } from "../../../app.ts";
import type { PaymentMethodSummary } from "../../../db/schema.ts";
import type { PaymentSetup } from "../../../ports/billing-processor.ts";
import type { ProjectKey } from "../queries.ts";
import { callProcessor } from "./call-processor.ts";

/**
 * An attached payment method. The client secret is not stored: `readPaymentSetup` reads it from the payment processor.
 */
export interface AttachedPaymentMethod {
  readonly customerId: string;
  readonly paymentMethod: PaymentMethodSummary;
  readonly setupIntentId: string;
  readonly setupStatus: PaymentSetup["status"];
}

/**
 * Returns the setup's current status and client secret. If the setup has succeeded, the payment processor is not called
 * and the client secret is null.
 */
export async function readPaymentSetup(
  app: Pick<App, "billing">,
  { mode }: Pick<ProjectKey, "mode">,
  { setupIntentId, setupStatus }: AttachedPaymentMethod,
): Promise<PaymentSetup> {
  if (setupStatus === "succeeded") {
    return { setupIntentId, status: setupStatus, clientSecret: null, redirectUrl: null };
  }
  return callProcessor(() => app.billing[mode].readSetup(setupIntentId), null);
}
