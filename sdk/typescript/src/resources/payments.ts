import type { ApiPromise } from "../api-promise.ts";
import type {
  CapturePaymentRequest,
  Payment,
  PaymentSendRequest,
  PaymentSimulation,
  RefundPaymentRequest,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export interface ListPaymentsQuery extends CursorQuery {
  readonly status?: Payment["status"];
  readonly agent_id?: string;
  readonly wallet_id?: string;
  readonly project_id?: string;
}

/** To find out what a payment would do, use `simulate` instead of the field. */
export type SendPaymentBody = Omit<PaymentSendRequest, "simulate">;

/** Payments from agents' wallets. */
export class Payments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Pays from a wallet of the agent. The call acts as this agent. The payment's status is `requires_approval` if a person
   * must approve it first: see `approvals.waitFor`.
   *
   * @throws PermissionDeniedError if a policy, the project's cap or a freeze refuses the payment.
   * @throws APIError with status 402 if the balance is too small.
   */
  send(body: SendPaymentBody, options?: RequestOptions): ApiPromise<Payment> {
    return this.#transport.request(
      { method: "POST", path: "/payments/send", access: "signed", body },
      { agentId: body.agent_id, ...options },
    );
  }

  /** Returns what `send` would do with the same body. Changes nothing. */
  simulate(body: SendPaymentBody, options?: RequestOptions): ApiPromise<PaymentSimulation> {
    return this.#transport.request(
      { method: "POST", path: "/payments/simulate", access: "signed", body },
      { agentId: body.agent_id, ...options },
    );
  }

  /** Lists payments, newest first. */
  list(query: ListPaymentsQuery = {}, options?: RequestOptions): PagePromise<Payment> {
    return requestPages(this.#transport, "/payments", query, options);
  }

  get(paymentId: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.#transport.request({ method: "GET", path: path`/payments/${paymentId}`, access: "tenant" }, options);
  }

  /**
   * Pays at most the amount that an authorized payment holds, once, and releases the rest. The call
   * must act as the agent that made the payment.
   *
   * @throws ConflictError unless the payment is `authorized`.
   * @throws PermissionDeniedError if the wallet is frozen or the agent is not active.
   */
  capture(paymentId: string, body: CapturePaymentRequest = {}, options?: RequestOptions): ApiPromise<Payment> {
    return this.#change(path`/payments/${paymentId}/capture`, body, options);
  }

  /**
   * Releases everything that an authorized payment holds. The call must act as the agent that made the
   * payment.
   *
   * @throws ConflictError unless the payment is `authorized`.
   */
  void(paymentId: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.#change(path`/payments/${paymentId}/void`, {}, options);
  }

  /**
   * Moves an amount from the payee's wallet back to the payer's. The call must act as the agent that was paid.
   *
   * @throws ConflictError with the code `not_refundable` unless the payee is a wallet of the same account and was paid.
   * @throws APIError with status 402 if the payee's balance is too small.
   */
  refund(paymentId: string, body: RefundPaymentRequest = {}, options?: RequestOptions): ApiPromise<Payment> {
    return this.#change(path`/payments/${paymentId}/refund`, body, options);
  }

  /**
   * Ends a payment that waits for an approval or a capture, and releases everything that it holds.
   *
   * @throws ConflictError unless the payment is `requires_approval` or `authorized`.
   */
  cancel(paymentId: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.#transport.request(
      { method: "POST", path: path`/payments/${paymentId}/cancel`, access: "tenant" },
      options,
    );
  }

  #change(path: string, body: object, options: RequestOptions | undefined): ApiPromise<Payment> {
    return this.#transport.request({ method: "POST", path, access: "signed", body }, options);
  }
}
