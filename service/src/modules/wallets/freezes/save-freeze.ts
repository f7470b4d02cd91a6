import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { Wallet, WalletOverview } from "../queries.ts";
import { recordWalletChange } from "../record-wallet-change.ts";
import { type FreezeColumns, insertFreeze, updateFreeze } from "./queries.ts";

interface FreezeChange {
  /** As it is before the change. The caller must have locked it and its accounts. */
  readonly before: WalletOverview;
  readonly change: FreezeColumns;
  /** Why the wallet is unfrozen. Default: why it is frozen. */
  readonly reason?: Wallet["freezeReason"];
  readonly note: string | null;
  readonly reference: string | null;
  readonly facts: Readonly<Record<string, Json>>;
  readonly at: Date;
}

/**
 * Freezes or unfreezes a wallet, with the row of its history, the audit entry and the event. The caller has frozen or
 * unfrozen the ledger accounts.
 */
export async function saveFreeze(
  tx: Tx,
  actor: Actor,
  { before, change, reason, note, reference, facts, at }: FreezeChange,
): Promise<Wallet> {
  const changed = { ...change, updatedAt: at };
  const wallet = { ...before, ...changed };
  await updateFreeze(tx, before, changed);
  const isFrozen = wallet.freezeMode !== null;
  // Of an unfreeze, the history keeps the freeze that was lifted.
  const { freezeMode, freezeSource } = isFrozen ? wallet : before;
  invariant(freezeMode !== null && freezeSource !== null, "a freeze has a mode and a source");
  await insertFreeze(tx, {
    tenantId: wallet.tenantId,
    freezeId: newId("frz"),
    walletId: wallet.walletId,
    mode: wallet.mode,
    action: isFrozen ? "freeze" : "unfreeze",
    freezeMode,
    source: freezeSource,
    reason: reason ?? wallet.freezeReason,
    note,
    reference,
    actor: JSON.stringify(typeAndIdOf(actor)),
    createdAt: at,
  });
  await recordWalletChange(tx, actor, {
    action: isFrozen ? "wallet.frozen" : "wallet.unfrozen",
    wallet,
    facts: { agent_id: wallet.agentId, ...facts },
    occurredAt: at,
  });
  return wallet;
}

export function typeAndIdOf({ actor: { type, id } }: Actor): NonNullable<Wallet["frozenBy"]> {
  return { type, id };
}
