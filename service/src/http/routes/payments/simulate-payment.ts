import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { problemBody } from "../../../foundation/errors.ts";
import { POLICY_OUTCOMES } from "../../../foundation/vocabulary.ts";
import { Nullable } from "../../../foundation/wire/fields.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { PaymentResource, presentPayment } from "../../../modules/payments/index.ts";
import { type SimulatedPayment, simulatePayment } from "../../../workflows/index.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { PaymentSendRequest, paymentCommandOf } from "./payment-fields.ts";

const { mode, agent_id, wallet_id, network, token, amount, to, project_id, fees, decision } =
  PaymentResource.properties;

const PaymentSimulation = Type.Object(
  {
    object: Type.Literal("payment_simulation"),
    outcome: Type.Enum([...POLICY_OUTCOMES], {
      description:
        "`allow` if the payment would be made, `require_approval` if a person would be asked, and `deny` if it would be refused.",
    }),
    ...{ mode, agent_id, wallet_id, network, token, amount, fees, to, project_id, decision },
    refusal: {
      ...Nullable(Problem),
      description: "The error that the payment would fail with. Null unless it would be refused.",
    },
  },
  { $id: "PaymentSimulation" },
);

export function simulatePaymentRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/payments/simulate",
    config: {
      auth: "signed",
      scope: "payments:write",
      agentBound: "allowed",
      projectBound: "refused",
      sample: {
        sdk: "payments.simulate(BODY, { agentId: AGENT_ID })",
        body: {
          agent_id: "00000000-0000-4000-8000-000000000000",
          amount: "5.00",
          to: "0x0000000000000000000000000000000000000001",
        },
      },
    },
    schema: {
      operationId: "simulatePayment",
      tags: ["Payments"],
      summary: "Simulate a payment",
      description:
        "Returns what `POST /payments/send` would do with the same body: its fees, the decision of the policies, and the refusal if there is one. Changes nothing.",
      body: PaymentSendRequest,
      response: { 200: PaymentSimulation, 404: Problem, 409: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const command = paymentCommandOf(request, request.body, app.clock.now());
      const actor = agentActorOf(request, principalOf(request), command.order.agentId);
      return present(app, await simulatePayment(app, actor, command), request.id);
    },
  });
}

function present(
  app: App,
  { payment, outcome, refusal }: SimulatedPayment,
  requestId: string,
): Static<typeof PaymentSimulation> {
  return {
    ...presentPayment(app, payment, app.clock.now()),
    object: "payment_simulation",
    outcome,
    refusal: refusal === undefined ? null : problemBody(refusal, requestId),
  };
}
