import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { FreezeReport, freezeWalletOnChain } from "../../../../modules/wallets/index.ts";
import { replyOnce } from "../../../idempotency.ts";
import type { Server } from "../../../route.ts";
import { freezeCommandOf } from "./freeze-command.ts";
import { WalletFreezeRequest } from "./freeze-fields.ts";

export function freezeWalletOnChainRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/wallets/:wallet_id/freeze-on-chain",
    config: {
      auth: "tenant",
      scope: "wallets:freeze",
      replayGuard: "strict",
      agentBound: "allowed",
      projectBound: "refused",
      sample: {
        sdk: "wallets.freezeOnChain(WALLET_ID, BODY)",
        body: { reason: "suspected_compromise" },
      },
    },
    schema: {
      operationId: "freezeWalletOnChain",
      tags: ["Wallets"],
      summary: "Freeze a wallet on the chain",
      description:
        "Freezes the wallet like `POST /wallets/{wallet_id}/freeze`, then its account on the chain, and returns a signed proof. Test mode has no chain: the freeze of the account is `simulated`. In live mode the wallet is frozen in Purser, and the response is 503 `network_unavailable`, because this version cannot call a chain. The request can be repeated.",
      params: Type.Object({ wallet_id: Type.String() }),
      body: WalletFreezeRequest,
      response: { 200: FreezeReport, 404: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const { body, params } = request;
      const command = freezeCommandOf(app, request, { walletId: params.wallet_id, body });
      const options = { status: 200, present: (report: FreezeReport) => report } as const;
      return replyOnce(app, request, reply, options, async (saveResponse) =>
        freezeWalletOnChain(app, command(), saveResponse),
      );
    },
  });
}
