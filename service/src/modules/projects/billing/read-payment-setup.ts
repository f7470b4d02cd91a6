import type { App } from "../../../app.ts";
import type { ShownPaymentMethod } from "../../../db/schema.ts";
import type { PaymentSetup } from "../../../ports/billing-processor.ts";
import type { ProjectKey } from "../queries.ts";
import { callProcessor } from "./call-processor.ts";

/** What was attached, without the secret that its owner's browser may need: `readPaymentSetup` has that. */
export interface AttachedPaymentMethod {
  readonly customerId: string;
  readonly paymentMethod: ShownPaymentMethod;
  readonly setupIntentId: string;
  readonly setupStatus: PaymentSetup["status"];
}

/** How far the setup is, with what its owner's browser needs where they are asked. */
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
