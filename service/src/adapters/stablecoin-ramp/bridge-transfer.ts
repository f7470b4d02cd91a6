import { type Static, type TSchema, Type } from "typebox";
import { mainnetOf } from "../../foundation/blockchain-networks.ts";
import {
  type NewTransfer,
  TRANSFER_STATES,
  type Transfer,
  type TransferSide,
  type TransferState,
} from "../../ports/stablecoin-ramp.ts";

// Ids are validated because they are used as path segments and stored in the database.
export const bridgeId = Type.String({ pattern: "^[\\w-]{1,42}$" });
export const decimal = Type.String({ pattern: "^[0-9]{1,18}(\\.[0-9]{1,18})?$" });
const text = Type.String({ maxLength: 1_000 });

/** A field that Bridge leaves out or sets to null if it has no value. */
export function maybe<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

const Side = Type.Object({
  payment_rail: text,
  currency: text,
  from_address: maybe(text),
  to_address: maybe(text),
  external_account_id: maybe(text),
  trace_number: maybe(text),
  imad: maybe(text),
});
type Side = Static<typeof Side>;

export const BridgeTransfer = Type.Object({
  id: bridgeId,
  state: text,
  on_behalf_of: bridgeId,
  client_reference_id: maybe(text),
  amount: decimal,
  developer_fee: maybe(decimal),
  source: Side,
  destination: Side,
  source_deposit_instructions: maybe(
    Type.Object({
      bank_name: maybe(text),
      bank_account_number: maybe(text),
      bank_routing_number: maybe(text),
      deposit_message: maybe(text),
      to_address: maybe(text),
    }),
  ),
  receipt: maybe(
    Type.Object({
      final_amount: maybe(decimal),
      destination_tx_hash: maybe(text),
      refunded_amount: maybe(decimal),
    }),
  ),
  return_details: maybe(Type.Object({ reason: maybe(text) })),
  created_at: Type.String({ format: "date-time" }),
});
export type BridgeTransfer = Static<typeof BridgeTransfer>;

export function transferBody(transfer: NewTransfer): object {
  return {
    client_reference_id: transfer.reference,
    amount: transfer.amount,
    developer_fee: transfer.developerFee,
    on_behalf_of: transfer.customerId,
    ...sidesOf(transfer),
  };
}

function sidesOf(transfer: NewTransfer): object {
  const dollars = { currency: "usd", payment_rail: transfer.paymentRail };
  // Bridge has no test networks, so a test network has the name of its main network.
  const tokens = { currency: "usdc", payment_rail: mainnetOf(transfer.network) };
  if (transfer.direction === "on_ramp") {
    return { source: dollars, destination: { ...tokens, to_address: transfer.toAddress } };
  }
  const { fromAddress, externalAccountId, statementDescriptor } = transfer;
  return {
    source: { ...tokens, from_address: fromAddress },
    destination: {
      ...dollars,
      external_account_id: externalAccountId,
      ...(statementDescriptor !== null && { ach_reference: statementDescriptor }),
    },
  };
}

export function transferOf(transfer: BridgeTransfer): Transfer {
  const { source, destination, receipt, source_deposit_instructions: instructions } = transfer;
  return {
    transferId: transfer.id,
    state: stateOf(transfer.state),
    customerId: transfer.on_behalf_of,
    reference: transfer.client_reference_id ?? null,
    amount: transfer.amount,
    developerFee: transfer.developer_fee ?? null,
    source: sideOf(source),
    destination: sideOf(destination),
    depositInstructions: instructions ? instructionsOf(instructions) : null,
    receipt: receipt ? receiptOf(receipt) : null,
    trace: { achTraceNumber: destination.trace_number ?? null, imad: destination.imad ?? null },
    returnReason: transfer.return_details?.reason ?? null,
  };
}

function stateOf(state: string): TransferState {
  return TRANSFER_STATES.find((known) => known === state) ?? "unknown";
}

function sideOf(side: Side): TransferSide {
  return {
    paymentRail: side.payment_rail,
    currency: side.currency,
    address: side.to_address ?? side.from_address ?? null,
    externalAccountId: side.external_account_id ?? null,
  };
}

function instructionsOf(
  instructions: NonNullable<BridgeTransfer["source_deposit_instructions"]>,
): NonNullable<Transfer["depositInstructions"]> {
  return {
    bankName: instructions.bank_name ?? null,
    accountNumber: instructions.bank_account_number ?? null,
    routingNumber: instructions.bank_routing_number ?? null,
    depositMessage: instructions.deposit_message ?? null,
    address: instructions.to_address ?? null,
  };
}

function receiptOf(receipt: NonNullable<BridgeTransfer["receipt"]>): NonNullable<Transfer["receipt"]> {
  return {
    finalAmount: receipt.final_amount ?? null,
    destinationTxHash: receipt.destination_tx_hash ?? null,
    refundedAmount: receipt.refunded_amount ?? null,
  };
}
