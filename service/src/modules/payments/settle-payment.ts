import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { refundReservation, settleReservation } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import { invariant } from "../../foundation/invariant.ts";
import { type TokenAmount, type UsdMicros, usdMicrosOfTokens } from "../../foundation/money.ts";
import { type Mode, PAYMENT_STATUSES, type PaymentStatus } from "../../foundation/vocabulary.ts";
import { type Move, moveMoney } from "../../ledger/move-money.ts";
import { projectCap } from "../projects/caps.ts";
import { scheduleSending } from "../user-operations/schedule-sending.ts";
import { type PresentedPayment, paymentStatusAt, presentPayment } from "./payment-resource.ts";
import { type Payment, type PaymentValues, paidPayeeRows, paymentRows } from "./queries.ts";
import { moveRefusal, type Spent } from "./spend/spend.ts";

/** What a change of a payment's status does to its reservation and its tokens. */
type Effect =
  /** Nothing, or what `spend` has done before: it reserves the amount, and moves or holds it. */
  | "keep"
  /** Pays an amount from the hold, and commits it in the budgets. The rest of both is released. */
  | "pay"
  /** Releases the hold and the reservation. A freeze does not prevent this. */
  | "release"
  /** Moves an amount back, and lowers the project's spending. Limits of policies are never given back. */
  | "give_back";

const REFUNDS = { partially_refunded: "give_back", refunded: "give_back" } as const;

/** Each status with the statuses that can follow it. A status that is missing is final. */
const TRANSITIONS: Partial<Record<PaymentStatus, Partial<Record<PaymentStatus, Effect>>>> = {
  approved: { requires_approval: "keep", authorized: "keep", confirmed: "keep", queued: "keep" },
  requires_approval: {
    ...{ requires_approval: "keep", authorized: "keep", confirmed: "keep", queued: "keep" },
    ...{ denied: "keep", failed: "keep", expired: "keep", canceled: "keep" },
  },
  // A live payment waits in these until a chain has confirmed it.
  queued: { signing: "keep", canceled: "release" },
  signing: { submitted: "keep", failed: "release", dropped: "release" },
  submitted: { confirmed: "pay", captured: "pay", failed: "release", dropped: "release" },
  authorized: { captured: "pay", queued: "keep", voided: "release", expired: "release", canceled: "release" },
  confirmed: REFUNDS,
  captured: REFUNDS,
  partially_refunded: REFUNDS,
};

export interface PaymentChange {
  readonly to: PaymentStatus;
  readonly at: Date;
  /** What is paid or given back. Default: the payment's amount. */
  readonly amount?: TokenAmount;
  /** Why the payment ended without paying. */
  readonly failure?: PaymentFailure | null;
  /** Other values that change. */
  readonly values?: PaymentValues;
  /** What the audit entry says about the change in addition. */
  readonly facts?: Readonly<Record<string, string | null>>;
}

/**
 * Changes the status of a payment, together with its reservation and its tokens, and writes the audit entry and the event.
 * Every change of a stored payment is made here. Throws a refusal of the ledger. The caller has locked the payment, and has
 * canceled its pending approvals before.
 */
export async function settlePayment(
  tx: Tx,
  app: Pick<App, "settings" | "signer">,
  actor: Actor,
  payment: Payment,
  change: PaymentChange,
): Promise<Payment> {
  const { to, at, failure = null, values, facts = {} } = change;
  const effect = TRANSITIONS[payment.status]?.[to];
  invariant(effect !== undefined, `a payment that is ${payment.status} does not become ${to}`);
  const moved = await EFFECTS[effect](tx, payment, change);
  const changed = await paymentRows.updateAndGet(tx, payment, {
    ...values,
    ...moved,
    ...{ status: to, failure: failure && JSON.stringify(failure), updatedAt: at },
  });
  if (payment.paidBaseUnits === null && changed.paidBaseUnits !== null) {
    const { tenantId, mode, agentId, payeeAddress } = changed;
    await paidPayeeRows.insertIfNew(tx, { tenantId, mode, agentId, payeeAddress: payeeAddress.toLowerCase() });
  }
  if (to === "queued") await scheduleSending(tx, changed, at);
  const { data, action, ...record } = paymentRecordOf(presentPayment(app, changed, at), at);
  const entry = { ...record, facts: { ...record.facts, ...facts } };
  // What is signed is of no interest to anyone until it is sent.
  if (to === "signing") await appendAuditEntry(tx, actor, { action: "payment.signing", ...entry });
  else await recordEntryAndEvent(tx, actor, { action, ...entry }, () => data);
  return changed;
}

const EFFECTS: Record<Effect, (tx: Tx, payment: Payment, change: PaymentChange) => Promise<PaymentValues>> = {
  keep: async () => ({}),
  pay: async (tx, payment, { amount = payment, at }) => {
    await settleReserved(tx, payment, microsOf(amount), at);
    // What a chain has confirmed is paid, whatever has happened since.
    const ignoresFreeze = payment.status === "submitted";
    const held = { kind: "post", holdId: holdOf(payment), ignoresFreeze, ...causeOf(payment) } as const;
    const transferId = await moveOrThrow(tx, { ...held, amount, at }, amount);
    return { paidBaseUnits: amount.baseUnits, transferId, settledAt: at };
  },
  release: async (tx, payment, { at }) => {
    await settleReserved(tx, payment, null, at);
    await moveOrThrow(tx, { kind: "void", holdId: holdOf(payment), ...causeOf(payment), at }, payment);
    return {};
  },
  give_back: async (tx, payment, { amount = payment, at }) => {
    const { reservationId, projectId, mode, paymentId, refundedBaseUnits } = payment;
    if (reservationId !== null && projectId !== null) {
      const [amountMicros, budget] = [microsOf(amount), projectCap({ projectId })];
      await refundReservation(tx, { reservationId, budget, amountMicros, at });
    }
    const reverse = { debitAccountId: payment.creditAccountId, creditAccountId: payment.debitAccountId };
    const cause = { type: "refund", id: paymentId };
    await moveOrThrow(tx, { kind: "direct", ignoresFreeze: false, mode, cause, ...reverse, amount, at }, amount);
    return { refundedBaseUnits: refundedBaseUnits + amount.baseUnits };
  },
};

