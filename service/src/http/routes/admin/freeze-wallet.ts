import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { adminActorInTenant } from "../../../audit/actors.ts";
import { freezeWallet } from "../../../modules/wallets/freezes/freeze-wallets.ts";
import { findWalletForAdmin } from "../../../modules/wallets/require-wallet.ts";
import { unfreezeAsAdmin } from "../../../workflows/freeze-wallet/unfreeze-wallet.ts";
import { adminOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { freezeOf, unfreezeOf, WalletFreezeRequest, WalletUnfreezeRequest } from "../wallets/freezes/freeze-fields.ts";

export const freezeWalletAsAdminRoute = endpoint("POST /api/v1/svc/admin/wallets/:wallet_id/freeze", {
  operationId: "freezeWalletAsAdmin",
  summary: "Freeze a developer's wallet",
  description:
    "Freezes a wallet of any account and mode. The freeze is always `full`, replaces a freeze by the developer, and only an admin can lift it. The audit entry and the event are those of the developer's account.",
  auth: "admin",
  body: WalletFreezeRequest,
  answers: { 204: Type.Null() },
  run: async (app, request, reply) => {
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

export const unfreezeWalletAsAdminRoute = endpoint("POST /api/v1/svc/admin/wallets/:wallet_id/unfreeze", {
  operationId: "unfreezeWalletAsAdmin",
  summary: "Unfreeze a developer's wallet",
  description:
    "Lifts the freeze of a wallet of any account and mode, whether an admin or the developer made it. Does nothing if the wallet is not frozen.",
  auth: "admin",
  body: WalletUnfreezeRequest,
  answers: { 204: Type.Null() },
  run: async (app, request, reply) => {
    const { wallet, actor } = await walletOfAdmin(app, request, request.params.wallet_id);
    const { tenantId, mode, walletId } = wallet;
    const options = { status: 204, present: () => null, about: tenantId } as const;
    const unfreeze = { key: { tenantId, mode, agentIds: null, walletId } };
    return replyOnce(app, request, reply, options, (saveResponse) =>
      unfreezeAsAdmin(app, actor, { ...unfreeze, ...unfreezeOf(request.body) }, saveResponse),
    );
  },
});

/** Returns the wallet in the path, of any account and mode, and the admin as recorded in the account's audit trail. */
async function walletOfAdmin(app: App, request: FastifyRequest, walletId: string) {
  const wallet = await findWalletForAdmin(app.db, pathId("wal", walletId));
  const { adminId } = adminOf(request);
  const actor = adminActorInTenant(wallet, { adminId, requestId: request.id });
  return { wallet, actor };
}
