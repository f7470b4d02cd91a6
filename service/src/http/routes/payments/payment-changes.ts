import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { AppError } from "../../../foundation/errors.ts";
import { DISPLAY_TEXT, PositiveDecimalIn, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { cancelPayment, capturePayment, refundPayment, voidPayment } from "../../../modules/payments/change-payment.ts";
import { PaymentResource, presentPayment } from "../../../modules/payments/payment-resource.ts";
import type { Payment, PaymentScope } from "../../../modules/payments/queries.ts";
import { getPayment } from "../../../modules/payments/read-payments.ts";
import { actorOf, agentActorOf, principalOf, scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { amountOf, requireAgentHeader } from "./payment-fields.ts";

/** What routes have in common on which an agent, or the developer in the dashboard, changes a payment and money moves. */
const paymentChange = {
  auth: "tenant",
  scope: "payments:write",
  agentBound: "allowed",
  movesMoney: true,
  answers: { 200: PaymentResource },
} as const;

/** Returns how a changed payment is sent. */
const paymentReply = (app: App) => ({
  status: 200 as const,
  present: (payment: Payment) => presentPayment(app, payment, app.clock.now()),
});

/** Returns the amount in base units, or undefined if none is sent. All tokens of payments have the decimals of USDC. */
function baseUnitsOf({ amount }: { readonly amount?: string }): bigint | undefined {
  return amount === undefined ? undefined : amountOf("/body/amount", amount, "usdc").baseUnits;
}

/** Who makes a request about a payment. */
interface PaymentCaller {
  /** The agent that acts, in lowercase. Null if the developer acts in the dashboard. */
  readonly agentId: string | null;
  readonly actor: Actor;
}

/**
 * Returns the agent in `X-Agent-ID`, which only a dashboard session can leave out. Throws as `requirePaymentAgent` does. The
 * caller must compare the agent with the payment's.
 */
function paymentCallerOf(request: FastifyRequest): PaymentCaller {
  if (principalOf(request).kind === "session" && singleHeader(request, "x-agent-id") === "") {
    return { agentId: null, actor: actorOf(request) };
  }
  const agentId = requirePaymentAgent(request);
  return { agentId, actor: agentActorOf(request, agentId) };
}

/**
 * Returns the agent in `X-Agent-ID`, in lowercase. Throws `validation_error` if the header is missing, and
 * `payment_not_found` if the key is bound to other agents.
 */
function requirePaymentAgent(request: FastifyRequest): string {
  const agentId = requireAgentHeader(request);
  const { agentIds } = scopeOf(request);
  if (agentIds.length > 0 && !agentIds.includes(agentId)) {
    throw new AppError("payment_not_found", { internal: "the key is bound to other agents" });
  }
  return agentId;
}

/**
 * Returns the payments that the caller made, of which only those of the agent in `X-Agent-ID` if the header is sent. Throws
 * `payment_not_found` if the key is bound to other agents.
 */
function payerScopeOf(request: FastifyRequest): PaymentScope {
  const scope = scopeOf(request);
  if (singleHeader(request, "x-agent-id") === "") return scope;
  return { ...scope, agentIds: [requirePaymentAgent(request)] };
}

const capturePaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/capture", {
  operationId: "capturePayment",
  sdk: "payments.capture",
  summary: "Capture an authorized payment",
  description:
    "Pays the payee at most the amount that is held, once, and releases the rest. In live mode the payment is `queued`, and `captured` when a final block contains it. `X-Agent-ID` must name the agent that made the payment; only a dashboard session can leave it out. Fails with `agent_suspended` if the agent is not active, with `wallet_frozen` if its wallet is frozen, and with `conflict` unless the payment is `authorized`. An authorization has expired from the very second of `expires_at`.",
  ...paymentChange,
  body: StrictObject("CapturePaymentRequest", {
    amount: Type.Optional({
      ...PositiveDecimalIn,
      description: "The amount to pay: at most the payment's `amount`. Default: the whole amount.",
    }),
  }),
  errors: ["agent_suspended", "wallet_frozen", "conflict", "provider_not_configured", "network_unavailable"],
  example: { amount: "4.50" },
  run: async (app, request, reply) => {
    const { agentId, actor } = paymentCallerOf(request);
    const baseUnits = baseUnitsOf(request.body);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      capturePayment(app, actor, { claim, paymentId, agentId, baseUnits }),
    );
  },
});

const voidPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/void", {
  operationId: "voidPayment",
  sdk: "payments.void",
  summary: "Void an authorized payment",
  description:
    "Releases everything that is held for the payment, also if its wallet is frozen. `X-Agent-ID` must name the agent that made the payment; only a dashboard session can leave it out. Fails with `conflict` unless the payment is `authorized`.",
  ...paymentChange,
  body: StrictObject("VoidPaymentRequest", {}),
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const { agentId, actor } = paymentCallerOf(request);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      voidPayment(app, actor, { claim, paymentId, agentId }),
    );
  },
});

const refundPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/refund", {
  operationId: "refundPayment",
  sdk: "payments.refund",
  summary: "Refund a payment",
  description:
    "Moves an amount from the payee's wallet back to the wallet that paid. `X-Agent-ID` must name the agent that was paid; only a dashboard session can leave it out. Refunds never exceed what was paid. Fails with `not_refundable` in live mode, and unless the payee is a wallet of the same account and was paid, with `agent_suspended` if the payee's agent is not active, with `wallet_frozen` if the payee's wallet is frozen or the payer's accepts no money, and with `insufficient_funds` if the payee's wallet has too little. The project's spending falls if the payment counts in the current month. Limits of policies count the payment as before.",
  ...paymentChange,
  body: StrictObject("RefundPaymentRequest", {
    amount: Type.Optional({
      ...PositiveDecimalIn,
      description: "The amount to refund: at most what was paid and is not refunded yet. Default: all of that.",
    }),
    reason: Type.Optional(
      Text("Why the payment is refunded, for the audit trail.", { ...DISPLAY_TEXT, maxLength: 500 }),
    ),
  }),
  errors: ["insufficient_funds", "not_refundable", "agent_suspended", "wallet_frozen"],
  example: { amount: "1.25", reason: "one page was missing" },
  run: async (app, request, reply) => {
    const { agentId, actor } = paymentCallerOf(request);
    const { reason = null } = request.body;
    const baseUnits = baseUnitsOf(request.body);
    const paymentId = pathId("pay", request.params.payment_id);
    return replyToMoneyRequest(app, request, reply, paymentReply(app), (claim) =>
      refundPayment(app, actor, { claim, paymentId, agentId, baseUnits, reason }),
    );
  },
});

const cancelPaymentRoute = endpoint("POST /api/v1/svc/payments/:payment_id/cancel", {
  operationId: "cancelPayment",
  sdk: "payments.cancel",
  summary: "Cancel a payment",
  description:
    "Ends a payment that waits for an approval, a capture or its turn on a network, also if its wallet is frozen. Releases everything that is held for it, and cancels its pending approval. Fails with `conflict` unless the payment is `requires_approval`, `authorized` or `queued`.",
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

export const paymentChangeRoutes: readonly Route[] = [
  capturePaymentRoute,
  voidPaymentRoute,
  refundPaymentRoute,
  cancelPaymentRoute,
];
