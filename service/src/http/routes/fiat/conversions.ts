import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { CONVERSION_DIRECTIONS, CONVERSION_STATUSES } from "../../../foundation/vocabulary.ts";
import { STORABLE_TEXT, Timestamp } from "../../../foundation/wire/fields.ts";
import type { MoneyAnswer, MoneyClaim } from "../../../idempotency/money/run-money-request.ts";
import { answerConversion } from "../../../modules/fiat/conversions/answer-conversion.ts";
import { ConversionResource, presentConversion } from "../../../modules/fiat/conversions/conversion-resource.ts";
import { cancelConversion } from "../../../modules/fiat/conversions/end-conversion.ts";
import type { ConversionOrder } from "../../../modules/fiat/conversions/plan-conversion.ts";
import { listConversions } from "../../../modules/fiat/conversions/queries.ts";
import {
  type ConversionReference,
  executeQuote,
  requestConversion,
  validateConversion,
} from "../../../modules/fiat/conversions/request-conversion.ts";
import { requireConversion, withMasks } from "../../../modules/fiat/conversions/require-conversion.ts";
import { actorOf, agentActorOf } from "../../auth/principal.ts";
import { cursorPage, cursorQuery, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { type ReplyOf, replyOnce } from "../../idempotency.ts";
import { replyToMoneyRequestByReference } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { walletScopeOf } from "../wallets/wallet-fields.ts";
import {
  conversionCallerOf,
  OffRampRequest,
  OnRampRequest,
  offRampOrderOf,
  onRampOrderOf,
} from "./conversion-fields.ts";

const REFUSALS =
  "Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`, then `conflict` if the bank account is not verified or its holder not approved. Policies decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval refuses. Live conversions fail with `network_unavailable` for a wallet of a test network, and while its network cannot be used.";

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

export const getConversionRoute = endpoint("GET /api/v1/svc/fiat/conversions/:conversion_id", {
  operationId: "getConversion",
  sdk: "fiat.conversions.get",
  summary: "Get a conversion",
  description: "Returns a conversion. A key that is bound to agents can read those of their wallets.",
  auth: "tenant",
  scope: "fiat:read",
  agentBound: "allowed",
  answers: { 200: ConversionResource },
  run: async (app, request) => {
    const conversionId = pathId("conv", request.params.conversion_id);
    return presentConversion(await requireConversion(app.db, walletScopeOf(request), conversionId), app.clock.now());
  },
});

const ConversionsQuery = cursorQuery({
  status: Type.Optional(
    Type.Enum([...CONVERSION_STATUSES], { description: "Returns only conversions with this status." }),
  ),
  direction: Type.Optional(Type.Enum([...CONVERSION_DIRECTIONS])),
  wallet_id: Type.Optional(
    Type.String({ maxLength: 64, ...STORABLE_TEXT, description: "Returns only conversions of this wallet." }),
  ),
  from: Type.Optional({ ...Timestamp, description: "Returns only conversions created at this time or later." }),
  to: Type.Optional({ ...Timestamp, description: "Returns only conversions created before this time." }),
});

export const listConversionsRoute = endpoint("GET /api/v1/svc/fiat/conversions", {
  operationId: "listConversions",
  sdk: "fiat.conversions.list",
  summary: "List conversions",
  description:
    "Returns conversions and quotes of the caller's mode, newest first. A key that is bound to agents gets those of their wallets.",
  auth: "tenant",
  scope: "fiat:read",
  agentBound: "allowed",
  query: ConversionsQuery,
  answers: { 200: cursorPage(ConversionResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status, direction, wallet_id, from, to } = request.query;
    const at = app.clock.now();
    const page = await listConversions(app.db, walletScopeOf(request), {
      ...{ status, direction, walletId: wallet_id, at, limit },
      ...{ from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) },
      after: decodeIdCursor(cursor, "conv"),
    });
    const items = await withMasks(app.db, page.items);
    return presentPage(
      { ...page, items },
      (masked) => presentConversion(masked, at),
      ({ conversion }) => conversion.conversionId,
    );
  },
});

export const cancelConversionRoute = endpoint("POST /api/v1/svc/fiat/conversions/:conversion_id/cancel", {
  operationId: "cancelConversion",
  sdk: "fiat.conversions.cancel",
  summary: "Cancel a conversion",
  description:
    "Cancels a quote, an on-ramp whose dollars have not arrived, or an off-ramp whose tokens have not been sent. Otherwise fails with `conflict`.",
  auth: "tenant",
  scope: "fiat:write",
  agentBound: "allowed",
  replayGuard: "strict",
  answers: { 200: ConversionResource },
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const conversionId = pathId("conv", request.params.conversion_id);
    const actor = actorOf(request);
    const present = (canceled: Parameters<typeof presentConversion>[0]) => presentConversion(canceled, app.clock.now());
    return replyOnce(app, request, reply, { status: 200, present }, (saveResponse) =>
      cancelConversion(app, { actor, scope: walletScopeOf(request), conversionId }, saveResponse),
    );
  },
});
