import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { WalletOverview } from "./queries.ts";
import { presentWallet } from "./wallet-resource.ts";

export interface WalletChangeRecord {
  readonly action:
    | "wallet.created"
    | "wallet.updated"
    | "wallet.deposit_received"
    | "wallet.frozen"
    | "wallet.unfrozen"
    | "wallet.freeze_onchain_confirmed";
  readonly wallet: WalletOverview;
  readonly facts: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

/** Writes the audit entry and the event for a change to a wallet, in the transaction of the change. */
export async function recordWalletChange(
  tx: Tx,
  actor: Actor,
  { action, wallet, facts, occurredAt }: WalletChangeRecord,
): Promise<void> {
  const subject = { type: "wallet", id: wallet.walletId };
  await recordEntryAndEvent(tx, actor, { action, subject, facts, occurredAt }, () => presentWallet(wallet, occurredAt));
}
