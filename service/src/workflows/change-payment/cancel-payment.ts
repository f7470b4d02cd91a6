import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { PaymentId } from "../../foundation/ids.ts";
import { WAITING_PAYMENT_STATUSES } from "../../foundation/vocabulary.ts";
import { runClaimedRequest } from "../../idempotency/money/run-claimed-request.ts";
import type { MoneyAnswer, MoneyClaim } from "../../idempotency/money/run-money-request.ts";
import { cancelApprovalsOf } from "../../modules/approvals/index.ts";
import { type Payment, type PaymentScope, requirePaymentLocked } from "../../modules/payments/index.ts";
import { forgetBalances } from "../../modules/wallets/index.ts";
import { releasePayment } from "./release-payment.ts";
import { requireStatus } from "./require-status.ts";

export interface CancelPayment {
  readonly claim: MoneyClaim<Payment>;
  /** The agents that made the payment. */
  readonly scope: PaymentScope;
  readonly paymentId: PaymentId;
}

/**
 * Ends a payment that waits for an approval or a capture, also if its wallet is frozen. Cancels its pending approval.
 * Throws `payment_not_found` unless an agent of the scope made it, and `conflict` if the payment does not wait.
 */
export async function cancelPayment(
  app: App,
  actor: Actor,
  { claim, scope, paymentId }: CancelPayment,
): Promise<MoneyAnswer> {
  let ended: Payment | undefined;
  const answer = await runClaimedRequest(app, claim, async (tx) => {
    const at = app.clock.now();
    await cancelApprovalsOf(tx, app, actor, { subject: { type: "payment", id: paymentId } });
    const payment = await requirePaymentLocked(tx, scope, paymentId);
    requireStatus(payment, WAITING_PAYMENT_STATUSES, at);
    const end = { status: "canceled", failure: null, at } as const;
    ended = await releasePayment(tx, app, actor, payment, end);
    return ended;
  });
  if (ended !== undefined) await forgetBalances(app, ended.tenantId, [ended.walletId]);
  return answer;
}
