import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import type { PaymentFailure } from "../../../db/schema.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { type DueWork, type Finish, scheduleWork } from "../../../due-work/due-work.ts";
import type { DueItem } from "../../../due-work/queries.ts";
import type { ConversionId } from "../../../foundation/ids.ts";
import type { StablecoinRamp, Transfer } from "../../../ports/stablecoin-ramp.ts";
import { isFailure, VendorError } from "../../../ports/vendor-error.ts";
import { forgetBalances } from "../../wallets/balances/cached-balances.ts";
import { walletRows } from "../../wallets/queries.ts";
import { openRamp } from "../vendor-access.ts";
import { ADVANCE_CONVERSION } from "./advance-work.ts";
import { applyTransfer } from "./apply-transfer.ts";
import { isOffQuote, newTransferOf } from "./compare-transfer.ts";
import { hasEnded, hasFunds, isSettled } from "./conversion-status.ts";
import { deleteTransfer } from "./delete-transfer.ts";
import { type Conversion, type ConversionKey, conversionRows, hasOperation } from "./queries.ts";
import { haltConversion, settleConversion } from "./settle-conversion.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The least and the longest pause between two looks at a conversion. */
const POLL_MS = { min: 2 * SECOND_MS, max: HOUR_MS };
/** The longest pause for a conversion about which no webhook comes. */
const UNREPORTED_POLL_MS = 600 * SECOND_MS;
const RETURNABLE_MS = 5 * DAY_MS;
/** The vendor keeps idempotency keys for 24 hours. Until then the same request can be repeated. */
const REPEAT_MS = 23 * HOUR_MS;
/** A request whose answer was lost is in the vendor's list by then, or was never accepted. */
const LISTED_AFTER_MS = 600 * SECOND_MS;
/** How long an on-ramp waits for dollars, or for its wallet to be unfrozen. */
const WAIT_MS = 14 * DAY_MS;

const FROZEN: PaymentFailure = { code: "wallet_frozen", detail: "The wallet was frozen before its tokens were sent." };
const REFUSED: PaymentFailure = { code: "provider_error", detail: "Bridge refused the transfer." };
const SILENT: PaymentFailure = { code: "provider_unavailable", detail: "Bridge did not respond for a day." };
const OFF_QUOTE: PaymentFailure = {
  code: "quote_mismatch",
  detail: "Bridge would have paid another amount than was quoted.",
};

/**
 * Takes conversions as far as the ramp vendor is. One conversion a second and process, so that many open ones do not make
 * many calls: the vendor's webhooks tell what has changed, and each unchanged look makes the next one later.
 */
export const advanceConversions: DueWork = {
  ...ADVANCE_CONVERSION,
  everyMs: SECOND_MS,
  idleEveryMs: 8 * SECOND_MS,
  itemsPerRunMax: 1,
  // A person may wait. Two attempts at the same time do no harm.
  leaseMs: 30 * SECOND_MS,
  retryMs: { first: POLL_MS.min, max: HOUR_MS },
  stopsAtFailure: true,
  run: async (app, item) => advanceDue(app, item),
};

async function advanceDue(app: App, item: DueItem): Promise<Finish | undefined> {
  const key = { tenantId: item.tenantId, conversionId: item.subject as ConversionId };
  const before = await conversionRows.find(app.db, key);
  const after = await advanceConversion(app, key);
  const pauseMs = after && pauseAfter(after, { hasMoved: before?.status !== after.status, at: app.clock.now() });
  if (pauseMs === undefined) return undefined;
  const dueAt = new Date(app.clock.now().getTime() + pauseMs);
  return (tx) => scheduleWork(tx, ADVANCE_CONVERSION, { ...item, dueAt });
}

/** Takes a conversion as far as the vendor is, and lets the job look at it next. For requests and the vendor's reports. */
export async function advanceAndSchedule(app: App, key: ConversionKey): Promise<void> {
  const conversion = await advanceConversion(app, key);
  const at = app.clock.now();
  const pauseMs = conversion && pauseAfter(conversion, { hasMoved: true, at });
  if (conversion?.status === "quoted" || pauseMs === undefined) return;
  const { tenantId, conversionId: subject } = key;
  const dueAt = new Date(at.getTime() + pauseMs);
  await withTransaction(app.db, tenantId, (tx) => scheduleWork(tx, ADVANCE_CONVERSION, { tenantId, subject, dueAt }));
}

/** Returns when the conversion is looked at next. Undefined if never, unless the vendor reports a change. */
function pauseAfter(
  conversion: Conversion,
  { hasMoved, at }: { readonly hasMoved: boolean; readonly at: Date },
): number | undefined {
  const { completedAt, haltedAt, rampOwner, transferId, updatedAt } = conversion;
  if (haltedAt !== null) return undefined;
  // A bank can return a payout for some days.
  const isReturnable = completedAt !== null && at.getTime() - completedAt.getTime() < RETURNABLE_MS;
  if (isSettled(conversion)) return conversion.status === "completed" && isReturnable ? DAY_MS : undefined;
  if (hasMoved) return POLL_MS.min;
  const pauseMs = Math.max(POLL_MS.min, (at.getTime() - updatedAt.getTime()) / 4);
  // No webhook reports that a wallet is unfrozen. A developer's own account at Bridge sends none at all.
  const isUnreported = transferId === null || rampOwner === "developer";
  return Math.min(isUnreported ? UNREPORTED_POLL_MS : POLL_MS.max, pauseMs);
}

