import type { ApiPromise } from "../api-promise.ts";
import type { PaymentMethodAttachment, PaymentMethodAttachRequest } from "../api-types.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export class ProjectBilling {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A card that is declined is a `ValidationError` that names it, with the processor's word for why. */
  attachPaymentMethod(
    projectId: string,
    body: PaymentMethodAttachRequest,
    options?: RequestOptions,
  ): ApiPromise<PaymentMethodAttachment> {
    const route = path`/projects/${projectId}/billing/payment-methods`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }
}
