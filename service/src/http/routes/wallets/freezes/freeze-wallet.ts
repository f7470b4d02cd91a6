import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { freezeWallet } from "../../../../modules/wallets/index.ts";
import { replyOnce } from "../../../idempotency.ts";
import type { Server } from "../../../route.ts";
import { freezeCommandOf } from "./freeze-command.ts";
import { WalletFreezeRequest } from "./freeze-fields.ts";

export function freezeWalletRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/wallets/:wallet_id/freeze",
    config: {
      auth: "tenant",
      scope: "wallets:freeze",
      replayGuard: "strict",
      agentBound: "allowed",
      projectBound: "refused",
      sample: { sdk: "wallets.freeze(WALLET_ID, BODY)", body: { reason: "anomaly" } },
    },
    schema: {
      operationId: "freezeWallet",
      tags: ["Wallets"],
      summary: "Freeze a wallet",
      description:
        "Freezes the wallet: from the response on, no payment leaves it. Payments that wait for an approval or a capture are canceled. A frozen wallet remains as it is, unless the new freeze is stricter: `full` instead of `outgoing_only`, or by an admin. A key that is bound to an agent can freeze the agent's wallets, but cannot unfreeze them.",
      params: Type.Object({ wallet_id: Type.String() }),
      body: WalletFreezeRequest,
      response: { 204: Type.Null(), 404: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const { body, params } = request;
      const command = freezeCommandOf(app, request, { walletId: params.wallet_id, body });
      const options = { status: 204, present: () => null } as const;
      return replyOnce(app, request, reply, options, async (saveResponse) =>
        freezeWallet(app, command(), saveResponse),
      );
    },
  });
}
