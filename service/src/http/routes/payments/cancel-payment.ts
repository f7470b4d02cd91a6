import { Type } from "typebox";
import { cancelPayment } from "../../../modules/payments/change-payment.ts";
import { getPayment } from "../../../modules/payments/read-payments.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, principalOf } from "../../route.ts";
import { payerScopeOf, paymentChangeSchema, paymentReply } from "./payment-change.ts";

export const cancelPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/cancel", {
  config: {
    auth: "tenant",
    scope: "payments:write",
    agentBound: "allowed",
    movesMoney: true,
    sample: { sdk: "payments.cancel(PAYMENT_ID)" },
  },
  schema: {
    ...paymentChangeSchema,
    operationId: "cancelPayment",
    summary: "Cancel a payment",
    description:
      "Ends a payment that waits for an approval or a capture, also if its wallet is frozen. Releases everything that is held for it, and cancels its pending approval. Fails with `conflict` unless the payment is `requires_approval` or `authorized`.",
    body: Type.Object({}, { additionalProperties: false, $id: "CancelPaymentRequest" }),
  },
  handler: async (app, request, reply) => {
    const scope = payerScopeOf(request);
    const paymentId = pathId("pay", request.params.payment_id);
    const { agentId } = await getPayment(app, scope, paymentId);
    const actor = agentActorOf(request, principalOf(request), agentId);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      cancelPayment(app, actor, { claim, scope, paymentId }),
    );
  },
});
