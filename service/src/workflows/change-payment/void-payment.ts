import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { MoneyAnswer } from "../../idempotency/money/run-money-request.ts";
import { requirePaymentLocked } from "../../modules/payments/index.ts";
import { type PaymentRequest, runPaymentRequest } from "./payment-request.ts";
import { releasePayment } from "./release-payment.ts";
import { requireStatus } from "./require-status.ts";

/**
 * Releases all that is held for an authorized payment, also if its wallet is frozen. Throws `payment_not_found` unless the
 * agent made the payment, and `conflict` unless the payment is authorized.
 */
export async function voidPayment(
  app: App,
  actor: Actor,
  { claim, paymentId, agentId }: PaymentRequest,
): Promise<MoneyAnswer> {
  const { tenantId, mode } = actor;
  return runPaymentRequest(app, actor, claim, {
    refusedAs: "payment.void_refused",
    find: (tx) => requirePaymentLocked(tx, { tenantId, mode, agentIds: [agentId] }, paymentId),
    change: async (tx, payment) => {
      const at = app.clock.now();
      requireStatus(payment, ["authorized"], at);
      return releasePayment(tx, app, actor, payment, { status: "voided", failure: null, at });
    },
  });
}
