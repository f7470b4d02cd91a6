import type { Db } from "../../db/database.ts";
import {
  listAgentWalletOverviews,
  listWalletOverviews,
  type WalletFilter,
  type WalletOverview,
  type WalletScope,
} from "./queries.ts";

/** Returns one page of the wallets in scope, newest first. */
export async function listWallets(
  db: Db,
  {
    scope,
    filter,
    afterWalletId,
    limit,
  }: {
    readonly scope: WalletScope;
    readonly filter: WalletFilter;
    /** The last wallet of the previous page. Undefined for the first page. */
    readonly afterWalletId: string | undefined;
    readonly limit: number;
  },
): Promise<{ readonly items: readonly WalletOverview[]; readonly hasMore: boolean }> {
  const rows = await listWalletOverviews(db, scope, filter, { afterWalletId, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Returns all wallets of an agent, newest first. Empty for an unknown agent. */
export async function listAgentWallets(
  db: Db,
  { scope, agentId }: { readonly scope: WalletScope; readonly agentId: string },
): Promise<readonly WalletOverview[]> {
  return listAgentWalletOverviews(db, scope, agentId);
}
