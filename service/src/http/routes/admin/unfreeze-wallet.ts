import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { unfreezeAsAdmin } from "../../../workflows/index.ts";
import { replyOnce } from "../../idempotency.ts";
import type { Server } from "../../route.ts";
import { unfreezeOf, WalletUnfreezeRequest } from "../wallets/freezes/freeze-fields.ts";
import { walletOfAdmin } from "./wallet-of-admin.ts";

export function unfreezeWalletAsAdminRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/admin/wallets/:wallet_id/unfreeze",
    config: { auth: "admin" },
    schema: {
      operationId: "unfreezeWalletAsAdmin",
      tags: ["Admin"],
      summary: "Unfreeze a developer's wallet",
      description:
        "Lifts the freeze of a wallet of any account and mode, whether an admin or the developer made it. Does nothing if the wallet is not frozen.",
      params: Type.Object({ wallet_id: Type.String() }),
      body: WalletUnfreezeRequest,
      response: { 204: Type.Null(), 404: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const { wallet, actor } = await walletOfAdmin(app, request, request.params.wallet_id);
      const { tenantId, mode, walletId } = wallet;
      const options = { status: 204, present: () => null, about: tenantId } as const;
      const unfreeze = { key: { tenantId, mode, agentIds: null, walletId } };
      return replyOnce(app, request, reply, options, (saveResponse) =>
        unfreezeAsAdmin(app, actor, { ...unfreeze, ...unfreezeOf(request.body) }, saveResponse),
      );
    },
  });
}
