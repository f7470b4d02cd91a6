import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { App } from "../../../../app.ts";
import type { freezeWallet } from "../../../../modules/wallets/index.ts";
import { agentActorOf } from "../../../auth/principal.ts";
import { principalOf } from "../../../route.ts";
import { walletKeyOf } from "../wallet-key.ts";
import { freezeOf, type WalletFreezeRequest } from "./freeze-fields.ts";

type FreezeWallet = Parameters<typeof freezeWallet>[1];

/**
 * Returns a function that returns the command to freeze the wallet in the path. The body is checked at once, and the path
 * by the function, after the Idempotency-Key is claimed.
 */
export function freezeCommandOf(
  app: App,
  request: FastifyRequest,
  { walletId, body }: { readonly walletId: string; readonly body: Static<typeof WalletFreezeRequest> },
): () => FreezeWallet {
  const principal = principalOf(request);
  const freeze = freezeOf(body, { source: "developer", now: app.clock.now() });
  return () => ({
    key: walletKeyOf(request, walletId),
    actorOf: (agentId) => agentActorOf(request, principal, agentId),
    scope: body.scope ?? "wallet",
    freeze,
  });
}
