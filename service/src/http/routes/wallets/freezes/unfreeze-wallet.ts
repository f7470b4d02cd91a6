import { Type } from "typebox";
import { unfreezeAsDeveloper } from "../../../../workflows/freeze-wallet/unfreeze-wallet.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyToMoneyRequest } from "../../../money-request.ts";
import { endpoint } from "../../../route.ts";
import { walletKeyOf } from "../wallet-key.ts";
import { unfreezeOf, WalletUnfreezeRequest } from "./freeze-fields.ts";

export const unfreezeWalletRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/unfreeze", {
  operationId: "unfreezeWallet",
  sdk: "wallets.unfreeze",
  summary: "Unfreeze a wallet",
  description:
    "Lifts the developer's own freeze. Fails with `admin_review_required` if an admin froze the wallet. Keys that are bound to agents are refused. Does nothing if the wallet is not frozen. If the wallet's agent is not active, no payment leaves the wallet even then.",
  auth: "tenant",
  scope: "wallets:freeze",
  movesMoney: true,
  body: WalletUnfreezeRequest,
  answers: { 204: Type.Null() },
  errors: ["admin_review_required"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const options = { status: 204, present: (): null => null } as const;
    return replyToMoneyRequest(app, request, reply, options, (claim) =>
      unfreezeAsDeveloper(app, actor, {
        claim,
        key: walletKeyOf(request, request.params.wallet_id),
        ...unfreezeOf(request.body),
      }),
    );
  },
});
