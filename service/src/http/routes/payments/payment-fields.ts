import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField, problemBody } from "../../../foundation/errors.ts";
import { isId, isUuid } from "../../../foundation/ids.ts";
import { ASSETS, type Asset, parseTokenAmount, type TokenAmount } from "../../../foundation/money.ts";
import { PAYEE_TYPES, PAYMENT_EXECUTIONS, POLICY_OUTCOMES } from "../../../foundation/vocabulary.ts";
import {
  DecimalIn,
  DISPLAY_TEXT,
  Flag,
  NamedObject,
  Nullable,
  OneOf,
  PositiveDecimalIn,
  STORABLE_TEXT,
  StrictObject,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import { Problem } from "../../../foundation/wire/problem.ts";
import { PaymentResource, presentPayment } from "../../../modules/payments/payment-resource.ts";
import type { PaymentOrder } from "../../../modules/payments/send/plan-payment.ts";
import type { SendPayment } from "../../../modules/payments/send/send-payment.ts";
import type { SimulatedPayment } from "../../../modules/payments/send/simulate-payment.ts";
import { AUTHORIZATION_MAX_MS } from "../../../modules/payments/settle-payment.ts";
import { scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { agentIdOf, requireOwnAgent } from "../agents/acting-agent.ts";
import { OwnMetadata } from "../metadata-fields.ts";
import { checksumAddress, NetworkIn, requireNetwork } from "../wallets/wallet-fields.ts";

const PayeeValue = Type.String({ minLength: 1, maxLength: 200, ...STORABLE_TEXT });

export const PaymentSendRequest = StrictObject("PaymentSendRequest", {
  agent_id: Text("The agent that pays. Must be equal to the `X-Agent-ID` header.", { format: "uuid", maxLength: 36 }),
  amount: {
    ...PositiveDecimalIn,
    description: "What the payee gets, greater than zero. Fees come on top. Up to the token's decimals; never rounded.",
  },
  token: Type.Optional(
    Text("A stablecoin of US dollars: `USDC`, `USDT` or `PYUSD`. Default: `USDC`.", { maxLength: 20 }),
  ),
  network: Type.Optional({
    ...NetworkIn,
    description:
      "The network of the wallet, as a name such as `base` or as a CAIP-2 id. Required if the agent has wallets on several networks and `wallet_id` is missing.",
  }),
  wallet_id: Type.Optional(
    Text("The wallet that pays. Default: the agent's wallet on `network`.", { maxLength: 64, ...STORABLE_TEXT }),
  ),
  to: Type.Unsafe<string | { readonly type: (typeof PAYEE_TYPES)[number]; readonly value: string }>({
    type: ["string", "object"],
    minLength: 1,
    maxLength: 200,
    pattern: STORABLE_TEXT.pattern,
    required: ["type", "value"],
    properties: { type: Type.Enum([...PAYEE_TYPES]), value: PayeeValue },
    additionalProperties: false,
    description:
      "The payee: an address, an agent's id (its wallet on the same network) or a wallet's id, as an object with `type` and `value` or as a string. Purser cannot pay `x402_url` and `merchant` yet. A wallet of the same account is paid at once.",
  }),
  purpose: Type.Optional(
    Text("Why the agent pays. Shown to the person who approves the payment.", { maxLength: 500, ...DISPLAY_TEXT }),
  ),
  reference: Type.Optional(Text("Your own reference.", { maxLength: 200, ...DISPLAY_TEXT })),
  execution: Type.Optional(
    OneOf(PAYMENT_EXECUTIONS, "`authorize_only` holds the amount until it is captured or voided. Default: `auto`."),
  ),
  max_fee: Type.Optional({
    ...DecimalIn,
    description:
      "The payment is refused if its fees are higher. It never lowers the amount. Test payments have no fees.",
  }),
  expires_at: Type.Optional({
    ...Timestamp,
    description:
      "When the payment expires while it waits for an approval or a capture. In the future, and for `authorize_only` at most 7 days from now, which is the default.",
  }),
  project_id: Type.Optional(
    Text(
      "The project whose monthly cap the payment counts toward. Required if the agent belongs to several projects.",
      { maxLength: 64, ...STORABLE_TEXT },
    ),
  ),
  mandate: Type.Optional(Type.Unsafe<unknown>({ description: "Not supported in this version: 422." })),
  simulate: Type.Optional(
    Flag("With `true`, responds as `POST /payments/simulate` does, and changes nothing. Default: false."),
  ),
  metadata: OwnMetadata,
});

const { mode, agent_id, wallet_id, network, token, amount, to, project_id, fees, decision } =
  PaymentResource.properties;

export const PaymentSimulation = NamedObject("PaymentSimulation", {
  object: Type.Literal("payment_simulation"),
  outcome: OneOf(
    POLICY_OUTCOMES,
    "`allow` if the payment would be made, `require_approval` if a person would be asked, and `deny` if it would be refused.",
  ),
  ...{ mode, agent_id, wallet_id, network, token, amount, fees, to, project_id, decision },
  refusal: Nullable(Problem, "The error that the payment would fail with. Null unless it would be refused."),
});

export function presentSimulation(
  app: Pick<App, "signer" | "clock" | "settings">,
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

type Body = Static<typeof PaymentSendRequest>;

/**
 * Returns the order of a request. Throws `validation_error`, and `agent_not_found` for an agent that the key is not
 * bound to.
 */
export function paymentCommandOf(request: FastifyRequest, body: Body, now: Date): SendPayment {
  const { tenantId, mode } = scopeOf(request);
  requireAgentHeader(request, body.agent_id);
  const agentId = agentIdOf(request, body.agent_id);
  if (body.mandate !== undefined) {
    throw invalidField("/body/mandate", "unsupported", "is not supported in this version");
  }
  const asset = assetOf(body.token ?? "USDC");
  if (mode === "live" && asset !== "usdc") throw invalidField("/body/token", "enum", "must be USDC in live mode");
  const { execution = "auto", max_fee: maxFee } = body;
  const command: SendPayment = {
    order: {
      ...{ tenantId, mode, agentId, walletId: body.wallet_id, projectId: body.project_id },
      network: body.network === undefined ? undefined : requireNetwork(body.network),
      amount: amountOf("/body/amount", body.amount, asset),
      payee: payeeOf(body.to),
      approved: [],
    },
    details: {
      execution,
      purpose: body.purpose ?? null,
      reference: body.reference ?? null,
      maxFeeBaseUnits: maxFee === undefined ? null : tokensOf("/body/max_fee", maxFee, asset).baseUnits,
      requestedExpiresAt: expiryOf(body.expires_at, execution, now),
      metadata: body.metadata ?? {},
    },
  };
  requireOwnAgent(request, agentId);
  return command;
}

/** Returns the agent's id in lowercase. Throws `validation_error` without the header, and names the agent of the body. */
export function requireAgentHeader(request: FastifyRequest, bodyAgentId?: string): string {
  const header = singleHeader(request, "x-agent-id");
  if (header !== "") return header.toLowerCase();
  const detail = bodyAgentId === undefined ? "is required" : `is required: send the body's agent, ${bodyAgentId}`;
  throw invalidField("/headers/x-agent-id", "required", detail);
}

function assetOf(token: string): Asset {
  const asset = token.toLowerCase();
  const isPayable =
    token === token.toUpperCase() && Object.hasOwn(ASSETS, asset) && ASSETS[asset as Asset].isUsdStablecoin;
  if (isPayable) return asset as Asset;
  throw invalidField("/body/token", "enum", "must be USDC, USDT or PYUSD");
}

/** Returns an amount greater than zero. Throws `validation_error` if it has more decimals than the token. */
export function amountOf(pointer: string, text: string, asset: Asset): TokenAmount {
  const amount = tokensOf(pointer, text, asset);
  if (amount.baseUnits > 0n) return amount;
  throw invalidField(pointer, "minimum", "must be greater than zero");
}

function tokensOf(pointer: string, text: string, asset: Asset): TokenAmount {
  const amount = parseTokenAmount(text, asset);
  if (amount !== undefined) return amount;
  const detail = `must have at most ${ASSETS[asset].decimals} decimals`;
  throw invalidField(pointer, "decimals", detail);
}

function payeeOf(to: Body["to"]): PaymentOrder["payee"] {
  const { type, value } = typeof to === "string" ? payeeOfText(to) : to;
  if (type === "x402_url" || type === "merchant") {
    throw invalidField("/body/to/type", "unsupported", `${type} cannot be paid in this version`);
  }
  const pointer = typeof to === "string" ? "/body/to" : "/body/to/value";
  if (type === "agent" && !isUuid(value)) {
    throw invalidField(pointer, "format", "must be an agent's id");
  }
  if (type === "address") return { type, value: checksumAddress(value, pointer) };
  return { type, value };
}

function payeeOfText(text: string): PaymentOrder["payee"] {
  if (isUuid(text)) return { type: "agent", value: text };
  return { type: isId("wal", text) ? "wallet" : "address", value: text };
}

function expiryOf(text: string | undefined, execution: string, now: Date): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  if (time <= now) throw invalidField("/body/expires_at", "past", "must be in the future");
  if (execution === "authorize_only" && time.getTime() > now.getTime() + AUTHORIZATION_MAX_MS) {
    throw invalidField("/body/expires_at", "maximum", "must be at most 7 days from now");
  }
  return time;
}
