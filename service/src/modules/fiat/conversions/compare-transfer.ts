import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import { mainnetOf } from "../../../foundation/blockchain-networks.ts";
import { formatUsdCents, parseDecimal } from "../../../foundation/money.ts";
import type { NewTransfer, OffRampRail, OnRampRail, Transfer } from "../../../ports/stablecoin-ramp.ts";
import type { Conversion } from "./queries.ts";

/** Returns the transfer that a conversion asks the ramp vendor for. */
export function newTransferOf(conversion: Conversion): NewTransfer {
  const { conversionId, rampCustomerId: customerId, sourceCents, feeCents, network, address } = conversion;
  const common = {
    ...{ customerId, network, reference: conversionId },
    ...{ amount: formatUsdCents(sourceCents), developerFee: formatUsdCents(feeCents) },
    idempotencyKey: vendorIdempotencyKey(conversionId, "transfer"),
  };
  if (conversion.direction === "on_ramp") {
    return { ...common, direction: "on_ramp", paymentRail: conversion.paymentRail as OnRampRail, toAddress: address };
  }
  return {
    ...common,
    direction: "off_ramp",
    paymentRail: conversion.paymentRail as OffRampRail,
    fromAddress: address,
    externalAccountId: conversion.externalAccountId ?? "",
    statementDescriptor: conversion.statementDescriptor,
  };
}

/**
 * Returns what differs between a conversion and the vendor's transfer, or undefined. A transfer that is not the one that was
 * asked for is never believed.
 */
export function differenceOf(conversion: Conversion, transfer: Transfer): string | undefined {
  const { direction, asset, paymentRail, network, address, externalAccountId } = conversion;
  const [bank, wallet] =
    direction === "on_ramp" ? [transfer.source, transfer.destination] : [transfer.destination, transfer.source];
  const checks: Readonly<Record<string, boolean>> = {
    id: conversion.transferId === null || conversion.transferId === transfer.transferId,
    reference: transfer.reference === conversion.conversionId,
    customer: transfer.customerId === conversion.rampCustomerId,
    amount: isCents(transfer.amount, conversion.sourceCents),
    developer_fee: transfer.developerFee === null || isCents(transfer.developerFee, conversion.feeCents),
    bank_currency: bank.currency === "usd",
    bank_rail: bank.paymentRail === paymentRail,
    token: wallet.currency === asset,
    network: wallet.paymentRail === mainnetOf(network),
    address: wallet.address === null || wallet.address.toLowerCase() === address.toLowerCase(),
    external_account: direction === "on_ramp" || bank.externalAccountId === externalAccountId,
  };
  return Object.keys(checks).find((name) => checks[name] === false);
}

/** Returns true if the vendor's receipt shows another final amount than was quoted. */
export function isOffQuote({ sourceCents, feeCents }: Conversion, { receipt }: Transfer): boolean {
  const finalAmount = receipt?.finalAmount ?? null;
  return finalAmount !== null && !isCents(finalAmount, sourceCents - feeCents);
}

/** The vendor writes amounts with up to six decimals. */
function isCents(text: string, cents: bigint): boolean {
  return parseDecimal(text, 6) === cents * 10_000n;
}
