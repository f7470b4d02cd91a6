import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import type { PaymentFailure } from "../../../db/schema.ts";
import type { DepositId } from "../../../foundation/ids.ts";
import { parseDecimal } from "../../../foundation/money.ts";
import type { Transfer, TransferState } from "../../../ports/stablecoin-ramp.ts";
import { tokensOf } from "./authorize-conversion.ts";
import { differenceOf, isOffQuote } from "./compare-transfer.ts";
import { conversionStatusOf, hasEnded, isSettled, rankAfter } from "./conversion-status.ts";
import { acceptDepositAddress, type ConfirmedState, confirmState } from "./live-conversion.ts";
import { type Conversion, conversionRows, findReturnedDeposit } from "./queries.ts";
import { haltConversion, postHold, returnTokens, settleConversion } from "./settle-conversion.ts";

/** The vendor has moved money in these states. */
const MOVED_STATES: readonly TransferState[] = ["funds_received", "payment_submitted", "payment_processed"];
const ERROR: PaymentFailure = { code: "provider_error", detail: "Bridge reported an error." };

/** Applies the vendor's state. Only what is new, and only if the transfer is the one that was asked for. */
export async function applyTransfer(
  tx: Tx,
  app: App,
  conversion: Conversion,
  { transfer, at }: { readonly transfer: Transfer; readonly at: Date },
): Promise<Conversion> {
  const difference =
    differenceOf(conversion, transfer) ?? (isOffQuote(conversion, transfer) ? "final_amount" : undefined);
  const { direction, ledgerTransferId } = conversion;
  const transferId = conversion.transferId ?? transfer.transferId;
  if (difference !== undefined) return haltConversion(tx, app, { ...conversion, transferId }, { difference, at });
  const columns = columnsOf(conversion, transfer);
  const hasFailed = transfer.state === "error" || transfer.state === "canceled";
  const isUnsent = direction === "off_ramp" && ledgerTransferId === null && !isSettled(conversion) && !hasFailed;
  if (isUnsent && conversion.mode === "live") return await awaitTokens(tx, app, conversion, { transfer, at, columns });
  const posted = isUnsent ? await postHold(tx, conversion, at) : {};
  // The wallet was frozen meanwhile. `endUnwanted` goes on.
  if (posted === undefined) return settleConversion(tx, conversion, { to: "in_review", at, columns });
  return applyState(tx, app, { ...conversion, ...posted }, { transfer, at, columns: { ...columns, ...posted } });
}

interface AppliedState {
  readonly transfer: Transfer;
  readonly at: Date;
  readonly columns: Partial<Conversion>;
}

/** The tokens of a live off-ramp are sent on its network, to the address that the vendor names, which a final block shows. */
async function awaitTokens(tx: Tx, app: App, conversion: Conversion, state: AppliedState): Promise<Conversion> {
  const accepted = await acceptDepositAddress(tx, app, conversion, state.transfer, state.at);
  if (accepted === undefined) return conversionRows.lockAndGet(tx, conversion);
  return applyState(tx, app, conversion, { ...state, columns: { ...state.columns, ...accepted } });
}

async function applyState(tx: Tx, app: App, conversion: Conversion, applied: AppliedState): Promise<Conversion> {
  const { direction, ledgerTransferId } = conversion;
  const { transfer, at } = applied;
  const { to, columns } = await stateOf(tx, app, conversion, applied);
  const change = { to, at, failure: to === "failed" ? ERROR : null, columns };
  if (rankAfter(conversion, to) === undefined) {
    const known = await settleConversion(tx, conversion, change);
    const hasMoved = hasEnded(conversion) && MOVED_STATES.includes(transfer.state);
    return hasMoved ? haltConversion(tx, app, known, { difference: "moved_after_end", at }) : known;
  }
  const isRefund = to === "refunded" && direction === "off_ramp" && ledgerTransferId !== null;
  const refunded = isRefund ? await refund(tx, conversion, transfer, at) : { wrong: strandedMoneyOf(conversion, to) };
  if (refunded === undefined) return settleConversion(tx, conversion, { ...change, to: "refund_in_flight" });
  const { wrong, depositId } = refunded;
  const refundColumns = depositId === undefined ? {} : { refundDepositId: depositId };
  const settled = await settleConversion(tx, conversion, { ...change, columns: { ...columns, ...refundColumns } });
  return wrong === undefined ? settled : haltConversion(tx, app, settled, { difference: wrong, at });
}

/** Returns the status that the vendor reports, as far as the network confirms it, and the columns that change. */
async function stateOf(
  tx: Tx,
  app: App,
  conversion: Conversion,
  { transfer, at, columns }: AppliedState,
): Promise<ConfirmedState> {
  const { conversionId, mode, status } = conversion;
  const to = conversionStatusOf(transfer.state);
  if (to === undefined) {
    app.log.info({ conversionId, state: transfer.state }, "a transfer has a state that says nothing");
    return { to: status, columns };
  }
  return mode === "live" ? await confirmState(tx, app, conversion, { to, columns, transfer, at }) : { to, columns };
}

interface Refund {
  /** What is wrong about it. */
  readonly wrong: string | undefined;
  /** The deposit that has returned the tokens to a live wallet. */
  readonly depositId?: DepositId | undefined;
}

/**
 * Returns the tokens of an off-ramp that the vendor has refunded. A refund is wrong if its amount is not known or too large, so that
 * nothing is returned, or if it is smaller than what was sent. Returns undefined until a live wallet has the deposit.
 */
async function refund(tx: Tx, conversion: Conversion, transfer: Transfer, at: Date): Promise<Refund | undefined> {
  const sent = tokensOf(conversion, conversion.sourceCents).baseUnits;
  const refunded = parseDecimal(transfer.receipt?.refundedAmount ?? "", 6);
  if (refunded === undefined || refunded > sent) return { wrong: "refunded_amount" };
  const isOnChain = conversion.mode === "live" && refunded > 0n;
  const depositId = isOnChain ? await findReturnedDeposit(tx, conversion, refunded) : undefined;
  if (isOnChain && depositId === undefined) return undefined;
  if (refunded > 0n) await returnTokens(tx, conversion, refunded, at);
  return { wrong: refunded < sent ? "refunded_amount" : undefined, depositId };
}

/** Returns what a status means for money that is not moved by itself: tokens at the vendor, or a credit that was reversed. */
function strandedMoneyOf({ direction, ledgerTransferId }: Conversion, to: Conversion["status"]): string | undefined {
  if (ledgerTransferId === null) return undefined;
  if (direction === "on_ramp") return to === "returned" ? "returned_after_credit" : undefined;
  return to === "failed" || to === "canceled" ? "tokens_at_bridge" : undefined;
}

function columnsOf(
  conversion: Conversion,
  { transferId, depositInstructions, receipt, trace, returnReason }: Transfer,
): Partial<Conversion> {
  const {
    bankName = null,
    accountNumber = null,
    routingNumber = null,
    depositMessage: reference = null,
  } = depositInstructions ?? {};
  // The tokens of an off-ramp are sent by an operation of the wallet.
  const isOwn = conversion.mode === "live" && conversion.direction === "off_ramp";
  const txHash = isOwn ? conversion.trace?.txHash : receipt?.destinationTxHash;
  return {
    ...{ transferId, returnReason },
    depositInstructions: bankName === null ? null : { bankName, accountNumber, routingNumber, reference },
    trace: { txHash: txHash ?? null, ...trace },
  };
}
