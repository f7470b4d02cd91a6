import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import type { MoneyAnswer, MoneyClaim } from "../../../idempotency/money/run-money-request.ts";
import { answerConversion } from "../../../modules/fiat/conversions/answer-conversion.ts";
import { ConversionResource, presentConversion } from "../../../modules/fiat/conversions/conversion-resource.ts";
import type { ConversionOrder } from "../../../modules/fiat/conversions/plan-conversion.ts";
import {
  type ConversionReference,
  executeQuote,
  requestConversion,
  validateConversion,
} from "../../../modules/fiat/conversions/request-conversion.ts";
import { actorOf, agentActorOf } from "../../auth/principal.ts";
import type { ReplyOf } from "../../idempotency.ts";
import { replyToMoneyRequestByReference } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import {
  conversionCallerOf,
  OffRampRequest,
  OnRampRequest,
  offRampOrderOf,
  onRampOrderOf,
} from "./conversion-fields.ts";

const REFUSALS =
  "Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`, then `conflict` if the bank account is not verified or its holder not approved. Policies decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval refuses. Live conversions fail with `network_unavailable` in this version.";

const REFUSAL_CODES = [
  "agent_suspended",
  "wallet_frozen",
  "kya_required",
  "policy_denied",
  "cap_exceeded",
  "insufficient_funds",
  "conflict",
  "network_unavailable",
] as const;

const CONVERSION = {
  auth: "tenant",
  scope: "fiat:write",
  agentBound: "allowed",
  movesMoney: true,
  requiresKyb: "fiat",
  answers: { 200: ConversionResource },
} as const;

interface RampBody {
  readonly quote_id?: string;
  readonly execute?: boolean;
  readonly validate_only?: boolean;
}

export const onRampRoute = endpoint("POST /api/v1/svc/fiat/on-ramp", {
  operationId: "onRamp",
  sdk: "fiat.onRamp",
  summary: "Convert dollars into USDC",
  description: `Converts dollars that you send from a linked bank account into USDC in a wallet. Send the dollars as \`deposit_instructions\` says; the tokens arrive after the dollars. ${REFUSALS}`,
  ...CONVERSION,
  body: OnRampRequest,
  errors: ["fiat_account_not_found", "wallet_not_found", ...REFUSAL_CODES],
  example: { source_account_id: "ACCOUNT_ID", wallet_id: "WALLET_ID", amount: "100.00" },
  run: async (app, request, reply) =>
    convert(app, request, reply, { body: request.body, order: onRampOrderOf(request.body) }),
});

export const offRampRoute = endpoint("POST /api/v1/svc/fiat/off-ramp", {
  operationId: "offRamp",
  sdk: "fiat.offRamp",
  summary: "Convert USDC into dollars",
  description: `Converts USDC of a wallet into dollars in a linked bank account. The tokens are held at once, and count toward the cap of the agent's project. ${REFUSALS}`,
  ...CONVERSION,
  body: OffRampRequest,
  errors: ["fiat_account_not_found", "wallet_not_found", ...REFUSAL_CODES],
  example: { wallet_id: "WALLET_ID", destination_account_id: "ACCOUNT_ID", amount: "40.00" },
  run: async (app, request, reply) =>
    convert(app, request, reply, { body: request.body, order: offRampOrderOf(request.body) }),
});

export const executeConversionRoute = endpoint("POST /api/v1/svc/fiat/conversions/:conversion_id/execute", {
  operationId: "executeConversion",
  sdk: "fiat.conversions.execute",
  summary: "Execute a quote",
  description: `Executes a quote. Fails with \`quote_expired\` after its 30 seconds, and with \`conflict\` if it was executed. ${REFUSALS}`,
  ...CONVERSION,
  errors: ["quote_expired", ...REFUSAL_CODES],
  run: async (app, request, reply) => {
    const caller = conversionCallerOf(request);
    const conversionId = pathId("conv", request.params.conversion_id);
    return replyWith(app, request, reply, (actor, claim) => executeQuote(app, actor, { claim, caller, conversionId }));
  },
});

type Reply = ReplyOf<FastifySchema & { readonly response: (typeof CONVERSION)["answers"] }>;

async function convert(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply | Reply,
  { body, order }: { readonly body: RampBody; readonly order: ConversionOrder },
): Promise<FastifyReply> {
  const caller = conversionCallerOf(request);
  if (body.validate_only === true) {
    const validated = await validateConversion(app, conversionActorOf(request), { caller, order });
    request.isMoneyRequest = true;
    const presented = presentConversion(validated, app.clock.now());
    return (reply as unknown as FastifyReply).send({ ...presented, conversion_id: null });
  }
  const { quote_id: quoteId, execute: isExecuted = true } = body;
  if (quoteId !== undefined && !isExecuted) {
    throw invalidField("/body/execute", "mismatch", "must not be false with quote_id, which executes the quote");
  }
  return replyWith(app, request, reply, (actor, claim) =>
    requestConversion(app, actor, { claim, caller, order, quoteId, isExecuted }),
  );
}

function replyWith(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply | Reply,
  execute: (
    actor: ReturnType<typeof conversionActorOf>,
    claim: MoneyClaim<ConversionReference>,
  ) => Promise<MoneyAnswer>,
): Promise<FastifyReply> {
  const actor = conversionActorOf(request);
  return replyToMoneyRequestByReference(
    app,
    request,
    reply as Reply,
    async (reference: ConversionReference, isReplayed) =>
      presentConversion(await answerConversion(app, actor.tenantId, reference, isReplayed), app.clock.now()),
    (claim) => execute(actor, claim),
  );
}

/** The actor is the agent that acts, or else the developer. */
function conversionActorOf(request: FastifyRequest) {
  const { agentId } = conversionCallerOf(request);
  return agentId === null ? actorOf(request) : agentActorOf(request, agentId);
}