/**
 * Asks the ramp vendor for the transfer of an executed conversion, or reads it, and applies its state. Has the same effect if it
 * is called twice, also at the same time: each call has an idempotency key made from the conversion's id, and each state is
 * applied under a lock. Returns the conversion as it then is. Throws `VendorError`.
 */
export async function advanceConversion(app: App, key: ConversionKey): Promise<Conversion | undefined> {
  const conversion = await conversionRows.find(app.db, key);
  if (conversion === undefined || conversion.status === "quoted" || conversion.haltedAt !== null) return conversion;
  const waiting = await endOrWait(app, conversion);
  if (waiting !== undefined) return waiting;
  const ramp = await openRamp(app, conversion, conversion.rampOwner);
  const { asked, isFirst } = await markAsked(app, conversion);
  // It has ended without a transfer.
  if (asked.transferId === null && (isSettled(asked) || asked.haltedAt !== null)) return asked;
  return followTransfer(app, ramp, asked, isFirst);
}

/**
 * Remembers that the vendor is asked for the transfer, before it is: from then on there may be one, whatever the vendor answers,
 * and nothing is released before that is known.
 */
async function markAsked(
  app: App,
  conversion: Conversion,
): Promise<{ readonly asked: Conversion; readonly isFirst: boolean }> {
  if (conversion.transferAskedAt !== null || isSettled(conversion)) return { asked: conversion, isFirst: false };
  let isFirst = false;
  const asked = await settle(app, conversion, async (tx, locked, at) => {
    if (locked.transferAskedAt !== null || isSettled(locked)) return locked;
    isFirst = true;
    return conversionRows.updateAndGet(tx, locked, { transferAskedAt: at });
  });
  return { asked, isFirst };
}

/** Reads or creates the transfer, and applies its state. */
async function followTransfer(
  app: App,
  ramp: StablecoinRamp,
  conversion: Conversion,
  isFirst: boolean,
): Promise<Conversion> {
  const transfer = await readOrCreateTransfer(app, ramp, conversion, isFirst);
  if (typeof transfer === "string") {
    const failure = transfer === "refused" ? REFUSED : SILENT;
    return settle(app, conversion, (tx, locked, at) => settleConversion(tx, locked, { to: "failed", failure, at }));
  }
  const isEarly = !hasFunds(conversion) && conversion.ledgerTransferId === null && !isSettled(conversion);
  if (isEarly && isOffQuote(conversion, transfer) && (await isDeleted(ramp, transfer.transferId))) {
    const columns = { transferId: transfer.transferId };
    return settle(app, conversion, (tx, locked, at) =>
      settleConversion(tx, locked, { to: "failed", failure: OFF_QUOTE, at, columns }),
    );
  }
  const applied = await settle(app, conversion, (tx, locked, at) => applyTransfer(tx, app, locked, { transfer, at }));
  return endUnwanted(app, ramp, { conversion: applied, transfer });
}

/** Ends what has waited too long, and holds what a freeze stops. Returns undefined if the vendor is to be asked. */
async function endOrWait(app: App, conversion: Conversion): Promise<Conversion | undefined> {
  const { direction, transferId, transferAskedAt } = conversion;
  if (isSettled(conversion)) return undefined;
  if (isOverdue(conversion, app.clock.now())) {
    const isOver = transferId === null || (await canDelete(app, conversion, transferId));
    // Otherwise the money has just come.
    return isOver ? endUnlessAsked(app, conversion, { to: "expired" }) : undefined;
  }
  if (transferAskedAt !== null || !(await isFrozen(app, conversion))) return undefined;
  return direction === "on_ramp" ? conversion : endUnlessAsked(app, conversion, { to: "canceled", failure: FROZEN });
}

/** Ends a conversion, unless the vendor has been asked for its transfer since the conversion was read. */
function endUnlessAsked(
  app: App,
  conversion: Conversion,
  end: { readonly to: "expired" | "canceled"; readonly failure?: PaymentFailure },
): Promise<Conversion> {
  return settle(app, conversion, async (tx, locked, at) => {
    const isNew = conversion.transferAskedAt === null && locked.transferAskedAt !== null;
    return isNew ? locked : settleConversion(tx, locked, { ...end, at });
  });
}

/** Whether an on-ramp has waited too long. Not while it is unknown whether the vendor has a transfer. */
function isOverdue(conversion: Conversion, at: Date): boolean {
  const { direction, transferId, transferAskedAt, executedAt } = conversion;
  if (direction !== "on_ramp" || hasFunds(conversion)) return false;
  const isKnown = transferId !== null || transferAskedAt === null;
  return isKnown && at.getTime() - (executedAt?.getTime() ?? 0) >= WAIT_MS;
}

