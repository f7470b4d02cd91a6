import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import {
  CONVERSION_DIRECTIONS,
  CONVERSION_STATUSES,
  type ConversionDirection,
} from "../../../foundation/vocabulary.ts";
import {
  DecimalIn,
  Flag,
  OneOf,
  PositiveDecimalIn,
  PRINTABLE_TEXT,
  STORABLE_TEXT,
  StrictObject,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import type { MoneyAnswer, MoneyClaim } from "../../../idempotency/money/run-money-request.ts";
import { answerConversion } from "../../../modules/fiat/conversions/answer-conversion.ts";
import { ConversionResource, presentConversion } from "../../../modules/fiat/conversions/conversion-resource.ts";
import { cancelConversion } from "../../../modules/fiat/conversions/end-conversion.ts";
import type { ConversionCaller, ConversionOrder } from "../../../modules/fiat/conversions/plan-conversion.ts";
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
import { endpoint, type Route } from "../../route.ts";
import { actingAgentOf } from "../agents/acting-agent.ts";
import { OwnMetadata } from "../metadata-fields.ts";
import { checksumAddress, NetworkIn, requireNetwork, walletScopeOf } from "../wallets/wallet-fields.ts";

const IdText = Type.String({ maxLength: 64, ...STORABLE_TEXT });
const Name = Type.String({ maxLength: 20, ...STORABLE_TEXT });

const common = {
  amount: {
    ...PositiveDecimalIn,
    description: "At most two decimals. The destination gets at least 1.00, and the source is at most 1,000,000.00.",
  },
  amount_type: Type.Optional(
    OneOf(
      ["source", "target"],
      "Whether `amount` is what is converted, or what the destination gets. Default: `source`.",
    ),
  ),
  currency: Type.Optional({ ...Name, description: "Only `usd`." }),
  token: Type.Optional({ ...Name, description: "Only `usdc`." }),
  project_id: Type.Optional({
    ...IdText,
    description: "The project of the wallet's agent. Required if the agent belongs to several.",
  }),
  quote_id: Type.Optional({
    ...IdText,
    description: "Executes this quote. All other fields must be those with which it was requested.",
  }),
  execute: Type.Optional(Flag("With `false`, returns a quote that is valid for 30 seconds. Default: `true`.")),
  validate_only: Type.Optional(
    Flag("With `true`, returns what would be converted, or the refusal, and stores nothing. Default: `false`."),
  ),
  max_fee: Type.Optional({ ...DecimalIn, description: "The conversion is refused if its fees are higher." }),
  external_reference_id: Type.Optional(
    Text("Your own reference. Never sent to Bridge.", { maxLength: 100, ...PRINTABLE_TEXT }),
  ),
  metadata: OwnMetadata,
};

const OnRampRequest = StrictObject("OnRampRequest", {
  source_account_id: { ...IdText, description: "The bank account from which the dollars are sent." },
  wallet_id: Type.Optional({ ...IdText, description: "The wallet that gets the tokens." }),
  destination_address: Type.Optional(
    Text("The address of one of your wallets, with `network`.", { maxLength: 42, ...STORABLE_TEXT }),
  ),
  network: Type.Optional(NetworkIn),
  payment_rail: Type.Optional({ ...Name, description: "`ach_push` (default) or `wire`: you send the dollars." }),
  ...common,
});

const OffRampRequest = StrictObject("OffRampRequest", {
  wallet_id: { ...IdText, description: "The wallet whose tokens are converted." },
  destination_account_id: { ...IdText, description: "The bank account that gets the dollars." },
  payment_rail: Type.Optional({ ...Name, description: "`ach` (default), `ach_same_day` or `wire`." }),
  statement_descriptor: Type.Optional(
    Text("Shown on the recipient's statement. Only for ACH.", { pattern: "^[A-Za-z0-9 ]{1,10}$" }),
  ),
  ...common,
});

type CommonBody = Omit<
  Static<typeof OnRampRequest>,
  "source_account_id" | "wallet_id" | "destination_address" | "network"
>;

function onRampOrderOf(body: Static<typeof OnRampRequest>): ConversionOrder {
  return {
    ...orderOf(body, "on_ramp", ["ach_push", "wire"]),
    accountId: body.source_account_id,
    wallet: walletOf(body),
    statementDescriptor: null,
  };
}

function offRampOrderOf(body: Static<typeof OffRampRequest>): ConversionOrder {
  const { statement_descriptor: descriptor, wallet_id: walletId } = body;
  if (descriptor !== undefined && body.payment_rail === "wire") {
    throw invalidField("/body/statement_descriptor", "not_allowed", "is possible only for ACH");
  }
  return {
    ...orderOf(body, "off_ramp", ["ach", "ach_same_day", "wire"]),
    accountId: body.destination_account_id,
    wallet: { walletId },
    statementDescriptor: descriptor ?? null,
  };
}

function orderOf(
  body: CommonBody,
  direction: ConversionDirection,
  rails: readonly [ConversionOrder["paymentRail"], ...ConversionOrder["paymentRail"][]],
): Omit<ConversionOrder, "accountId" | "wallet" | "statementDescriptor"> {
  requireOnly("/body/currency", body.currency, ["usd"]);
  requireOnly("/body/token", body.token, ["usdc"]);
  const paymentRail = body.payment_rail === undefined ? rails[0] : rails.find((rail) => rail === body.payment_rail);
  if (paymentRail === undefined) throw unsupported("/body/payment_rail", rails);
  if (body.validate_only === true && body.quote_id !== undefined) {
    throw invalidField("/body/quote_id", "not_allowed", "cannot be combined with validate_only");
  }
  return {
    ...{ direction, paymentRail, amount: body.amount, amountType: body.amount_type ?? "source" },
    ...{ projectId: body.project_id, maxFee: body.max_fee, metadata: body.metadata ?? {} },
    externalReferenceId: body.external_reference_id ?? null,
  };
}

function requireOnly(pointer: string, text: string | undefined, names: readonly string[]): void {
  if (text !== undefined && !names.includes(text.toLowerCase())) throw unsupported(pointer, names);
}

function unsupported(pointer: string, names: readonly string[]) {
  return invalidField(pointer, "unsupported", `must be ${names.join(" or ")}`);
}

function walletOf(body: Static<typeof OnRampRequest>): ConversionOrder["wallet"] {
  const { wallet_id: walletId, destination_address: address, network } = body;
  if (walletId !== undefined) {
    const other = address !== undefined ? "destination_address" : network !== undefined && "network";
    if (other !== false) throw invalidField(`/body/${other}`, "not_allowed", "cannot be combined with wallet_id");
    return { walletId };
  }
  if (address === undefined)
    throw invalidField("/body/wallet_id", "required", "is required, or destination_address and network");
  if (network === undefined) throw invalidField("/body/network", "required", "is required with destination_address");
  return { address: checksumAddress(address, "/body/destination_address"), network: requireNetwork(network) };
}

/** Returns what the caller of a conversion can reach, and the agent that acts. */
function conversionCallerOf(request: FastifyRequest): ConversionCaller {
  const agentId = actingAgentOf(request);
  const scope = walletScopeOf(request);
  return { agentId, scope: agentId === null ? scope : { ...scope, agentIds: [agentId] } };
}

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

const onRampRoute = endpoint("POST /api/v1/svc/fiat/on-ramp", {
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

const offRampRoute = endpoint("POST /api/v1/svc/fiat/off-ramp", {
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

const executeConversionRoute = endpoint("POST /api/v1/svc/fiat/conversions/:conversion_id/execute", {
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

const getConversionRoute = endpoint("GET /api/v1/svc/fiat/conversions/:conversion_id", {
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
  status: Type.Optional(OneOf(CONVERSION_STATUSES, "Returns only conversions with this status.")),
  direction: Type.Optional(Type.Enum([...CONVERSION_DIRECTIONS])),
  wallet_id: Type.Optional(Text("Returns only conversions of this wallet.", { maxLength: 64, ...STORABLE_TEXT })),
  from: Type.Optional({ ...Timestamp, description: "Returns only conversions created at this time or later." }),
  to: Type.Optional({ ...Timestamp, description: "Returns only conversions created before this time." }),
});

const listConversionsRoute = endpoint("GET /api/v1/svc/fiat/conversions", {
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

const cancelConversionRoute = endpoint("POST /api/v1/svc/fiat/conversions/:conversion_id/cancel", {
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

export const conversionRoutes: readonly Route[] = [
  onRampRoute,
  offRampRoute,
  listConversionsRoute,
  getConversionRoute,
  executeConversionRoute,
  cancelConversionRoute,
];
