import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { refundReservation, settleReservation } from "../../../budgets/queries.ts";
import type { Tx } from "../../../db/database.ts";
import type { PaymentFailure } from "../../../db/schema.ts";
import { undoUnless } from "../../../db/transaction.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { usdMicros, usdMicrosFromCents } from "../../../foundation/money.ts";
import type { ConversionStatus } from "../../../foundation/vocabulary.ts";
import { type Move, moveMoney } from "../../../ledger/move-money.ts";
import { projectCap } from "../../projects/caps.ts";
import { openConversionAccounts, tokensOf } from "./authorize-conversion.ts";
import { rankAfter } from "./conversion-status.ts";
import { type Conversion, conversionRows } from "./queries.ts";
import { recordConversion } from "./record-conversion.ts";
import { withMask } from "./require-conversion.ts";

type Columns = Partial<Conversion>;

interface ConversionChange {
  readonly to: ConversionStatus;
  readonly at: Date;
  readonly failure?: PaymentFailure | null;
  /** Who changes the conversion. Default: the system. */
  readonly actor?: Actor;
  /** Other values that change. */
  readonly columns?: Columns;
}

/**
 * Gives a conversion its next status, together with its reservation and its tokens, and writes the audit entry and the event.
 * Every change of an executed conversion is made here. Does nothing if the conversion does not take the status, because it has
 * had a later one. The caller has locked the conversion.
 */
export async function settleConversion(
  tx: Tx,
  conversion: Conversion,
  { to, at, failure = null, columns = {}, actor }: ConversionChange,
): Promise<Conversion> {
  const rank = rankAfter(conversion, to);
  if (rank === undefined) return update(tx, conversion, columns, at);
  const moved = await moveFor(tx, { ...conversion, ...columns }, to, at);
  const timeline = [...conversion.timeline, { status: to, at: at.toISOString() }];
  const changed = { ...columns, ...moved, rank, status: to, failure: failure ?? conversion.failure };
  const completed = to === "completed" ? { completedAt: at } : {};
  const settled = await update(tx, conversion, { ...changed, ...completed, timeline }, at);
  await recordConversion(tx, actor ?? systemActor(settled), await withMask(tx, settled), at);
  return settled;
}

/** Writes nothing if nothing is new, because the time of the last change decides when the vendor is asked again. */
function update(tx: Tx, conversion: Conversion, columns: Columns, at: Date): Promise<Conversion> {
  const { depositInstructions: instructions, ...others } = columns;
  const known = { ...conversion, ...others, ...(instructions && { depositInstructions: instructions }) };
  if (isDeepStrictEqual(known, conversion)) return Promise.resolve(conversion);
  const { timeline, metadata: _metadata, depositInstructions, trace, failure, ...plain } = columns;
  return conversionRows.updateAndGet(tx, conversion, {
    ...plain,
    ...(timeline !== undefined && { timeline: JSON.stringify(timeline) }),
    ...(depositInstructions && { depositInstructions: JSON.stringify(depositInstructions) }),
    ...(trace && { trace: JSON.stringify(trace) }),
    ...(failure && { failure: JSON.stringify(failure) }),
    updatedAt: at,
  });
}

/** Moves the tokens, and settles the reservation, as the status requires. */
async function moveFor(tx: Tx, conversion: Conversion, to: ConversionStatus, at: Date): Promise<Columns> {
  const isOnRamp = conversion.direction === "on_ramp";
  switch (to) {
    case "completed":
      return isOnRamp ? credit(tx, conversion, at) : payOut(tx, conversion, at);
    case "canceled":
    case "expired":
    case "failed":
      return release(tx, conversion, at);
    case "refund_failed":
      // The dollars stay at the vendor. They count as spent.
      if (isOnRamp) await settleReserved(tx, conversion, conversion.sourceCents, at);
      return {};
    case "refunded":
      if (isOnRamp) await settleReserved(tx, conversion, null, at);
      return {};
    default:
      return {};
  }
}

/**
 * The dollars have arrived at the vendor, and the tokens in the wallet, so a freeze does not prevent this. A live wallet is credited by
 * the deposit on its network.
 */
async function credit(tx: Tx, conversion: Conversion, at: Date): Promise<Columns> {
  const { mode, sourceCents, feeCents } = conversion;
  if (mode === "live") {
    await settleReserved(tx, conversion, sourceCents, at);
    return {};
  }
  const { walletAccountId, externalAccountId } = await openConversionAccounts(tx, conversion, at);
  await settleReserved(tx, conversion, sourceCents, at);
  const amount = tokensOf(conversion, sourceCents - feeCents);
  const accounts = { debitAccountId: externalAccountId, creditAccountId: walletAccountId };
  const ledgerTransferId = await move(tx, {
    kind: "direct",
    ignoresFreeze: true,
    ...causeOf(conversion),
    ...accounts,
    amount,
    at,
  });
  return { ledgerTransferId };
}

