import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { mergedMetadata } from "../../foundation/wire/apply-change.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { type Wallet, type WalletKey, type WalletOverview, walletRows } from "./queries.ts";
import { recordWalletChange } from "./record-wallet-change.ts";
import { getChangedWallet, requireWalletLocked } from "./require-wallet.ts";

/** An undefined field is left unchanged; null clears a field. `metadata` is merged: a null value removes its key. */
export interface WalletChange {
  readonly name: string | null | undefined;
  readonly metadata: Readonly<Record<string, string | null>> | null | undefined;
}

interface UpdateWallet {
  readonly key: WalletKey;
  /** Returns the actor for a change of a wallet of this agent. */
  readonly actorOf: (agentId: string) => Actor;
  readonly change: WalletChange;
}

/**
 * Changes a wallet. If no value changes, the wallet keeps its `updatedAt`, and no audit entry or event is written. Throws
 * `wallet_not_found`.
 */
export async function updateWallet(
  { db, clock }: Pick<App, "db" | "clock">,
  { key, actorOf, change }: UpdateWallet,
  saveResponse: SaveResponse<WalletOverview>,
): Promise<WalletOverview> {
  return withTransaction(db, key.tenantId, async (tx) => {
    const before = await requireWalletLocked(tx, key);
    const columns = changedColumns(before, change);
    const fields = Object.keys(columns);
    const at = clock.now();
    if (fields.length > 0) await walletRows.update(tx, key, { ...columns, updatedAt: at });
    const wallet = await getChangedWallet(tx, key);
    if (fields.length > 0) {
      const record = {
        action: "wallet.updated",
        wallet,
        facts: { fields },
        occurredAt: at,
      } as const;
      await recordWalletChange(tx, actorOf(wallet.agentId), record);
    }
    await saveResponse(tx, wallet);
    return wallet;
  });
}

function changedColumns(before: Wallet, { name, metadata }: WalletChange): Partial<Pick<Wallet, "name" | "metadata">> {
  const merged = mergedMetadata(before.metadata, metadata);
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(!isDeepStrictEqual(merged, before.metadata) && { metadata: merged }),
  };
}