async function canDelete(app: App, conversion: Conversion, transferId: string): Promise<boolean> {
  return isDeleted(await openRamp(app, conversion, conversion.rampOwner), transferId);
}

async function isFrozen({ db }: Pick<App, "db">, conversion: Conversion): Promise<boolean> {
  return (await walletRows.get(db, conversion)).freezeMode !== null;
}

async function readOrCreateTransfer(
  app: App,
  ramp: StablecoinRamp,
  conversion: Conversion,
  isFirst: boolean,
): Promise<Transfer | "refused" | "silent"> {
  const { transferId, transferAskedAt } = conversion;
  if (transferId !== null) return ramp.readTransfer(transferId);
  const at = app.clock.now();
  const askedMs = at.getTime() - (transferAskedAt ?? at).getTime();
  if (askedMs >= REPEAT_MS) return (await findTransfer(ramp, conversion)) ?? "silent";
  const created = await createTransfer(app, ramp, conversion);
  if (!(created instanceof VendorError)) return created;
  if (isFirst) return "refused";
  // An earlier request may have made the transfer, although its answer was lost.
  const found = await findTransfer(ramp, conversion);
  if (found === undefined && askedMs < LISTED_AFTER_MS) throw created;
  return found ?? "refused";
}

/** Returns the error if the vendor refuses. */
async function createTransfer(
  { log }: App,
  ramp: StablecoinRamp,
  conversion: Conversion,
): Promise<Transfer | VendorError> {
  try {
    return await ramp.createTransfer(newTransferOf(conversion));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { tenantId, conversionId } = conversion;
    log.warn({ tenantId, conversionId, vendorMessage: error.vendorMessage }, "Bridge refused a conversion");
    return error;
  }
}

function isRefusal(error: unknown): error is VendorError {
  return ["refused", "unauthorized", "not_found"].some((failure) => isFailure(error, failure as "refused"));
}

/**
 * Deletes the transfer of a conversion that ended while the vendor was asked, or whose wallet was frozen meanwhile: an off-ramp
 * whose hold is not posted is then canceled, because no tokens were sent.
 */
async function endUnwanted(
  app: App,
  ramp: StablecoinRamp,
  { conversion, transfer }: { readonly conversion: Conversion; readonly transfer: Transfer },
): Promise<Conversion> {
  const { direction, ledgerTransferId, haltedAt } = conversion;
  const isEnded = hasEnded(conversion);
  const isFrozenOffRamp =
    direction === "off_ramp" &&
    ledgerTransferId === null &&
    !isSettled(conversion) &&
    (conversion.mode === "test" || (await isFrozenUnsent(app, conversion)));
  const isOpen = transfer.state === "awaiting_funds" || transfer.state === "in_review";
  if (haltedAt !== null || !(isFrozenOffRamp || (isEnded && isOpen))) return conversion;
  const isOver = await isDeleted(ramp, transfer.transferId);
  return settle(app, conversion, async (tx, locked, at) => {
    if (isEnded && isOver) return locked;
    // Its tokens may be under way.
    const isSent = locked.mode === "live" && (await hasOperation(tx, locked));
    if (!isOver || isSent) return haltConversion(tx, app, locked, { difference: "accepted_after_end", at });
    return settleConversion(tx, locked, { to: "canceled", failure: FROZEN, at });
  });
}

/** Whether the tokens of a live off-ramp are not being sent, because its wallet is frozen. */
async function isFrozenUnsent(app: App, conversion: Conversion): Promise<boolean> {
  return (await isFrozen(app, conversion)) && !(await hasOperation(app.db, conversion));
}

async function findTransfer(ramp: StablecoinRamp, conversion: Conversion): Promise<Transfer | undefined> {
  const { rampCustomerId: customerId, createdAt, conversionId } = conversion;
  // The vendor's clock may differ.
  const since = new Date(createdAt.getTime() - HOUR_MS);
  const transfers = await ramp.listTransfers({ customerId, since });
  return transfers.find(({ reference }) => reference === conversionId);
}

/** Deletes a transfer. Returns false if the vendor has the money already. */
async function isDeleted(ramp: StablecoinRamp, transferId: string): Promise<boolean> {
  try {
    await deleteTransfer(ramp, transferId);
    return true;
  } catch (error) {
    if (isFailure(error, "refused")) return false;
    throw error;
  }
}

/** Changes a conversion under its lock, in a transaction of its own. */
async function settle(
  app: App,
  { tenantId, conversionId, walletId }: Conversion,
  change: (tx: Tx, locked: Conversion, at: Date) => Promise<Conversion>,
): Promise<Conversion> {
  const at = app.clock.now();
  const settled = await withTransaction(app.db, tenantId, async (tx) => {
    const locked = await conversionRows.lockAndGet(tx, { tenantId, conversionId });
    return locked.haltedAt === null ? change(tx, locked, at) : locked;
  });
  await forgetBalances(app, tenantId, [walletId]);
  return settled;
}
