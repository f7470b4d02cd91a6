import { Type } from "typebox";
import { unfreezeAsAdmin } from "../../../workflows/index.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { unfreezeOf, WalletUnfreezeRequest } from "../wallets/freezes/freeze-fields.ts";
import { walletOfAdmin } from "./wallet-of-admin.ts";

export const unfreezeWalletAsAdminRoute = endpoint({
  method: "POST",
  url: "/api/v1/svc/admin/wallets/:wallet_id/unfreeze",
  config: { auth: "admin" },
  schema: {
    operationId: "unfreezeWalletAsAdmin",
    tags: ["Admin"],
    summary: "Unfreeze a developer's wallet",
    description:
      "Lifts the freeze of a wallet of any account and mode, whether an admin or the developer made it. Does nothing if the wallet is not frozen.",
    body: WalletUnfreezeRequest,
    response: { 204: Type.Null() },
  },
  handler: async (app, request, reply) => {
    const { wallet, actor } = await walletOfAdmin(app, request, request.params.wallet_id);
    const { tenantId, mode, walletId } = wallet;
    const options = { status: 204, present: () => null, about: tenantId } as const;
    const unfreeze = { key: { tenantId, mode, agentIds: null, walletId } };
    return replyOnce(app, request, reply, options, (saveResponse) =>
      unfreezeAsAdmin(app, actor, { ...unfreeze, ...unfreezeOf(request.body) }, saveResponse),
    );
  },
});
