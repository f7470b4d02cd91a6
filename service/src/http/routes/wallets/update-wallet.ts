import { Type } from "typebox";
import { Clearable, StrictObject } from "../../../foundation/wire/fields.ts";
import type { WalletOverview } from "../../../modules/wallets/queries.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { updateWallet } from "../../../modules/wallets/wallets.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { MetadataChange } from "../metadata-fields.ts";
import { WalletName, walletKeyOf } from "./wallet-fields.ts";

const WalletUpdateRequest = StrictObject("WalletUpdateRequest", {
  name: Type.Optional(Clearable(WalletName)),
  metadata: MetadataChange,
});

export const updateWalletRoute = endpoint("PATCH /api/v1/svc/wallets/:wallet_id", {
  operationId: "updateWallet",
  sdk: "wallets.update",
  summary: "Update a wallet",
  description:
    "Changes the name and the metadata. Absent fields are unchanged, and `null` clears a field. `metadata` is merged with its current value.",
  auth: "tenant",
  scope: "wallets:write",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletUpdateRequest,
  answers: { 200: WalletResource },
  example: { name: "ops-2" },
  run: async (app, request, reply) => {
    const { name, metadata } = request.body;
    const present = (wallet: WalletOverview) => presentWallet(wallet, app.clock.now());
    return replyOnce(app, request, reply, { status: 200, present }, async (saveResponse) => {
      const command = {
        key: walletKeyOf(request, request.params.wallet_id),
        actorOf: (agentId: string) => agentActorOf(request, agentId),
        change: { name, metadata },
      };
      return updateWallet(app, command, saveResponse);
    });
  },
});
