import type { App } from "../../app.ts";
import type { Payment } from "../../modules/payments/index.ts";
import { forgetBalances } from "../../modules/wallets/index.ts";

/** Removes the cached balances of the wallets of a payment. Call it after the commit, before the response. */
export async function forgetPaymentBalances(
  app: Pick<App, "fastState" | "log">,
  { tenantId, walletId, payeeWalletId }: Pick<Payment, "tenantId" | "walletId" | "payeeWalletId">,
): Promise<void> {
  const walletIds = payeeWalletId === null ? [walletId] : [walletId, payeeWalletId];
  await forgetBalances(app, tenantId, walletIds);
}
