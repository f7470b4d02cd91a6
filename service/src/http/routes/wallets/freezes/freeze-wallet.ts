import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { FreezeReport, freezeWalletOnChain } from "../../../../modules/wallets/freezes/freeze-on-chain.ts";
import { freezeWallet } from "../../../../modules/wallets/freezes/freeze-wallets.ts";
import { agentActorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint } from "../../../route.ts";
import { walletKeyOf } from "../wallet-key.ts";
import { freezeOf, WalletFreezeRequest } from "./freeze-fields.ts";

export const freezeWalletRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/freeze", {
  operationId: "freezeWallet",
  sdk: "wallets.freeze",
  summary: "Freeze a wallet",
  description:
    "Freezes the wallet: from the response on, no payment leaves it. Payments that wait for an approval or a capture are canceled. A frozen wallet remains as it is, unless the new freeze is stricter: `full` instead of `outgoing_only`, or by an admin. A key that is bound to an agent can freeze the agent's wallets, but cannot unfreeze them.",
  auth: "tenant",
  scope: "wallets:freeze",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletFreezeRequest,
  answers: { 204: Type.Null() },
  example: { reason: "anomaly" },
  run: async (app, request, reply) => {
    const { body, params } = request;
    const command = freezeCommandOf(app, request, { walletId: params.wallet_id, body });
    const options = { status: 204, present: () => null } as const;
    return replyOnce(app, request, reply, options, async (saveResponse) => freezeWallet(app, command(), saveResponse));
  },
});

export const freezeWalletOnChainRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/freeze-on-chain", {
  operationId: "freezeWalletOnChain",
  sdk: "wallets.freezeOnChain",
  summary: "Freeze a wallet on the chain",
  description:
    "Freezes the wallet like `POST /wallets/{wallet_id}/freeze`, then its account on the chain, and returns a signed proof. Test mode has no chain: the freeze of the account is `simulated`. In live mode the wallet is frozen in Purser, and the response is 503 `network_unavailable`, because this version cannot call a chain. The request can be repeated.",
  auth: "tenant",
  scope: "wallets:freeze",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletFreezeRequest,
  answers: { 200: FreezeReport },
  errors: ["network_unavailable"],
  example: { reason: "suspected_compromise" },
  run: async (app, request, reply) => {
    const { body, params } = request;
    const command = freezeCommandOf(app, request, { walletId: params.wallet_id, body });
    const options = { status: 200, present: (report: FreezeReport) => report } as const;
    return replyOnce(app, request, reply, options, async (saveResponse) =>
      freezeWalletOnChain(app, command(), saveResponse),
    );
  },
});

type FreezeWallet = Parameters<typeof freezeWallet>[1];

/**
 * Returns a function that returns the command to freeze the wallet in the path. The body is checked at once, and the path
 * by the function, after the Idempotency-Key is claimed.
 */
function freezeCommandOf(
  app: App,
  request: FastifyRequest,
  { walletId, body }: { readonly walletId: string; readonly body: Static<typeof WalletFreezeRequest> },
): () => FreezeWallet {
  const freeze = freezeOf(body, { source: "developer", now: app.clock.now() });
  return () => ({
    key: walletKeyOf(request, walletId),
    actorOf: (agentId) => agentActorOf(request, agentId),
    scope: body.scope ?? "wallet",
    freeze,
  });
}
