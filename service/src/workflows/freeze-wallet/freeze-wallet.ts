import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import {
  type FreezeOneWallet,
  freezeOneWallet,
  freezeWallets,
  getWallet,
  listAgentWalletIds,
  type Wallet,
} from "../../modules/wallets/index.ts";

export interface FreezeWallet extends Pick<FreezeOneWallet, "key" | "actorOf" | "freeze"> {
  /** Whether to freeze this wallet, or all wallets of its agent in this mode. */
  readonly scope: "wallet" | "agent";
}

/** Freezes a wallet, or all wallets of its agent. Freezing a frozen wallet changes nothing, unless the freeze is stricter. */
export async function freezeWallet(
  app: Pick<App, "db" | "clock">,
  command: FreezeWallet,
  saveResponse: SaveResponse<void>,
): Promise<void> {
  await withTransaction(app.db, command.key.tenantId, async (tx) => {
    await freezeInTransaction(tx, command, { at: app.clock.now() });
    await saveResponse(tx, undefined);
  });
}

/**
 * Freezes the wallets that the command names, and returns them in the order of their ids. Throws `wallet_not_found` if the
 * wallet is not in the caller's scope.
 */
export async function freezeInTransaction(
  tx: Tx,
  { scope, ...command }: FreezeWallet,
  change: Pick<FreezeOneWallet, "at" | "simulatesChain">,
): Promise<readonly Wallet[]> {
  const { key, actorOf, freeze } = command;
  if (scope === "wallet") return freezeOneWallet(tx, { ...command, ...change });
  const { agentId } = await getWallet(tx, key);
  const walletIds = await listAgentWalletIds(tx, { ...key, agentId });
  return freezeWallets(tx, actorOf(agentId), { walletIds, freeze, ...change });
}
