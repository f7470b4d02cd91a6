import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { itemsOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { cancelApprovalsOf } from "../../modules/approvals/index.ts";
import {
  type DuePayment,
  listDuePayments,
  lockPayment,
  statusAt,
} from "../../modules/payments/index.ts";
import { forgetBalances } from "../../modules/wallets/index.ts";
import { releasePayment } from "./release-payment.ts";

const PAYMENTS_MAX = 500;

/**
 * Stores the expiry of payments that wait for an approval or a capture, and releases what is held for them, in one
 * transaction each. Every reader sees the status `expired` even before this job runs (see `statusAt`).
 */
export async function expirePayments(app: App): Promise<void> {
  const at = app.clock.now();
  const due = itemsOf<DuePayment>((after) =>
    listDuePayments(app.db, { at, after, limit: PAYMENTS_MAX }),
  );
  await tryEach(due, (payment) => expirePayment(app, payment, at));
}

async function expirePayment(
  app: App,
  { tenantId, mode, paymentId, walletId }: DuePayment,
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
