import { type Static, Type } from "typebox";
import { EVM_NETWORKS } from "../../../foundation/blockchain-networks.ts";
import { formatUsdCents } from "../../../foundation/money.ts";
import { CONVERSION_DIRECTIONS, CONVERSION_STATUSES } from "../../../foundation/vocabulary.ts";
import {
  DecimalOut,
  FailureOut,
  Flag,
  ListOf,
  NamedObject,
  Nullable,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { FiatAccount } from "../queries.ts";
import { conversionStatusAt, hasFunds, isSettled } from "./conversion-status.ts";
import type { Conversion } from "./queries.ts";

const BankSide = NamedObject("ConversionBankSide", {
  type: Type.Literal("fiat_account"),
  account_id: Type.String(),
  mask: Nullable(Type.String()),
  amount: DecimalOut,
  currency: Type.Enum(["usd"]),
  payment_rail: Type.String(),
});

const WalletSide = NamedObject("ConversionWalletSide", {
  type: Type.Literal("wallet"),
  wallet_id: Type.String(),
  network: Type.Enum([...EVM_NETWORKS]),
  amount: DecimalOut,
  token: Type.Enum(["usdc"]),
});

const Side = (description: string) => Type.Union([BankSide, WalletSide], { description });

export const ConversionResource = NamedObject("Conversion", {
  object: Type.Literal("conversion"),
  conversion_id: Nullable(Type.String(), "Null with `validate_only`."),
  direction: Type.Enum([...CONVERSION_DIRECTIONS]),
  status: Type.Enum([...CONVERSION_STATUSES]),
  source: Side("What is converted."),
  destination: Side("What it becomes: the source minus the fees."),
  rate: { ...DecimalOut, description: "The rate before fees: always 1.0000." },
  fees: Type.Array(
    Type.Object({ type: Type.Enum(["provider", "network"]), amount: DecimalOut, currency: Type.Enum(["usd"]) }),
  ),
  quote: Nullable(
    Type.Object(
      { quote_id: Type.String(), expires_at: Timestamp },
      { description: "With `execute: false`. Null for others." },
    ),
  ),
  deposit_instructions: Nullable(
    Type.Object(
      {
        bank_name: Nullable(Type.String()),
        account_number: Nullable(Type.String()),
        routing_number: Nullable(Type.String()),
        reference: Nullable(Type.String()),
      },
      {
        description:
          "Where to send the dollars of an on-ramp. The transfer must have the reference. Null once they have arrived.",
      },
    ),
  ),
  trace: Type.Object({
    tx_hash: Nullable(Type.String()),
    tx_final: Type.Boolean(),
    ach_trace_number: Nullable(Type.String()),
    imad: Nullable(Type.String()),
  }),
  provider: Type.Enum(["bridge"]),
  provider_reference: Nullable(Type.String(), "Bridge's id of the transfer."),
  failure: Nullable(FailureOut, "Why the conversion ended."),
  return_reason: Nullable(Type.String()),
  timeline: ListOf(
    Type.Object({ status: Type.Enum([...CONVERSION_STATUSES]), at: Timestamp }),
    "The statuses that the conversion has had.",
  ),
  expected_completion_at: Nullable(Timestamp),
  agent_id: Nullable(Type.String(), "The agent that acts. Null for the developer."),
  project_id: Nullable(Type.String()),
  payment_reserved: Flag("Whether the amount is reserved in budgets."),
  external_reference_id: Nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: Nullable(Timestamp),
});

export type PresentedConversion = Static<typeof ConversionResource>;

/** A conversion with the last digits of its bank account. */
export interface MaskedConversion {
  readonly conversion: Conversion;
  readonly mask: FiatAccount["mask"];
}

export function presentConversion({ conversion, mask }: MaskedConversion, at: Date): PresentedConversion {
  const { direction, sourceCents, feeCents, quoteId, quoteExpiresAt, status } = conversion;
  const bank = (amountCents: bigint) => toWire(BankSide, conversion, bankFields(conversion, mask, amountCents));
  const wallet = (amountCents: bigint) =>
    toWire(WalletSide, conversion, { type: "wallet", amount: formatUsdCents(amountCents), token: conversion.asset });
  const [source, destination] = direction === "on_ramp" ? [bank, wallet] : [wallet, bank];
  return toWire(ConversionResource, conversion, {
    status: conversionStatusAt(conversion, at),
    source: source(sourceCents),
    destination: destination(sourceCents - feeCents),
    rate: "1.0000",
    fees: [
      { type: "provider", amount: formatUsdCents(feeCents), currency: "usd" },
      { type: "network", amount: "0.00", currency: "usd" },
    ],
    quote:
      quoteId === null || quoteExpiresAt === null
        ? null
        : { quote_id: quoteId, expires_at: quoteExpiresAt.toISOString() },
    deposit_instructions: instructionsOf(conversion),
    trace: {
      tx_hash: conversion.trace?.txHash ?? null,
      tx_final: status === "completed" && (conversion.trace?.txHash ?? null) !== null,
      ach_trace_number: conversion.trace?.achTraceNumber ?? null,
      imad: conversion.trace?.imad ?? null,
    },
    provider: "bridge",
    provider_reference: conversion.transferId,
    payment_reserved: conversion.reservationId !== null,
  });
}

function bankFields({ paymentRail, accountId }: Conversion, mask: string | null, amountCents: bigint) {
  return {
    ...({ type: "fiat_account", currency: "usd" } as const),
    ...{ account_id: accountId, mask, amount: formatUsdCents(amountCents), payment_rail: paymentRail },
  };
}

function instructionsOf(conversion: Conversion): PresentedConversion["deposit_instructions"] {
  const { depositInstructions } = conversion;
  if (depositInstructions === null || hasFunds(conversion) || isSettled(conversion)) return null;
  const { bankName, accountNumber, routingNumber, reference } = depositInstructions;
  return { bank_name: bankName, account_number: accountNumber, routing_number: routingNumber, reference };
}