async function payOut(tx: Tx, conversion: Conversion, at: Date): Promise<Columns> {
  const { transitAccountId, externalAccountId } = await openConversionAccounts(tx, conversion, at);
  const amount = tokensOf(conversion, conversion.sourceCents);
  const accounts = { debitAccountId: transitAccountId, creditAccountId: externalAccountId };
  await move(tx, { kind: "direct", ignoresFreeze: true, ...causeOf(conversion), ...accounts, amount, at });
  return {};
}

/** Releases what was reserved and held. Tokens that were sent to the vendor come back only with a refund. */
async function release(tx: Tx, conversion: Conversion, at: Date): Promise<Columns> {
  if (conversion.ledgerTransferId !== null) return {};
  await settleReserved(tx, conversion, null, at);
  const { holdId } = conversion;
  if (holdId !== null) await move(tx, { kind: "void", holdId, ...causeOf(conversion), at });
  return {};
}

/**
 * Sends the held tokens to the vendor, and commits the reservation. Returns undefined if the wallet was frozen, or its agent
 * stopped, since: then nothing changes.
 */
export async function postHold(
  tx: Tx,
  conversion: Conversion,
  at: Date,
  { ignoresFreeze = false } = {},
): Promise<Columns | undefined> {
  const { holdId, sourceCents } = conversion;
  invariant(holdId !== null, "an off-ramp has a hold");
  const amount = tokensOf(conversion, sourceCents);
  const moved = await undoUnless(
    tx,
    ({ outcome }) => outcome === "done",
    async () => {
      // Budgets are locked before the ledger.
      await settleReserved(tx, conversion, sourceCents, at);
      return moveMoney(tx, { kind: "post", holdId, ignoresFreeze, ...causeOf(conversion), amount, at });
    },
  );
  if (moved.outcome === "wallet_frozen" || moved.outcome === "agent_stopped") return undefined;
  invariant(moved.outcome === "done", `the ledger refused the post of a hold: ${moved.outcome}`);
  return { ledgerTransferId: moved.transferId };
}

/**
 * Returns refunded tokens of an off-ramp to the wallet, also if it is frozen: it has happened outside. The project's spending
 * falls, windows of policies do not. What is not refunded stays in transit.
 */
export async function returnTokens(tx: Tx, conversion: Conversion, refundedBaseUnits: bigint, at: Date): Promise<void> {
  const { mode, reservationId, projectId, completedAt } = conversion;
  const amount = { ...tokensOf(conversion, conversion.sourceCents), baseUnits: refundedBaseUnits };
  const { walletAccountId, transitAccountId, externalAccountId } = await openConversionAccounts(tx, conversion, at);
  // Budgets are locked before the ledger.
  if (reservationId !== null && projectId !== null) {
    const amountMicros = usdMicros(refundedBaseUnits);
    await refundReservation(tx, { reservationId, budget: projectCap({ projectId }), amountMicros, at });
  }
  // A payout that was returned after its completion had left the account in transit.
  const debitAccountId = completedAt === null ? transitAccountId : externalAccountId;
  // A live wallet is credited by the deposit on its network, from outside.
  const creditAccountId = mode === "live" ? externalAccountId : walletAccountId;
  if (debitAccountId === creditAccountId) return;
  const accounts = { debitAccountId, creditAccountId };
  await move(tx, { kind: "direct", ignoresFreeze: true, ...causeOf(conversion), ...accounts, amount, at });
}

async function settleReserved(
  tx: Tx,
  { reservationId }: Conversion,
  committedCents: bigint | null,
  at: Date,
): Promise<void> {
  if (reservationId === null) return;
  const committedMicros = committedCents === null ? null : usdMicrosFromCents(committedCents);
  await settleReservation(tx, { reservationId, committedMicros, at });
}

function causeOf({ mode, conversionId }: Conversion) {
  return { mode, cause: { type: "conversion", id: conversionId } };
}

async function move(tx: Tx, command: Move) {
  const moved = await moveMoney(tx, command);
  invariant(moved.outcome === "done", `the ledger refused a move of a conversion: ${moved.outcome}`);
  return moved.transferId;
}

/**
 * Stops a conversion whose vendor says something else than was asked for: nothing moves until an operator looks. Writes an audit
 * entry, and an error in the log.
 */
export async function haltConversion(
  tx: Tx,
  { log }: Pick<App, "log">,
  conversion: Conversion,
  { difference, at }: { readonly difference: string; readonly at: Date },
): Promise<Conversion> {
  const { tenantId, conversionId, transferId } = conversion;
  log.error(
    { tenantId, conversionId, transferId, difference },
    "a conversion differs from Bridge: operator action required",
  );
  await appendAuditEntry(tx, systemActor(conversion), {
    action: "conversion.difference_found",
    subject: { type: "conversion", id: conversionId },
    facts: { difference, provider_reference: transferId },
    occurredAt: at,
  });
  return conversionRows.updateAndGet(tx, conversion, { haltedAt: at, transferId });
}
