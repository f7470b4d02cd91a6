import type { Db, Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import type { LedgerAccountId, TenantId, WalletId } from "../../foundation/ids.ts";

/** Why a ledger account may not send or accept money. */
export type AccountState = Pick<Row<"ledgerAccounts">, "accountId" | "frozen" | "stopped">;

export async function listAccountStates(
  tx: Tx,
  { tenantId, accountIds }: { readonly tenantId: TenantId; readonly accountIds: readonly LedgerAccountId[] },
): Promise<AccountState[]> {
  return tx
    .selectFrom("ledgerAccounts")
    .select(["accountId", "frozen", "stopped"])
    .where("tenantId", "=", tenantId)
    .where("accountId", "in", accountIds)
    .execute();
}

export async function isWalletFrozen(
  db: Db,
  { tenantId, walletId }: { readonly tenantId: TenantId; readonly walletId: WalletId },
): Promise<boolean> {
  const wallet = await db
    .selectFrom("wallets")
    .select("freezeMode")
    .where("tenantId", "=", tenantId)
    .where("walletId", "=", walletId)
    .executeTakeFirst();
  return wallet !== undefined && wallet.freezeMode !== null;
}
