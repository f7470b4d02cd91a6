import type { Actor, AuditEvent } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import type { WalletOverview } from "./queries.ts";
import { presentWallet } from "./wallet-resource.ts";

/** Writes the audit entry and the event for a change to a wallet, in the transaction of the change. */
export async function recordWalletChange(
  tx: Tx,
  actor: Actor,
  { wallet, ...entry }: Omit<AuditEvent, "subject" | "chain"> & { readonly wallet: WalletOverview },
): Promise<void> {
  const subject = { type: "wallet", id: wallet.walletId };
  await recordEntryAndEvent(tx, actor, { ...entry, subject }, () => presentWallet(wallet, entry.occurredAt));
}
