import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { itemsInTurns, itemsOf } from "../../db/pages.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId, WalletId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { cancelApprovalsOf } from "../../modules/approvals/index.ts";
import {
  listPaymentsOfFrozenWallets,
  listWaitingPayments,
  lockPayment,
  type WaitingPayment,
} from "../../modules/payments/index.ts";
import { forgetBalances } from "../../modules/wallets/index.ts";
import { isWalletFrozen } from "./queries.ts";
import { releasePayment } from "./release-payment.ts";
import { isWaitingAt } from "./require-status.ts";

const PAYMENTS_MAX = 500;

const WALLET_FROZEN: PaymentFailure = {
  code: "wallet_frozen",
  detail: "The wallet was frozen before the payee was paid.",
};

/**
 * Cancels the payments of a frozen wallet that wait for an approval or a capture, each in a transaction of its own. Call it
 * after the commit of the freeze. A payment whose cancellation fails is canceled by the job `cancel-frozen-payments`.
 *
 * @returns the number of payments that were canceled
 */
export async function cancelPaymentsOf(
  app: App,
  wallet: { readonly tenantId: TenantId; readonly walletId: WalletId },
  failure: PaymentFailure = WALLET_FROZEN,
): Promise<number> {
  if (!(await isWalletFrozen(app.db, wallet))) return 0;
  let canceled = 0;
  const waiting = itemsOf<WaitingPayment>((after) =>
    listWaitingPayments(app.db, { ...wallet, after, limit: PAYMENTS_MAX }),
  );
  await tryEach(waiting, async (payment) => {
    if (await cancelFrozen(app, payment, failure)) canceled += 1;
  });
  return canceled;
}

/** Cancels the waiting payments of all frozen wallets. */
export async function cancelFrozenPayments(app: App): Promise<void> {
  const waiting = itemsInTurns<WaitingPayment>(
    (after) => listPaymentsOfFrozenWallets(app.db, { after, limit: PAYMENTS_MAX }),
    ({ paymentId }) => paymentId,
  );
  await tryEach(waiting, async (payment) => {
    await cancelFrozen(app, payment, WALLET_FROZEN);
  });
}

/** Returns false, and changes nothing, if the payment no longer waits or the wallet is no longer frozen. */
async function cancelFrozen(
  app: App,
  { tenantId, mode, paymentId, walletId }: WaitingPayment,
  failure: PaymentFailure,
): Promise<boolean> {
  const actor = systemActor({ tenantId, mode });
  const isCanceled = await withTransaction(app.db, tenantId, async (tx) => {
    if (!(await isWalletFrozen(tx, { tenantId, walletId }))) return false;
    const at = app.clock.now();
    await cancelApprovalsOf(tx, app, actor, { subject: { type: "payment", id: paymentId } });
    const payment = await lockPayment(tx, { tenantId, paymentId });
    if (payment === undefined || !isWaitingAt(payment, at)) return false;
    await releasePayment(tx, app, actor, payment, { status: "canceled", failure, at });
    return true;
  });
  await forgetBalances(app, tenantId, [walletId]);
  return isCanceled;
}
