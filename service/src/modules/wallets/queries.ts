import { sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type ListedPage, type Page, readNewest, readPage } from "../../db/pages.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { rowsWhere } from "../../db/where.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import { isId, type TenantId, type WalletId } from "../../foundation/ids.ts";
import type { Asset } from "../../foundation/money.ts";
import type { Mode, WalletStatus } from "../../foundation/vocabulary.ts";

export type Wallet = Row<"wallets">;

export const walletRows = tableOf("wallets", ["tenantId", "walletId"]);
/** The wallets, whichever tenant they belong to. */
export const walletRowsOfAnyTenant = tableOf("wallets", ["walletId"]);
/** The wallets, of which an agent has at most one on a network. */
export const walletRowsByNetwork = tableOf("wallets", ["tenantId", "mode", "agentId", "network"]);
/** The encrypted keys of wallets, by the keys of the wallets. */
export const walletSignerKeyRows = tableOf("walletSignerKeys", ["tenantId", "walletId"]);
/** The deposits of test tokens, by their keys. */
export const walletFundingRows = tableOf("walletFundings", ["tenantId", "fundingId"]);

/** The wallets that a caller can reach. */
export interface WalletScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** The agents whose wallets the caller can reach, in lowercase. Null for all agents. */
  readonly agentIds: readonly string[] | null;
}

export interface WalletKey extends WalletScope {
  readonly walletId: WalletId;
}

/** One ledger account of a wallet. Amounts are decimal texts of base units. */
interface AccountBalance {
  readonly asset: Asset;
  readonly posted: string;
  readonly held: string;
}

/** A wallet with the balances of its ledger accounts. */
export interface WalletOverview extends Wallet {
  readonly accounts: readonly AccountBalance[];
}

export function selectOverviews(db: Db, { tenantId, mode, agentIds }: WalletScope) {
  return rowsWhere(db, "wallets", { tenantId, mode })
    .select(
      sql<WalletOverview["accounts"]>`coalesce((
        select json_agg(json_build_object('asset', asset, 'posted', posted::text, 'held', held::text))
        from ledger_accounts account
        where account.subject_id = wallets.wallet_id and account.tenant_id = wallets.tenant_id
          and account.mode = wallets.mode and account.subject_type = 'wallet' and account.kind = 'wallet'),
        '[]')`.as("accounts"),
    )
    .where(sql<boolean>`(${agentIds}::uuid[] is null or wallets.agent_id = any(${agentIds}::uuid[]))`);
}

export async function findWalletOverview(db: Db, key: WalletKey): Promise<WalletOverview | undefined> {
  const [wallet] = await selectOverview(db, key);
  return wallet;
}

const selectOverview = compileOnce((db, key: WalletKey) =>
  selectOverviews(db, key).where("walletId", "=", key.walletId),
);

/** Locks and returns the wallet. */
export async function lockWallet(tx: Tx, key: WalletKey): Promise<WalletOverview | undefined> {
  return selectOverviews(tx, key).where("walletId", "=", key.walletId).forNoKeyUpdate().executeTakeFirst();
}

export interface WalletFilter {
  readonly agentId: string | undefined;
  readonly network: BlockchainNetwork | undefined;
  readonly status: WalletStatus | undefined;
}

export async function listWallets(
  db: Db,
  scope: WalletScope,
  { agentId, network, status, after, limit }: WalletFilter & Page<string>,
): Promise<ListedPage<WalletOverview>> {
  let wallets = selectOverviews(db, scope);
  if (agentId !== undefined) wallets = wallets.where("agentId", "=", agentId);
  if (network !== undefined) wallets = wallets.where("network", "=", network);
  if (status !== undefined) wallets = wallets.where("status", "=", status);
  return readNewest(wallets, { tenantId: scope.tenantId, table: "wallets", column: "walletId" }, { after, limit });
}

export interface WalletSearch extends Page<string> {
  /** The id of a wallet or a developer, or an address. */
  readonly text: string | undefined;
  readonly isFrozen: boolean | undefined;
}

/** Returns one page of the wallets of all tenants that match the search, newest first. For admins only. */
export async function searchWallets(
  db: Db,
  { text, isFrozen, after, limit }: WalletSearch,
): Promise<ListedPage<Wallet>> {
  let found = db.selectFrom("wallets").selectAll().orderBy("walletId", "desc");
  if (text !== undefined) {
    if (isId("wal", text)) found = found.where("walletId", "=", text);
    else if (isId("dev", text)) found = found.where("tenantId", "=", text);
    else found = found.where(sql<boolean>`lower(address) = ${text.toLowerCase()}`);
  }
  if (isFrozen !== undefined) found = found.where("freezeMode", isFrozen ? "is not" : "is", null);
  if (after !== undefined) found = found.where(sql<boolean>`wallet_id < ${after}`);
  return readPage(limit, (max) => found.limit(max).execute());
}

/** Returns all wallets of an agent, newest first: at most one for each network. */
export async function listAgentWallets(db: Db, scope: WalletScope, agentId: string): Promise<WalletOverview[]> {
  const wallets = selectOverviews(db, scope).where("agentId", "=", agentId);
  return wallets.orderBy("wallets.createdAt", "desc").orderBy("wallets.walletId", "desc").execute();
}
