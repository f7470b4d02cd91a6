import { Type } from "typebox";
import { voidPayment } from "../../../modules/payments/change-payment.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { paymentChangeConfig, paymentChangeSchema, paymentReply, requirePaymentAgent } from "./payment-change.ts";

export const voidPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/void", {
  config: {
    ...paymentChangeConfig,
    sample: { sdk: "payments.void(PAYMENT_ID, { agentId: AGENT_ID })", asAgent: true },
  },
  schema: {
    ...paymentChangeSchema,
    operationId: "voidPayment",
    summary: "Void an authorized payment",
    description:
      "Releases everything that is held for the payment, also if its wallet is frozen. `X-Agent-ID` must name the agent that made the payment. Fails with `conflict` unless the payment is `authorized`.",
    body: Type.Object({}, { additionalProperties: false, $id: "VoidPaymentRequest" }),
  },
  handler: async (app, request, reply) => {
    const { agentId, actor } = requirePaymentAgent(request);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      voidPayment(app, actor, { claim, paymentId, agentId }),
    );
  },
});
