import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { itemsOf } from "../../db/pages.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId, WalletId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { cancelApprovalsOf } from "../approvals/approvals.ts";
import { forgetBalances } from "../wallets/balances/cached-balances.ts";
import { paymentStatusAt } from "./payment-resource.ts";
import {
  expiredPayments,
  isWalletFrozen,
  listExpiredAuthorizations,
  listWaitingPayments,
  type PaymentKey,
  paymentRows,
  paymentsOfFrozenWallets,
  type WaitingPayment,
} from "./queries.ts";
import { canBecome, settlePayment } from "./settle-payment.ts";

const PAYMENTS_MAX = 500;

export const WALLET_FROZEN: PaymentFailure = {
  code: "wallet_frozen",
  detail: "The wallet was frozen before the payee was paid.",
};

/**
 * Cancels a payment that waits for an approval or a capture, and its pending approval. Returns false if the payment does not
 * wait.
 */
export async function cancelWaitingPayment(
  tx: Tx,
  app: App,
  actor: Actor,
  { tenantId, paymentId }: PaymentKey,
  failure: PaymentFailure,
): Promise<boolean> {
  const at = app.clock.now();
  await cancelApprovalsOf(tx, app, actor, { subject: { type: "payment", id: paymentId } });
  const payment = await paymentRows.lock(tx, { tenantId, paymentId });
  if (payment === undefined || !canBecome(paymentStatusAt(payment, at), "canceled")) return false;
  await settlePayment(tx, app, actor, payment, { to: "canceled", failure, at });
  return true;
}

/**
 * Cancels the payments of a frozen wallet that wait for an approval or a capture, each in a transaction of its own. Call it
 * after the commit of the freeze. A payment whose cancellation fails is canceled by the job `cancel-frozen-payments`.
 *
 * @returns the number of payments that were canceled
 */
export async function cancelPaymentsOf(
  app: App,
  wallet: { readonly tenantId: TenantId; readonly walletId: WalletId },
): Promise<number> {
  if (!(await isWalletFrozen(app.db, wallet))) return 0;
  let canceled = 0;
  const waiting = itemsOf<WaitingPayment>((after) =>
    listWaitingPayments(app.db, { ...wallet, after, limit: PAYMENTS_MAX }),
  );
  await tryEach(waiting, async (payment) => {
    if (await cancelFrozen(app, payment)) canceled += 1;
  });
  return canceled;
}

/** Cancels the waiting payments of all frozen wallets. */
export async function cancelFrozenPayments(app: App): Promise<void> {
  await tryEach(paymentsOfFrozenWallets(app.db), async (payment) => void (await cancelFrozen(app, payment)));
}

/** Returns false, and changes nothing, if the payment no longer waits or the wallet is no longer frozen. */
async function cancelFrozen(app: App, payment: WaitingPayment): Promise<boolean> {
  return inOwnTransaction(app, payment, async (tx, actor) => {
    if (!(await isWalletFrozen(tx, payment))) return false;
    return cancelWaitingPayment(tx, app, actor, payment, WALLET_FROZEN);
  });
}

/**
 * Stores the expiry of payments that wait for an approval or a capture, and releases what is held for them, in one
 * transaction each. Every reader sees the status `expired` even before this job runs (see `statusAt`).
 */
export async function expirePayments(app: App): Promise<void> {
  await tryEach(expiredPayments(app.db, app.clock), (payment) => expirePayment(app, payment, app.clock.now()));
}

/**
 * Releases what expired authorizations of the tenant and mode still hold. Call it before a decision that would be refused
 * because of these amounts. Throws `service_unavailable` if there are too many for one request.
 */
export async function releaseExpiredHolds(
  app: App,
  { tenantId, mode }: Pick<WaitingPayment, "tenantId" | "mode">,
): Promise<void> {
  const at = app.clock.now();
  const limit = PAYMENTS_MAX;
  const expired = await listExpiredAuthorizations(app.db, { tenantId, mode, at, limit });
  // The job `expire-payments` reports what fails here, because it tries the same.
  await tryEach(expired, (payment) => expirePayment(app, payment, at)).catch(() => {});
  if (expired.length < limit) return;
  const internal = "too many authorizations have expired at once";
  throw new AppError("service_unavailable", { internal, retryAfterSeconds: 1 });
}

async function expirePayment(app: App, due: WaitingPayment, at: Date): Promise<void> {
  const { tenantId, paymentId } = due;
  await inOwnTransaction(app, due, async (tx, actor) => {
    await cancelApprovalsOf(tx, app, actor, { subject: { type: "payment", id: paymentId } });
    const payment = await paymentRows.lock(tx, { tenantId, paymentId });
    // Another process may have expired it since it was listed.
    if (payment === undefined || payment.status === "expired") return;
    if (paymentStatusAt(payment, at) !== "expired") return;
    await settlePayment(tx, app, actor, payment, { to: "expired", at });
  });
}

async function inOwnTransaction<Result>(
  app: App,
  { tenantId, mode, walletId }: WaitingPayment,
  work: (tx: Tx, actor: Actor) => Promise<Result>,
): Promise<Result> {
  const actor = systemActor({ tenantId, mode });
  const result = await withTransaction(app.db, tenantId, (tx) => work(tx, actor));
  await forgetBalances(app, tenantId, [walletId]);
  return result;
}
