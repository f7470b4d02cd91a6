import type { FastifyRequest } from "fastify";
import type { App } from "../../../app.ts";
import { adminActorInTenant } from "../../../audit/actors.ts";
import { findWalletForAdmin } from "../../../modules/wallets/index.ts";
import { pathId } from "../../path-id.ts";
import { adminOf } from "../../route.ts";

/** Returns the wallet in the path, of any account and mode, and the admin as recorded in the account's audit trail. */
export async function walletOfAdmin(app: App, request: FastifyRequest, walletId: string) {
  const wallet = await findWalletForAdmin(app.db, pathId("wal", walletId));
  const { adminId } = adminOf(request);
  const actor = adminActorInTenant(wallet, { adminId, requestId: request.id });
  return { wallet, actor };
}
