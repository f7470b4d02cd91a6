import { Type } from "typebox";
import { PositiveDecimalIn } from "../../../foundation/wire/amounts.ts";
import { DISPLAY_TEXT } from "../../../foundation/wire/fields.ts";
import { Problem } from "../../../foundation/wire/problem.ts";
import { refundPayment } from "../../../modules/payments/change-payment.ts";
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

export const refundPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/refund", {
  config: {
    ...paymentChangeConfig,
    sample: {
      sdk: "payments.refund(PAYMENT_ID, BODY, { agentId: AGENT_ID })",
      body: { amount: "1.25", reason: "one page was missing" },
      asAgent: true,
    },
  },
  schema: {
    ...paymentChangeSchema,
    response: { ...paymentChangeSchema.response, 402: Problem },
    operationId: "refundPayment",
    summary: "Refund a payment",
    description:
      "Moves an amount from the payee's wallet back to the wallet that paid. `X-Agent-ID` must name the agent that was paid. Refunds never exceed what was paid. Fails with `not_refundable` unless the payee is a wallet of the same account and was paid, with `agent_suspended` if the payee's agent is not active, with `wallet_frozen` if the payee's wallet is frozen or the payer's accepts no money, and with `insufficient_funds` if the payee's wallet has too little. The project's spending falls if the payment counts in the current month. Limits of policies count the payment as before.",
    body: Type.Object(
      {
        amount: Type.Optional({
          ...PositiveDecimalIn,
          description: "The amount to refund: at most what was paid and is not refunded yet. Default: all of that.",
        }),
        reason: Type.Optional(
          Type.String({
            ...DISPLAY_TEXT,
            maxLength: 500,
            description: "Why the payment is refunded, for the audit trail.",
          }),
        ),
      },
      { additionalProperties: false, $id: "RefundPaymentRequest" },
    ),
  },
  handler: async (app, request, reply) => {
    const { agentId, actor } = requirePaymentAgent(request);
    const { reason = null } = request.body;
    const baseUnits = baseUnitsOf(request.body);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      refundPayment(app, actor, { claim, paymentId, agentId, baseUnits, reason }),
    );
  },
});
