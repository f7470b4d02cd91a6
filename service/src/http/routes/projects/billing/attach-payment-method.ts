import { Type } from "typebox";
import { Flag, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { attachPaymentMethod } from "../../../../modules/charges/billing/attach-payment-method.ts";
import {
  PaymentMethodAttachmentResource,
  presentPaymentMethodAttachment,
} from "../../../../modules/charges/billing/payment-method.ts";
import { type AttachedPaymentMethod, readPaymentSetup } from "../../../../modules/charges/billing/payment-setup.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyByReference } from "../../../idempotency.ts";
import { parseReturnUrl } from "../../../return-url.ts";
import { endpoint } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

const PaymentMethodAttachRequest = StrictObject("PaymentMethodAttachRequest", {
  payment_method_id: Text(
    "The payment method's id at the payment processor, with the prefix `pm_`. Never send a card number: a request that contains one is rejected with 422.",
    { pattern: "^pm_[A-Za-z0-9_]{1,250}$" },
  ),
  set_default: Type.Optional(Flag("Whether the project's charges use this payment method from now on. Default: true.")),
  return_url: Type.Optional(
    Text(
      "The page to which the bank redirects the owner of the payment method after confirmation. Must use https, or http with a loopback host. If absent, no redirect is used, and the owner confirms the payment method with `client_secret`.",
      { maxLength: 2048 },
    ),
  ),
});

export const attachPaymentMethodRoute = endpoint("POST /api/v1/svc/projects/:project_id/billing/payment-methods", {
  operationId: "attachPaymentMethod",
  sdk: "projects.billing.attachPaymentMethod",
  summary: "Attach a payment method",
  description:
    "Attaches a payment method to the project's customer at the payment processor and sets it up for future charges. Creates the customer if the project has none. `setup_intent.next_action` states what the owner must do. Fails with `validation_error` if the payment method is unknown or declined; the `code` in `errors` is the payment processor's reason. Fails with `conflict` if the project is not active.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "always",
  body: PaymentMethodAttachRequest,
  answers: { 200: PaymentMethodAttachmentResource },
  errors: ["provider_error", "validation_error", "conflict"],
  example: { payment_method_id: "pm_card_visa" },
  run: async (app, request, reply) => {
    const { payment_method_id, set_default = true, return_url } = request.body;
    const key = projectKeyOf(request, request.params.project_id);
    const command = {
      actor: actorOf(request),
      key,
      paymentMethodId: payment_method_id,
      setDefault: set_default,
      returnUrl: return_url === undefined ? null : parseReturnUrl("/body/return_url", return_url),
    };
    // The client secret is not stored, so a repeated call reads it from the payment processor.
    const resolve = async (attached: AttachedPaymentMethod) => ({
      kind: "response" as const,
      body: presentPaymentMethodAttachment(attached, await readPaymentSetup(app, key, attached)),
    });
    return replyByReference(app, request, reply, { status: 200, resolve }, (saveResponse) =>
      attachPaymentMethod(app, command, saveResponse),
    );
  },
});
