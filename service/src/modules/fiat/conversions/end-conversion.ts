import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ConversionId } from "../../../foundation/ids.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { isFailure } from "../../../ports/vendor-error.ts";
import type { VendorObject } from "../../vendor-webhooks/vendor-webhooks.ts";
import { forgetBalances } from "../../wallets/balances/cached-balances.ts";
import { vendorFailure } from "../fiat-accounts.ts";
import { openRamp } from "../vendor-access.ts";
import { advanceAndSchedule, advanceConversion } from "./advance-conversion.ts";
import type { MaskedConversion } from "./conversion-resource.ts";
import { conversionStatusAt } from "./conversion-status.ts";
import { deleteTransfer } from "./delete-transfer.ts";
import {
  type Conversion,
  type ConversionScope,
  conversionRows,
  heldConversionsOfFrozenWallets,
  listConversionsOfTransfer,
} from "./queries.ts";
import { requireConversion, withMask } from "./require-conversion.ts";
import { settleConversion } from "./settle-conversion.ts";

export interface CancelConversion {
  readonly actor: Actor;
  readonly scope: ConversionScope;
  readonly conversionId: ConversionId;
}

/**
 * Cancels a quote, or a conversion whose money has not moved. Throws `conversion_not_found`, and `conflict` if it is too late,
 * which for an on-ramp the vendor decides.
 */
export async function cancelConversion(
  app: App,
  { actor, scope, conversionId }: CancelConversion,
  saveResponse: SaveResponse<MaskedConversion>,
): Promise<MaskedConversion> {
  const conversion = await findCancelable(app, scope, conversionId);
  if (conversion.transferId !== null) await deleteAtBridge(app, conversion);
  const { tenantId, walletId } = conversion;
  const canceled = await withTransaction(app.db, tenantId, async (tx) => {
    const at = app.clock.now();
    const locked = await conversionRows.lockAndGet(tx, conversion);
    // Bridge can have reported the deletion already.
    const isReported = conversion.transferId !== null && locked.status === "canceled";
    if (!isReported) requireCancelable(locked, at);
    // Bridge was asked for the transfer meanwhile. It must be deleted first.
    const { transferId, transferAskedAt } = conversion;
    if (locked.transferId !== transferId || (transferAskedAt === null && locked.transferAskedAt !== null))
      return undefined;
    const masked = await withMask(tx, await settleConversion(tx, locked, { to: "canceled", at, actor }));
    await saveResponse(tx, masked);
    return masked;
  });
  if (canceled === undefined) return cancelConversion(app, { actor, scope, conversionId }, saveResponse);
  await forgetBalances(app, tenantId, [walletId]);
  return canceled;
}

/** Returns a conversion that can be canceled. If Bridge's answer to its request was lost, Bridge is asked first. */
async function findCancelable(app: App, scope: ConversionScope, conversionId: ConversionId): Promise<Conversion> {
  const { conversion } = await requireConversion(app.db, scope, conversionId);
  requireCancelable(conversion, app.clock.now());
  if (conversion.transferAskedAt === null || conversion.transferId !== null) return conversion;
  const known = (await advanceConversion(app, conversion).catch(vendorFailure)) ?? conversion;
  requireCancelable(known, app.clock.now());
  return known;
}

function requireCancelable(conversion: Conversion, at: Date): void {
  const { direction, transferId, ledgerTransferId, haltedAt } = conversion;
  if (haltedAt !== null) {
    throw new AppError("conflict", {
      detail: "Bridge reports something unexpected. An operator looks at the conversion.",
    });
  }
  const status = conversionStatusAt(conversion, at);
  const isEarly = transferId === null && ledgerTransferId === null;
  const canCancel =
    status === "quoted" ||
    (status === "in_review" && isEarly) ||
    (status === "awaiting_funds" && (direction === "on_ramp" || isEarly));
  if (canCancel) return;
  throw new AppError("conflict", { detail: `The conversion is ${status}, and can no longer be canceled.` });
}

async function deleteAtBridge(app: App, { transferId, ...conversion }: Conversion): Promise<void> {
  const ramp = await openRamp(app, conversion, conversion.rampOwner);
  await deleteTransfer(ramp, transferId ?? "").catch((error: unknown) => {
    if (!isFailure(error, "refused")) return vendorFailure(error);
    throw new AppError("conflict", {
      detail: "Bridge has the money already, so the conversion can no longer be canceled.",
    });
  });
}

/** Cancels the off-ramps of frozen wallets whose tokens have not been sent. */
export async function cancelFrozenConversions(app: App): Promise<void> {
  await tryEach(heldConversionsOfFrozenWallets(app.db), async (key) => void (await advanceConversion(app, key)));
}

/** Looks at a transfer that Bridge reported to have changed, at once. */
export async function refreshTransfer(app: App, { mode, objectId }: VendorObject): Promise<void> {
  for (const { tenantId, conversionId } of await listConversionsOfTransfer(app.db, mode, objectId)) {
    await advanceAndSchedule(app, { tenantId, conversionId });
  }
}
