import { Type } from "typebox";
import { PositiveDecimalIn } from "../../../foundation/wire/amounts.ts";
import { capturePayment } from "../../../modules/payments/change-payment.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import {
  baseUnitsOf,
  paymentChangeConfig,
  paymentChangeSchema,
  paymentReply,
  requirePaymentAgent,
} from "./payment-change.ts";

export const capturePaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/capture", {
  config: {
    ...paymentChangeConfig,
    sample: {
      sdk: "payments.capture(PAYMENT_ID, BODY, { agentId: AGENT_ID })",
      body: { amount: "4.50" },
      asAgent: true,
    },
  },
  schema: {
    ...paymentChangeSchema,
    operationId: "capturePayment",
    summary: "Capture an authorized payment",
    description:
      "Pays the payee at most the amount that is held, once, and releases the rest. `X-Agent-ID` must name the agent that made the payment. Fails with `agent_suspended` if the agent is not active, with `wallet_frozen` if its wallet is frozen, and with `conflict` unless the payment is `authorized`. An authorization has expired from the very second of `expires_at`.",
    body: Type.Object(
      {
        amount: Type.Optional({
          ...PositiveDecimalIn,
          description: "The amount to pay: at most the payment's `amount`. Default: the whole amount.",
        }),
      },
      { additionalProperties: false, $id: "CapturePaymentRequest" },
    ),
  },
  handler: async (app, request, reply) => {
    const { agentId, actor } = requirePaymentAgent(request);
    const baseUnits = baseUnitsOf(request.body);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      capturePayment(app, actor, { claim, paymentId, agentId, baseUnits }),
    );
  },
});
