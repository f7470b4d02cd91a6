import type { App } from "../../app.ts";
import type { TenantId, WalletId } from "../../foundation/ids.ts";
import { forgetBalances } from "../../modules/wallets/index.ts";

/** Removes the cached balances of the wallets of a payment. Call it after the commit, before the response. */
export async function forgetPaymentBalances(
  app: Pick<App, "fastState" | "log">,
  tenantId: TenantId,
  {
    walletId,
    payeeWalletId,
  }: { readonly walletId: WalletId; readonly payeeWalletId: WalletId | null },
): Promise<void> {
  const walletIds = payeeWalletId === null ? [walletId] : [walletId, payeeWalletId];
  await forgetBalances(app, tenantId, walletIds);
}
