import * as Address from "ox/Address";
import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import { isMainnet, usdcOf } from "../../../foundation/blockchain-networks.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ConversionStatus } from "../../../foundation/vocabulary.ts";
import type { Transfer } from "../../../ports/stablecoin-ramp.ts";
import { findProblemOfNetwork } from "../../payments/send/network-problem.ts";
import { scheduleSending } from "../../user-operations/schedule-sending.ts";
import { tokensOf } from "./authorize-conversion.ts";
import { hasEnded, isSettled } from "./conversion-status.ts";
import { type Conversion, findCreditOfDeposit, hasOperation, isWalletAddress } from "./queries.ts";
import { haltConversion } from "./settle-conversion.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Returns why a live conversion cannot be made now, or undefined. Asks the network, so call it outside of a transaction. The ramp
 * vendor has only main networks: tokens for a wallet of a test network would come to the same address on another one.
 */
export async function findLiveProblem(
  app: App,
  { tenantId, mode, network, direction }: Pick<Conversion, "tenantId" | "mode" | "network" | "direction">,
): Promise<AppError | undefined> {
  if (mode === "test") return undefined;
  if (isMainnet(network)) return findProblemOfNetwork(app, tenantId, network, { sends: direction === "off_ramp" });
  return new AppError("network_unavailable", {
    detail: `Dollars are converted only on main networks. The wallet is on ${network}. Use a wallet of another network.`,
  });
}

interface LiveState {
  readonly transfer: Transfer;
  readonly to: ConversionStatus;
  readonly columns: Partial<Conversion>;
  readonly at: Date;
}

/** What of the vendor's state the network confirms: a status, and what else changes. */
export interface ConfirmedState {
  readonly to: ConversionStatus;
  readonly columns: Partial<Conversion>;
}

/**
 * Returns how much of the vendor's state about a live conversion holds. The ledger is moved by the network alone, so the conversion
 * waits in `payment_submitted` until a final block has the deposit that the vendor names, or the operation that has sent the tokens.
 */
export async function confirmState(
  tx: Tx,
  { log }: Pick<App, "log">,
  conversion: Conversion,
  { transfer, to, columns, at }: LiveState,
): Promise<ConfirmedState> {
  if (conversion.direction === "off_ramp") {
    const isEarly = to === "awaiting_funds" || to === "in_review" || to === "funds_received";
    return { to: !isEarly && (await isUnderWay(tx, conversion)) ? "payment_submitted" : to, columns };
  }
  if (to !== "completed" || conversion.ledgerTransferId !== null) return { to, columns };
  const transactionHash = transfer.receipt?.destinationTxHash ?? "";
  const { baseUnits } = tokensOf(conversion, conversion.sourceCents - conversion.feeCents);
  const ledgerTransferId = await findCreditOfDeposit(tx, conversion, { transactionHash, baseUnits });
  if (ledgerTransferId !== undefined) return { to, columns: { ...columns, ledgerTransferId } };
  if (at.getTime() - conversion.updatedAt.getTime() >= DAY_MS) {
    const { conversionId } = conversion;
    log.error({ conversionId, transactionHash }, "no deposit of an on-ramp has come: operator action required");
  }
  return { to: "payment_submitted", columns };
}

/** Whether the tokens of an off-ramp are being sent, and no final block has them yet. */
async function isUnderWay(tx: Tx, conversion: Conversion): Promise<boolean> {
  return conversion.ledgerTransferId === null && !isSettled(conversion) && (await hasOperation(tx, conversion));
}

/**
 * Stores where the tokens of a live off-ramp are to be sent, and lets them be sent. Halts the conversion if the vendor names an
 * address that cannot be its own, or another one than before. Returns undefined if it is halted.
 */
export async function acceptDepositAddress(
  tx: Tx,
  app: Pick<App, "log">,
  conversion: Conversion,
  { depositInstructions }: Transfer,
  at: Date,
): Promise<Partial<Conversion> | undefined> {
  const { network, depositAddress, address: ownAddress, tenantId, walletId } = conversion;
  const address = depositInstructions?.address ?? null;
  if (address === null || hasEnded(conversion) || address === depositAddress) return {};
  const isUsable =
    depositAddress === null &&
    Address.validate(address, { strict: true }) &&
    ![usdcOf(network), ownAddress].some((other) => Address.isEqual(other as Address.Address, address)) &&
    !(await isWalletAddress(tx, address));
  if (!isUsable) {
    await haltConversion(tx, app, conversion, { difference: "deposit_address", at });
    return undefined;
  }
  await scheduleSending(tx, { tenantId, walletId }, at);
  return { depositAddress: address };
}
