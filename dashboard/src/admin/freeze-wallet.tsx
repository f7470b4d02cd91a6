import type { AdminWallet, WalletFreezeRequest } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { filledIn } from "../ui/forms/fields.tsx";
import { FREEZE_FIELDS, freezeOf, WHY_FIELDS } from "../wallets/freeze-fields.ts";

const FROZEN =
  "From now on, no payment leaves this wallet. Payments that wait are canceled. The developer sees the reason, and only an admin can unfreeze it.";
const UNFROZEN = "Payments work again. Those that were canceled stay canceled.";
const UNFROZEN_ON_CHAIN =
  " The account is unfrozen on its chain first. If that takes longer than 20 seconds, you see an error, and Purser goes on: look again in a minute.";

/** Freezes or unfreezes a wallet. The last characters of its address must be typed, so that it is not another one. */
export function ChangeFreeze({ wallet, isFreeze }: { wallet: AdminWallet; isFreeze: boolean }) {
  const { wallet_id, address, freeze } = wallet;
  const params = { path: { wallet_id } };
  const verb = isFreeze ? "Freeze" : "Unfreeze";
  const common = { title: `${verb} ${wallet_id}`, button: verb, action: `${verb} the wallet`, isSmall: true };
  const confirmed = { ...common, isDangerous: isFreeze, typeToConfirm: address.slice(-6) };
  if (isFreeze) {
    return (
      <ActionDialog
        {...{ ...confirmed, text: FROZEN, fields: FREEZE_FIELDS }}
        run={(values) => api.POST("/admin/wallets/{wallet_id}/freeze", { params, body: freezeOf(values) })}
      />
    );
  }
  const isOnChain = !["not_frozen", "simulated"].includes(freeze.onchain.status);
  return (
    <ActionDialog
      {...{ ...confirmed, text: UNFROZEN + (isOnChain ? UNFROZEN_ON_CHAIN : ""), fields: WHY_FIELDS }}
      run={(values) => {
        const body = filledIn(values) as Pick<WalletFreezeRequest, "reason">;
        return api.POST("/admin/wallets/{wallet_id}/unfreeze", { params, body });
      }}
    />
  );
}
