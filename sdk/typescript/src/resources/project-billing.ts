import type { ApiPromise } from "../api-promise.ts";
import type { NextAction } from "../errors.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export interface AttachPaymentMethodRequest {
  /** As the payment processor names it: `pm_…`. Cards never pass through this service. */
  readonly payment_method_id: string;
  /** Default true. */
  readonly set_default?: boolean;
  /** Where the owner comes back to, where their bank wants to see them. */
  readonly return_url?: string;
}

export interface PaymentMethod {
  readonly id: string;
  readonly type: string;
  readonly brand?: string;
  readonly last4?: string;
  readonly exp_month?: number;
  readonly exp_year?: number;
}

export interface AttachedPaymentMethod {
  readonly customer_id: string;
  readonly payment_method: PaymentMethod;
  readonly setup_intent: {
    readonly id: string;
    readonly status: "succeeded" | "requires_action" | "processing" | "requires_payment_method";
    /** For the owner's browser, where an action is wanted of them. */
    readonly client_secret: string | null;
    readonly next_action: NextAction | null;
  };
}

export class ProjectBilling {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A card that is declined is a `ValidationError` that names it, with the processor's word for why. */
  attachPaymentMethod(
    projectId: string,
    body: AttachPaymentMethodRequest,
    options?: RequestOptions,
  ): ApiPromise<AttachedPaymentMethod> {
    const route = path`/projects/${projectId}/billing/payment-methods`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }
}
