import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { itemsInTurns } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { cancelApprovalsOf } from "../../modules/approvals/index.ts";
import {
  type DuePayment,
  listDuePayments,
  listExpiredAuthorizations,
  lockPayment,
  statusAt,
  type WaitingPayment,
} from "../../modules/payments/index.ts";
import { forgetBalances } from "../../modules/wallets/index.ts";
import { releasePayment } from "./release-payment.ts";

const PAYMENTS_MAX = 500;

/**
 * Stores the expiry of payments that wait for an approval or a capture, and releases what is held for them, in one
 * transaction each. Every reader sees the status `expired` even before this job runs (see `statusAt`).
 */
export async function expirePayments(app: App): Promise<void> {
  const due = itemsInTurns<DuePayment>(
    (after) => listDuePayments(app.db, { at: app.clock.now(), after, limit: PAYMENTS_MAX }),
    ({ paymentId }) => paymentId,
  );
  await tryEach(due, (payment) => expirePayment(app, payment, app.clock.now()));
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

async function expirePayment(
  app: App,
  { tenantId, mode, paymentId, walletId }: WaitingPayment,
  at: Date,
): Promise<void> {
  const actor = systemActor({ tenantId, mode });
  await withTransaction(app.db, tenantId, async (tx) => {
    await cancelApprovalsOf(tx, app, actor, { subject: { type: "payment", id: paymentId } });
    const payment = await lockPayment(tx, { tenantId, paymentId });
    // Another process may have expired it since it was listed.
    if (payment === undefined || payment.status === "expired") return;
    if (statusAt(payment, at) !== "expired") return;
    await releasePayment(tx, app, actor, payment, { status: "expired", failure: null, at });
  });
  await forgetBalances(app, tenantId, [walletId]);
}
