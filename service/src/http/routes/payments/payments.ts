import { Type } from "typebox";
import { PAYMENT_STATUSES } from "../../../foundation/vocabulary.ts";
import { OneOf, STORABLE_TEXT, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { PaymentResource, presentPayment } from "../../../modules/payments/payment-resource.ts";
import { listPayments } from "../../../modules/payments/queries.ts";
import { getPayment } from "../../../modules/payments/read-payments.ts";
import { type SentPayment, sendPayment } from "../../../modules/payments/send/send-payment.ts";
import { simulatePayment } from "../../../modules/payments/send/simulate-payment.ts";
import { agentActorOf, scopeOf } from "../../auth/principal.ts";
import { cursorPage, cursorQuery, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { agentFilter } from "../agents/agent-fields.ts";
import { PaymentSendRequest, PaymentSimulation, paymentCommandOf, presentSimulation } from "./payment-fields.ts";

const PaymentOrSimulation = Type.Union([PaymentResource, PaymentSimulation], {
  $id: "PaymentOrSimulation",
  description: "The payment or, with `simulate`, what it would do.",
});

const sendPaymentRoute = endpoint("POST /api/v1/svc/payments/send", {
  operationId: "sendPayment",
  sdk: "payments.send",
  summary: "Send a payment",
  description:
    "Pays from a wallet of the agent, under the agent's policies and the project's monthly cap. In test mode the payment is `confirmed` at once. In live mode it is `queued`, then `submitted` to its network, and `confirmed` when a final block contains it; one that the network does not execute ends `failed` or `dropped`, and costs nothing. With the execution `authorize_only` it is `authorized`. If a policy or the cap requires an approval, the response is 202 and nothing is reserved until a person approves. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`. A refusal makes no payment, and the same request stays refused. Live payments fail with `network_unavailable` while their network does not answer.",
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
    "provider_not_configured",
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

const simulatePaymentRoute = endpoint("POST /api/v1/svc/payments/simulate", {
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

const getPaymentRoute = endpoint("GET /api/v1/svc/payments/:payment_id", {
  operationId: "getPayment",
  sdk: "payments.get",
  summary: "Get a payment",
  description:
    "Returns a payment. A key that is bound to agents can read the payments that these agents made or received.",
  auth: "tenant",
  scope: "payments:read",
  agentBound: "allowed",
  answers: { 200: PaymentResource },
  run: async (app, request) => {
    const paymentId = pathId("pay", request.params.payment_id);
    const payment = await getPayment(app, scopeOf(request), paymentId);
    return presentPayment(app, payment, app.clock.now());
  },
});

const PAYMENT_ID_FORM = /^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const PaymentsQuery = cursorQuery({
  status: Type.Optional(OneOf(PAYMENT_STATUSES, "Returns only payments that have this status now.")),
  agent_id: agentFilter("Returns only payments of this agent."),
  wallet_id: Type.Optional(Text("Returns only payments from this wallet.", { maxLength: 64, ...STORABLE_TEXT })),
  project_id: Type.Optional(
    Text("Returns only payments that count toward the cap of this project.", { maxLength: 64, ...STORABLE_TEXT }),
  ),
  reference: Type.Optional(
    Text("Returns only payments with exactly this reference.", { maxLength: 200, ...STORABLE_TEXT }),
  ),
  created_after: Type.Optional({
    ...Timestamp,
    description: "Returns only payments created at this time or later.",
  }),
  created_before: Type.Optional({ ...Timestamp, description: "Returns only payments created before this time." }),
});

const listPaymentsRoute = endpoint("GET /api/v1/svc/payments", {
  operationId: "listPayments",
  sdk: "payments.list",
  summary: "List payments",
  description:
    "Returns payments, newest first. A key that is bound to agents gets the payments that these agents made or received.",
  auth: "tenant",
  scope: "payments:read",
  agentBound: "allowed",
  query: PaymentsQuery,
  answers: { 200: cursorPage(PaymentResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status, agent_id, wallet_id, project_id, reference } = request.query;
    const { created_after, created_before } = request.query;
    const at = app.clock.now();
    const page = await listPayments(app.db, scopeOf(request), {
      ...{ after: decodeCursor(cursor, PAYMENT_ID_FORM), limit, at },
      status,
      agentId: agent_id?.toLowerCase(),
      walletId: wallet_id,
      projectId: project_id,
      reference,
      createdAfter: created_after === undefined ? undefined : new Date(created_after),
      createdBefore: created_before === undefined ? undefined : new Date(created_before),
    });
    return presentPage(page, (payment) => presentPayment(app, payment, at), "paymentId");
  },
});

export const paymentRoutes: readonly Route[] = [
  sendPaymentRoute,
  simulatePaymentRoute,
  listPaymentsRoute,
  getPaymentRoute,
];
