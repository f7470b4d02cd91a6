import { Problem } from "../../../foundation/wire/problem.ts";
import { simulatePayment } from "../../../modules/payments/send/simulate-payment.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { endpoint, principalOf } from "../../route.ts";
import { PaymentSendRequest, PaymentSimulation, paymentCommandOf, presentSimulation } from "./payment-fields.ts";

export const simulatePaymentRoute = endpoint("POST /api/v1/svc/payments/simulate", {
  config: {
    auth: "signed",
    scope: "payments:write",
    replayGuard: "strict",
    agentBound: "allowed",
    agentHeader: "required",
    sample: {
      sdk: "payments.simulate(BODY)",
      body: {
        agent_id: "AGENT_ID",
        amount: "5.00",
        to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
      },
      asAgent: true,
    },
  },
  schema: {
    operationId: "simulatePayment",
    summary: "Simulate a payment",
    description:
      "Returns what `POST /payments/send` would do with the same body: its fees, the decision of the policies, and the refusal if there is one. Changes nothing.",
    body: PaymentSendRequest,
    response: { 200: PaymentSimulation, 404: Problem },
  },
  handler: async (app, request) => {
    const command = paymentCommandOf(request, request.body, app.clock.now());
    const actor = agentActorOf(request, principalOf(request), command.order.agentId);
    return presentSimulation(app, await simulatePayment(app, actor, command), request.id);
  },
});
