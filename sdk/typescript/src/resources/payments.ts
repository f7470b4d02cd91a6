import type { ApiPromise } from "../api-promise.ts";
import type { Payment, PaymentSendRequest, PaymentSimulation } from "../api-types.ts";
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
    return this.#transport.request(
      { method: "GET", path: path`/payments/${paymentId}`, access: "tenant" },
      options,
    );
  }
}
