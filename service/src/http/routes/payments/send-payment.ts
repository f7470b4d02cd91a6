import { Type } from "typebox";
import { PaymentResource } from "../../../modules/payments/payment-resource.ts";
import { type SentPayment, sendPayment } from "../../../modules/payments/send/send-payment.ts";
import { simulatePayment } from "../../../modules/payments/send/simulate-payment.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { endpoint } from "../../route.ts";
import { PaymentSendRequest, PaymentSimulation, paymentCommandOf, presentSimulation } from "./payment-fields.ts";

const PaymentOrSimulation = Type.Union([PaymentResource, PaymentSimulation], {
  $id: "PaymentOrSimulation",
  description: "The payment or, with `simulate`, what it would do.",
});

export const sendPaymentRoute = endpoint("POST /api/v1/svc/payments/send", {
  operationId: "sendPayment",
  sdk: "payments.send",
  summary: "Send a payment",
  description:
    "Pays from a wallet of the agent, under the agent's policies and the project's monthly cap. In test mode the payment is `confirmed` at once, or `authorized` with the execution `authorize_only`. If a policy or the cap requires an approval, the response is 202 and nothing is reserved until a person approves. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`. A refusal makes no payment, and the same request stays refused. Live payments fail with `network_unavailable` in this version.",
  auth: "signed",
  scope: "payments:write",
  agentBound: "allowed",
  agentHeader: "required",
  movesMoney: true,
  requiresKyb: "live_payments",
  body: PaymentSendRequest,
  answers: { 200: PaymentOrSimulation, 202: PaymentResource },
  errors: [
    "insufficient_funds",
    "agent_not_found",
    "wallet_not_found",
    "project_not_found",
    "agent_suspended",
    "wallet_frozen",
    "kya_required",
    "policy_denied",
    "cap_exceeded",
    "network_unavailable",
  ],
  example: {
    agent_id: "AGENT_ID",
    amount: "5.00",
    to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  },
  run: async (app, request, reply) => {
    const command = paymentCommandOf(request, request.body, app.clock.now());
    const actor = agentActorOf(request, command.order.agentId);
    if (request.body.simulate === true) {
      const simulated = await simulatePayment(app, actor, command);
      request.isMoneyRequest = true;
      return reply.send(presentSimulation(app, simulated, request.id));
    }
    const options = {
      status: ({ payment }: SentPayment) => (payment.status === "requires_approval" ? 202 : 200),
      present: ({ presented }: SentPayment) => presented,
    };
    return replyToMoneyRequest(app, request, reply, options, (claim) => sendPayment(app, actor, claim, command));
  },
});