async function settleReserved(
  tx: Tx,
  { reservationId }: Payment,
  committedMicros: UsdMicros | null,
  at: Date,
): Promise<void> {
  if (reservationId === null) return;
  const alerts = await settleReservation(tx, { reservationId, committedMicros, at });
  invariant(alerts?.length === 0, "the reservation of an authorized payment is held, and no less than is paid");
}

async function moveOrThrow(tx: Tx, move: Move, amount: TokenAmount) {
  const moved = await moveMoney(tx, move);
  if (moved.outcome !== "done") throw moveRefusal(moved, amount);
  return moved.transferId;
}

function holdOf({ transferId }: Payment) {
  invariant(transferId !== null, "an authorized payment has a hold");
  return transferId;
}

function causeOf({ mode, paymentId }: Payment) {
  return { mode, cause: { type: "payment", id: paymentId } };
}

function microsOf(amount: TokenAmount): UsdMicros {
  const micros = usdMicrosOfTokens(amount);
  invariant(micros !== undefined, "budgets count stablecoins of US dollars");
  return micros;
}

/** Throws `conflict` unless the payment can have the status `to` next. */
export function requireTransition(payment: Pick<Payment, "status" | "expiresAt">, to: PaymentStatus, at: Date): void {
  const before = PAYMENT_STATUSES.filter((each) => canBecome(each, to));
  requireStatus(payment, before, at);
}

/** Throws `conflict` unless the payment has one of these statuses. */
export function requireStatus(
  payment: Pick<Payment, "status" | "expiresAt">,
  statuses: readonly PaymentStatus[],
  at: Date,
): void {
  const status = paymentStatusAt(payment, at);
  if (statuses.includes(status)) return;
  throw new AppError("conflict", { detail: `The payment is ${status}. It must be ${statuses.join(" or ")}.` });
}

export function canBecome(status: PaymentStatus, to: PaymentStatus): boolean {
  return TRANSITIONS[status]?.[to] !== undefined;
}

/** Who pays the payees. */
interface Settler {
  /** What happens in the ledger when a payment is sent. */
  readonly sends: "direct" | "hold";
  /** The status of a payment that is sent, and of one that is captured. */
  readonly sent: PaymentStatus;
  readonly captured: PaymentStatus;
  /** Whether a payee's wallet of the same tenant is credited with the payment, and not by a deposit that is seen on a chain. */
  readonly creditsPayee: boolean;
}

/** The ledger settles payments in the transaction of the request. Those on a chain wait until a final block contains them. */
const SETTLERS: Readonly<Record<Mode, Settler>> = {
  test: { sends: "direct", sent: "confirmed", captured: "captured", creditsPayee: true },
  live: { sends: "hold", sent: "queued", captured: "queued", creditsPayee: false },
};

export function settlerOf(mode: Mode): Settler {
  return SETTLERS[mode];
}

/** How long an authorization holds at most. */
export const AUTHORIZATION_MAX_MS = 7 * 86_400_000;

/** Returns the payment as its settler begins it, after `spend` has moved or held its amount. */
export function settled(payment: Payment, { transferId, reservationId }: Spent, at: Date): Payment {
  const spent = { ...payment, transferId, reservationId: reservationId ?? null, updatedAt: at };
  if (payment.execution === "auto") {
    const { sends, sent: status } = settlerOf(payment.mode);
    const isPaid = sends === "direct";
    const paid = { paidBaseUnits: isPaid ? payment.baseUnits : null, settledAt: isPaid ? at : null };
    return { ...spent, ...paid, status, expiresAt: null };
  }
  const latest = new Date(at.getTime() + AUTHORIZATION_MAX_MS);
  const { requestedExpiresAt } = payment;
  const isEarlier = requestedExpiresAt !== null && requestedExpiresAt < latest;
  return { ...spent, status: "authorized", expiresAt: isEarlier ? requestedExpiresAt : latest };
}

/** No payment is stored with the others, and what is being signed has no event. */
type EventStatus = Exclude<PaymentStatus, "approved" | "partially_refunded" | "rejected" | "signing">;

/**
 * Returns the audit entry and the event data for a payment's new status. The event is named after the status. A payment
 * that was refunded in part has the event `payment.refunded` as well.
 */
export function paymentRecordOf(data: PresentedPayment, occurredAt: Date) {
  const { agent_id, wallet_id, project_id, amount, token, network, to, status, failure } = data;
  return {
    action: `payment.${status === "partially_refunded" ? "refunded" : (status as EventStatus)}` as const,
    subject: { type: "payment", id: data.payment_id },
    facts: {
      ...{ agent_id, wallet_id, project_id, amount, token, network },
      payee: to.address,
      failure: failure?.code ?? null,
    },
    occurredAt,
    data,
  };
}
