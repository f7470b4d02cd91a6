import { Type } from "typebox";
import { PositiveDecimalIn } from "../../../foundation/wire/amounts.ts";
import { DISPLAY_TEXT } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { cancelPayment, capturePayment, refundPayment, voidPayment } from "../../../modules/payments/change-payment.ts";
import { PaymentResource } from "../../../modules/payments/payment-resource.ts";
import { getPayment } from "../../../modules/payments/read-payments.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { baseUnitsOf, payerScopeOf, paymentChange, paymentReply, requirePaymentAgent } from "./payment-change.ts";

export const capturePaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/capture", {
  operationId: "capturePayment",
  sdk: "payments.capture",
  summary: "Capture an authorized payment",
  description:
    "Pays the payee at most the amount that is held, once, and releases the rest. `X-Agent-ID` must name the agent that made the payment. Fails with `agent_suspended` if the agent is not active, with `wallet_frozen` if its wallet is frozen, and with `conflict` unless the payment is `authorized`. An authorization has expired from the very second of `expires_at`.",
  ...paymentChange,
  body: StrictObject("CapturePaymentRequest", {
    amount: Type.Optional({
      ...PositiveDecimalIn,
      description: "The amount to pay: at most the payment's `amount`. Default: the whole amount.",
    }),
  }),
  errors: ["agent_suspended", "wallet_frozen", "conflict"],
  example: { amount: "4.50" },
  run: async (app, request, reply) => {
    const { agentId, actor } = requirePaymentAgent(request);
    const baseUnits = baseUnitsOf(request.body);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      capturePayment(app, actor, { claim, paymentId, agentId, baseUnits }),
    );
  },
});

export const voidPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/void", {
  operationId: "voidPayment",
  sdk: "payments.void",
  summary: "Void an authorized payment",
  description:
    "Releases everything that is held for the payment, also if its wallet is frozen. `X-Agent-ID` must name the agent that made the payment. Fails with `conflict` unless the payment is `authorized`.",
  ...paymentChange,
  body: StrictObject("VoidPaymentRequest", {}),
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const { agentId, actor } = requirePaymentAgent(request);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      voidPayment(app, actor, { claim, paymentId, agentId }),
    );
  },
});

export const refundPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/refund", {
  operationId: "refundPayment",
  sdk: "payments.refund",
  summary: "Refund a payment",
  description:
    "Moves an amount from the payee's wallet back to the wallet that paid. `X-Agent-ID` must name the agent that was paid. Refunds never exceed what was paid. Fails with `not_refundable` unless the payee is a wallet of the same account and was paid, with `agent_suspended` if the payee's agent is not active, with `wallet_frozen` if the payee's wallet is frozen or the payer's accepts no money, and with `insufficient_funds` if the payee's wallet has too little. The project's spending falls if the payment counts in the current month. Limits of policies count the payment as before.",
  ...paymentChange,
  body: StrictObject("RefundPaymentRequest", {
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
  }),
  errors: ["insufficient_funds", "not_refundable", "agent_suspended", "wallet_frozen"],
  example: { amount: "1.25", reason: "one page was missing" },
  run: async (app, request, reply) => {
    const { agentId, actor } = requirePaymentAgent(request);
    const { reason = null } = request.body;
    const baseUnits = baseUnitsOf(request.body);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      refundPayment(app, actor, { claim, paymentId, agentId, baseUnits, reason }),
    );
  },
});

export const cancelPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/cancel", {
  operationId: "cancelPayment",
  sdk: "payments.cancel",
  summary: "Cancel a payment",
  description:
    "Ends a payment that waits for an approval or a capture, also if its wallet is frozen. Releases everything that is held for it, and cancels its pending approval. Fails with `conflict` unless the payment is `requires_approval` or `authorized`.",
  auth: "tenant",
  scope: "payments:write",
  agentBound: "allowed",
  movesMoney: true,
  requiresKyb: "live_payments",
  answers: { 200: PaymentResource },
  body: StrictObject("CancelPaymentRequest", {}),
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const scope = payerScopeOf(request);
    const paymentId = pathId("pay", request.params.payment_id);
    const { agentId } = await getPayment(app, scope, paymentId);
    const actor = agentActorOf(request, agentId);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      cancelPayment(app, actor, { claim, scope, paymentId }),
    );
  },
});
