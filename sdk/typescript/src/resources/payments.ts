import type { ApiPromise } from "../api-promise.ts";
import { Payments as GeneratedPayments } from "../api-resources.ts";
import type { Payment, PaymentSendRequest } from "../api-types.ts";
import type { RequestOptions } from "../transport.ts";

/** To find out what a payment would do, use `simulate` instead of the field. */
export type SendPaymentBody = Omit<PaymentSendRequest, "simulate">;

export class Payments extends GeneratedPayments {
  /**
   * Pays from a wallet of the agent. The call acts as this agent. The payment's status is `requires_approval` if a person
   * must approve it first: see `approvals.waitFor`.
   *
   * @throws PermissionDeniedError if a policy, the project's cap or a freeze refuses the payment.
   * @throws PaymentRequiredError if the balance is too small.
   */
  override send(body: SendPaymentBody, options?: RequestOptions): ApiPromise<Payment> {
    // Only a request with `simulate` is answered otherwise.
    return super.send(body, options) as ApiPromise<Payment>;
  }
}
