import type { FastifyRequest } from "fastify";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { AppError } from "../../../foundation/errors.ts";
import { PaymentResource, presentPayment } from "../../../modules/payments/payment-resource.ts";
import type { Payment, PaymentScope } from "../../../modules/payments/queries.ts";
import { agentActorOf, scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";

import { amountOf, requireAgentHeader } from "./payment-fields.ts";

/** What routes have in common on which an agent changes a payment and money moves. */
export const paymentChange = {
  auth: "signed",
  scope: "payments:write",
  agentBound: "allowed",
  agentHeader: "required",
  movesMoney: true,
  answers: { 200: PaymentResource },
} as const;

/** Returns how a changed payment is sent. */
export const paymentReply = (app: App) => ({
  status: 200 as const,
  present: (payment: Payment) => presentPayment(app, payment, app.clock.now()),
});

/** Returns the amount in base units, or undefined if none is sent. All tokens of payments have the decimals of USDC. */
export function baseUnitsOf({ amount }: { readonly amount?: string }): bigint | undefined {
  return amount === undefined ? undefined : amountOf("/body/amount", amount, "usdc").baseUnits;
}

/** The agent that makes a request about a payment. */
export interface PaymentAgent {
  /** In lowercase. */
  readonly agentId: string;
  readonly actor: Actor;
}

/**
 * Returns the agent in `X-Agent-ID`. Throws `validation_error` if the header is missing, and `payment_not_found` if the key
 * is bound to other agents. The caller must compare the agent with the payment's.
 */
export function requirePaymentAgent(request: FastifyRequest): PaymentAgent {
  const agentId = requireAgentHeader(request);
  const { agentIds } = scopeOf(request);
  if (agentIds.length > 0 && !agentIds.includes(agentId)) {
    throw new AppError("payment_not_found", { internal: "the key is bound to other agents" });
  }
  return { agentId, actor: agentActorOf(request, agentId) };
}

/**
 * Returns the payments that the caller made, of which only those of the agent in `X-Agent-ID` if the header is sent. Throws
 * `payment_not_found` if the key is bound to other agents.
 */
export function payerScopeOf(request: FastifyRequest): PaymentScope {
  const scope = scopeOf(request);
  if (singleHeader(request, "x-agent-id") === "") return scope;
  return { ...scope, agentIds: [requirePaymentAgent(request).agentId] };
}
