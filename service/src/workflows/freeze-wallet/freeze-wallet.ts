import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import {
  type Freeze,
  freezeWallets,
  listAgentWalletIds,
  type Wallet,
} from "../../modules/wallets/index.ts";

export interface FreezeWallet {
  readonly actor: Actor;
  /** The wallet that the caller names. Its tenant and mode are the actor's. */
  readonly wallet: Pick<Wallet, "walletId" | "agentId">;
  /** Whether to freeze this wallet, or all wallets of its agent in this mode. */
  readonly scope: "wallet" | "agent";
  readonly freeze: Freeze;
}

/** Freezes a wallet, or all wallets of its agent. Freezing a frozen wallet changes nothing, unless the freeze is stricter. */
export async function freezeWallet(
  app: Pick<App, "db" | "clock">,
  command: FreezeWallet,
  saveResponse: SaveResponse<void>,
): Promise<void> {
  await withTransaction(app.db, command.actor.tenantId, async (tx) => {
    await freezeInTransaction(tx, command, { at: app.clock.now(), simulatesChain: false });
    await saveResponse(tx, undefined);
  });
}

/** Freezes the wallets that the command names, and returns them in the order of their ids. */
export async function freezeInTransaction(
  tx: Tx,
  { actor, wallet, scope, freeze }: FreezeWallet,
  { at, simulatesChain }: { readonly at: Date; readonly simulatesChain: boolean },
): Promise<readonly Wallet[]> {
  const { tenantId, mode } = actor;
  const walletIds =
    scope === "agent"
      ? await listAgentWalletIds(tx, { tenantId, mode, agentId: wallet.agentId })
      : [wallet.walletId];
  return freezeWallets(tx, actor, { walletIds, freeze, simulatesChain, at });
}
