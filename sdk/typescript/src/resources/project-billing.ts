import type { ApiPromise } from "../api-promise.ts";
import type { PaymentMethodAttachment, PaymentMethodAttachRequest } from "../api-types.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export class ProjectBilling {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Attaches a card to the project's customer at the payment processor.
   *
   * @throws ValidationError with the processor's reason if the card is declined.
   */
  attachPaymentMethod(
    projectId: string,
    body: PaymentMethodAttachRequest,
    options?: RequestOptions,
  ): ApiPromise<PaymentMethodAttachment> {
    const route = path`/projects/${projectId}/billing/payment-methods`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }
}
