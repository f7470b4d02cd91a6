import { type Static, Type } from "typebox";
import { Nullable } from "../../../foundation/wire/fields.ts";
import { NamedObject } from "../../../foundation/wire/named-object.ts";
import type { PaymentSetup } from "../../../ports/billing-processor.ts";
import { PaymentMethodResource } from "../../projects/project-resource.ts";
import type { AttachedPaymentMethod } from "./payment-setup.ts";

export const PaymentMethodAttachmentResource = NamedObject("PaymentMethodAttachment", {
  customer_id: Type.String({
    description: "The id of the project's customer at the payment processor.",
  }),
  payment_method: PaymentMethodResource,
  setup_intent: Type.Object(
    {
      id: Type.String(),
      status: Type.Enum(["succeeded", "requires_action", "processing", "requires_payment_method"], {
        description:
          "Status of the setup. `succeeded`: the payment method can be charged. `requires_action`: the owner must take the action in `next_action`. `processing`: the bank has not responded yet.",
      }),
      client_secret: Nullable(
        Type.String(),
        "The secret that the payment processor's browser library needs to complete the setup. Pass it to the owner's browser. Null unless `status` is `requires_action`.",
      ),
      next_action: Nullable(
        Type.Object({
          type: Type.Enum(["open_url", "use_client_secret"]),
          actor: Type.Literal("human"),
          url: Type.Optional(
            Type.String({
              description:
                "URL of the bank's page on which the owner confirms the payment method. Only included if `type` is `open_url`.",
            }),
          ),
        }),
        "The action that the owner must take. Null unless `status` is `requires_action`.",
      ),
    },
    {
      description: "The setup of the payment method at the payment processor.",
    },
  ),
});

export function presentPaymentMethodAttachment(
  { customerId, paymentMethod }: AttachedPaymentMethod,
  setup: PaymentSetup,
): Static<typeof PaymentMethodAttachmentResource> {
  return {
    customer_id: customerId,
    payment_method: paymentMethod,
    setup_intent: {
      id: setup.setupIntentId,
      status: setup.status,
      client_secret: setup.clientSecret,
      next_action: nextActionOf(setup),
    },
  };
}

function nextActionOf({
  status,
  redirectUrl,
}: PaymentSetup): Static<typeof PaymentMethodAttachmentResource>["setup_intent"]["next_action"] {
  if (status !== "requires_action") return null;
  return redirectUrl === null
    ? { type: "use_client_secret", actor: "human" }
    : { type: "open_url", actor: "human", url: redirectUrl };
}
