import { simulatePayment } from "../../../modules/payments/send/simulate-payment.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";
import { PaymentSendRequest, PaymentSimulation, paymentCommandOf, presentSimulation } from "./payment-fields.ts";

export const simulatePaymentRoute = endpoint("POST /api/v1/svc/payments/simulate", {
  operationId: "simulatePayment",
  sdk: "payments.simulate",
  summary: "Simulate a payment",
  description:
    "Returns what `POST /payments/send` would do with the same body: its fees, the decision of the policies, and the refusal if there is one. Changes nothing.",
  auth: "signed",
  scope: "payments:write",
  replayGuard: "strict",
  agentBound: "allowed",
  agentHeader: "required",
  body: PaymentSendRequest,
  answers: { 200: PaymentSimulation },
  errors: ["agent_not_found", "wallet_not_found", "project_not_found"],
  example: {
    agent_id: "AGENT_ID",
    amount: "5.00",
    to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  },
  run: async (app, request) => {
    const command = paymentCommandOf(request, request.body, app.clock.now());
    const actor = agentActorOf(request, command.order.agentId);
    return presentSimulation(app, await simulatePayment(app, actor, command), request.id);
  },
});
