import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import type { TenantId, WalletId } from "../../foundation/ids.ts";

/** The due work that sends the queued payments of a wallet. Its subjects are wallets. */
export const SEND_OPERATIONS = { kind: "send-operations" };

/** Schedules the sending of what waits for a wallet, in the caller's transaction. */
export async function scheduleSending(
  tx: Tx,
  { tenantId, walletId }: { readonly tenantId: TenantId; readonly walletId: WalletId },
  dueAt: Date,
): Promise<void> {
  await scheduleWork(tx, SEND_OPERATIONS, { tenantId, subject: walletId, dueAt });
}

/** Lets a worker of this process send at once. Call it after the commit. */
export function wakeSending({ wakeUps }: Pick<App, "wakeUps">): void {
  wakeUps.wake(SEND_OPERATIONS.kind);
}
