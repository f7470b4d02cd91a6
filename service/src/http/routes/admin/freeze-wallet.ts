import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { freezeWallet } from "../../../modules/wallets/index.ts";
import { replyOnce } from "../../idempotency.ts";
import type { Server } from "../../route.ts";
import { freezeOf, WalletFreezeRequest } from "../wallets/freezes/freeze-fields.ts";
import { walletOfAdmin } from "./wallet-of-admin.ts";

export function freezeWalletAsAdminRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/admin/wallets/:wallet_id/freeze",
    config: { auth: "admin" },
    schema: {
      operationId: "freezeWalletAsAdmin",
      tags: ["Admin"],
      summary: "Freeze a developer's wallet",
      description:
        "Freezes a wallet of any account and mode. The freeze is always `full`, replaces a freeze by the developer, and only an admin can lift it. The audit entry and the event are those of the developer's account.",
      params: Type.Object({ wallet_id: Type.String() }),
      body: WalletFreezeRequest,
      response: { 204: Type.Null(), 404: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const { body } = request;
      const freeze = freezeOf(body, { source: "admin", now: app.clock.now() });
      const { wallet, actor } = await walletOfAdmin(app, request, request.params.wallet_id);
      const options = { status: 204, present: () => null, about: wallet.tenantId } as const;
      return replyOnce(app, request, reply, options, (saveResponse) =>
        freezeWallet(
          app,
          {
            key: { ...wallet, agentIds: null },
            actorOf: () => actor,
            scope: body.scope ?? "wallet",
            freeze,
          },
          saveResponse,
        ),
      );
    },
  });
}
