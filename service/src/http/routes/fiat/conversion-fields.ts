import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";
import type { ConversionDirection } from "../../../foundation/vocabulary.ts";
import {
  DecimalIn,
  PositiveDecimalIn,
  PRINTABLE_TEXT,
  STORABLE_TEXT,
  StrictObject,
} from "../../../foundation/wire/fields.ts";
import type { ConversionCaller, ConversionOrder } from "../../../modules/fiat/conversions/plan-conversion.ts";
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
    Type.Enum(["source", "target"], {
      description: "Whether `amount` is what is converted, or what the destination gets. Default: `source`.",
    }),
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
  execute: Type.Optional(
    Type.Boolean({ description: "With `false`, returns a quote that is valid for 30 seconds. Default: `true`." }),
  ),
  validate_only: Type.Optional(
    Type.Boolean({
      description:
        "With `true`, returns what would be converted, or the refusal, and stores nothing. Default: `false`.",
    }),
  ),
  max_fee: Type.Optional({ ...DecimalIn, description: "The conversion is refused if its fees are higher." }),
  external_reference_id: Type.Optional(
    Type.String({ maxLength: 100, ...PRINTABLE_TEXT, description: "Your own reference. Never sent to Bridge." }),
  ),
  metadata: OwnMetadata,
};

export const OnRampRequest = StrictObject("OnRampRequest", {
  source_account_id: { ...IdText, description: "The bank account from which the dollars are sent." },
  wallet_id: Type.Optional({ ...IdText, description: "The wallet that gets the tokens." }),
  destination_address: Type.Optional(
    Type.String({
      maxLength: 42,
      ...STORABLE_TEXT,
      description: "The address of one of your wallets, with `network`.",
    }),
  ),
  network: Type.Optional(NetworkIn),
  payment_rail: Type.Optional({ ...Name, description: "`ach_push` (default) or `wire`: you send the dollars." }),
  ...common,
});

export const OffRampRequest = StrictObject("OffRampRequest", {
  wallet_id: { ...IdText, description: "The wallet whose tokens are converted." },
  destination_account_id: { ...IdText, description: "The bank account that gets the dollars." },
  payment_rail: Type.Optional({ ...Name, description: "`ach` (default), `ach_same_day` or `wire`." }),
  statement_descriptor: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9 ]{1,10}$",
      description: "Shown on the recipient's statement. Only for ACH.",
    }),
  ),
  ...common,
});

type CommonBody = Omit<
  Static<typeof OnRampRequest>,
  "source_account_id" | "wallet_id" | "destination_address" | "network"
>;

export function onRampOrderOf(body: Static<typeof OnRampRequest>): ConversionOrder {
  return {
    ...orderOf(body, "on_ramp", ["ach_push", "wire"]),
    accountId: body.source_account_id,
    wallet: walletOf(body),
    statementDescriptor: null,
  };
}

export function offRampOrderOf(body: Static<typeof OffRampRequest>): ConversionOrder {
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
export function conversionCallerOf(request: FastifyRequest): ConversionCaller {
  const agentId = actingAgentOf(request);
  const scope = walletScopeOf(request);
  return { agentId, scope: agentId === null ? scope : { ...scope, agentIds: [agentId] } };
}
