import { sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import { inTurns, type ListedPage, type Page, readNewest } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { exists, rowsWhere, sameColumns, selectWhere, updateWhere } from "../../../db/where.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import type {
  ConversionId,
  DepositId,
  FiatAccountId,
  LedgerTransferId,
  TenantId,
  WalletId,
} from "../../../foundation/ids.ts";
import type { ConversionDirection, ConversionStatus, Mode } from "../../../foundation/vocabulary.ts";

export type Conversion = Row<"conversions">;
export type ConversionKey = Pick<Conversion, "tenantId" | "conversionId">;

export const conversionRows = tableOf("conversions", ["tenantId", "conversionId"]);

/** The statuses of conversions that wait for nothing. A quote waits for its caller only. */
const NOT_OPEN: readonly ConversionStatus[] = [
  "quoted",
  "completed",
  "refunded",
  "refund_failed",
  "canceled",
  "expired",
  "failed",
];

/** The conversions that a caller can reach. `agentIds`: those whose wallets belong to these agents. Null for all. */
export interface ConversionScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly agentIds: readonly string[] | null;
}

function selectInScope(db: Db, { tenantId, mode, agentIds }: ConversionScope) {
  return rowsWhere(db, "conversions", { tenantId, mode }).where(
    sql<boolean>`(${agentIds}::uuid[] is null or wallet_id in (
        select wallet_id from wallets where tenant_id = ${tenantId} and agent_id = any(${agentIds}::uuid[])))`,
  );
}

export function findConversion(
  db: Db,
  scope: ConversionScope,
  conversionId: ConversionId,
): Promise<Conversion | undefined> {
  return selectInScope(db, scope).where("conversionId", "=", conversionId).executeTakeFirst();
}

export function findConversionByQuote(
  db: Db,
  scope: ConversionScope,
  quoteId: string,
): Promise<Conversion | undefined> {
  return selectInScope(db, scope).where("quoteId", "=", quoteId).executeTakeFirst();
}

export interface ConversionFilter {
  readonly status: ConversionStatus | undefined;
  readonly direction: ConversionDirection | undefined;
  readonly walletId: string | undefined;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
  /** The time at which quotes have expired. */
  readonly at: Date;
}

export function listConversions(
  db: Db,
  scope: ConversionScope,
  { status, direction, walletId, from, to, at, after, limit }: ConversionFilter & Page<string>,
): Promise<ListedPage<Conversion>> {
  let conversions = selectInScope(db, scope);
  const status_at = sql<string>`case when status = 'quoted' and quote_expires_at <= ${at} then 'expired' else status end`;
  if (status !== undefined) conversions = conversions.where(status_at, "=", status);
  if (direction !== undefined) conversions = conversions.where("direction", "=", direction);
  if (walletId !== undefined) conversions = conversions.where("walletId", "=", walletId as WalletId);
  if (from !== undefined) conversions = conversions.where("createdAt", ">=", from);
  if (to !== undefined) conversions = conversions.where("createdAt", "<", to);
  return readNewest(
    conversions,
    { tenantId: scope.tenantId, table: "conversions", column: "conversionId" },
    { after, limit },
  );
}

/** Returns true if a conversion that uses the account has not ended. */
export function hasOpenConversions(db: Db, tenantId: TenantId, accountId: FiatAccountId): Promise<boolean> {
  return exists(selectOpen(db).where("tenantId", "=", tenantId).where("accountId", "=", accountId));
}

/** Ends the quotes of an account that is removed. */
export async function expireQuotesOf(
  tx: Tx,
  { tenantId, accountId, at }: { readonly tenantId: TenantId; readonly accountId: FiatAccountId; readonly at: Date },
): Promise<void> {
  await updateWhere(tx, "conversions", { tenantId, accountId, status: "quoted" })
    .set({ quoteExpiresAt: at })
    .where("quoteExpiresAt", ">", at)
    .execute();
}

/** Counts up to `limit` conversions of a wallet that have not ended. */
export async function countOpenOfWallet(
  db: Db,
  { tenantId, walletId }: { readonly tenantId: TenantId; readonly walletId: WalletId },
  limit: number,
): Promise<number> {
  const open = selectOpen(db).where("tenantId", "=", tenantId).where("walletId", "=", walletId).limit(limit);
  return (await open.execute()).length;
}

function selectOpen(db: Db) {
  return db.selectFrom("conversions").select("conversionId").where("status", "not in", NOT_OPEN);
}

/** Counts up to `limit` quotes that were requested since then. */
export async function countQuotes(
  db: Db,
  { tenantId, mode }: Pick<ConversionScope, "tenantId" | "mode">,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<number> {
  const quotes = await selectWhere(db, "conversions", { tenantId, mode })
    .select("conversionId")
    .where("createdAt", ">", since)
    .where("quoteId", "is not", null)
    .limit(limit)
    .execute();
  return quotes.length;
}

/** Returns the conversions with this transfer at the vendor, whichever tenant they belong to. */
export function listConversionsOfTransfer(db: Db, mode: Mode, transferId: string): Promise<Conversion[]> {
  return rowsWhere(db, "conversions", { transferId, mode }).limit(10).execute();
}

/** Yields the conversions of all frozen wallets whose tokens are held and not sent. */
export function heldConversionsOfFrozenWallets(db: Db): AsyncGenerator<ConversionKey> {
  return inTurns<ConversionKey>(db, ["conversionId", "tenantId"], () =>
    db
      .selectFrom("wallets")
      .innerJoin("conversions", sameColumns("conversions", "wallets", ["tenantId", "walletId"]))
      .select(["conversions.tenantId", "conversions.conversionId"])
      .where("wallets.freezeMode", "is not", null)
      .where("conversions.holdId", "is not", null)
      .where("conversions.ledgerTransferId", "is", null)
      .where("conversions.status", "not in", NOT_OPEN),
  );
}

type ConversionOfWallet = Pick<Conversion, "tenantId" | "walletId" | "network">;

/**
 * Returns the ledger's credit of a final deposit of this transaction and amount in the wallet. Undefined if there is none, or if it
 * belongs to another conversion.
 */
export async function findCreditOfDeposit(
  db: Db,
  { tenantId, walletId, network }: ConversionOfWallet,
  { transactionHash, baseUnits }: { readonly transactionHash: string; readonly baseUnits: bigint },
): Promise<LedgerTransferId | undefined> {
  const { rows } = await sql<{ transferId: LedgerTransferId }>`
    select transfer.transfer_id from deposits deposit
      join ledger_transfers transfer on transfer.tenant_id = deposit.tenant_id
        and transfer.cause_type = 'deposit' and transfer.cause_id = deposit.deposit_id
      where deposit.tenant_id = ${tenantId} and deposit.wallet_id = ${walletId} and deposit.network = ${network}
        and deposit.transaction_hash = lower(${transactionHash}) and deposit.base_units = ${baseUnits}
        and deposit.status = 'confirmed' and not exists (select from conversions other
          where other.tenant_id = ${tenantId} and other.ledger_transfer_id = transfer.transfer_id)
      order by deposit.deposit_id limit 1`.execute(db);
  return rows[0]?.transferId;
}

/** Returns a final deposit of this amount since then that has returned the tokens of no other conversion. */
export async function findReturnedDeposit(
  db: Db,
  { tenantId, walletId, network, createdAt }: ConversionOfWallet & Pick<Conversion, "createdAt">,
  baseUnits: bigint,
): Promise<DepositId | undefined> {
  const { rows } = await sql<{ depositId: DepositId }>`
    select deposit_id from deposits deposit
      where tenant_id = ${tenantId} and wallet_id = ${walletId} and network = ${network} and status = 'confirmed'
        and base_units = ${baseUnits} and confirmed_at >= ${createdAt} and not exists (select from conversions other
          where other.tenant_id = ${tenantId} and other.refund_deposit_id = deposit.deposit_id)
        and not exists (select from conversions on_ramp
          where on_ramp.tenant_id = ${tenantId} and on_ramp.wallet_id = deposit.wallet_id
            and on_ramp.direction = 'on_ramp' and lower(on_ramp.trace ->> 'txHash') = deposit.transaction_hash)
      order by deposit_id limit 1`.execute(db);
  return rows[0]?.depositId;
}

const isUnsent = sql<boolean>`deposit_address is not null and ledger_transfer_id is null
  and hold_id is not null and halted_at is null and not exists (select from user_operations operation
    where operation.tenant_id = conversions.tenant_id and operation.conversion_id = conversions.conversion_id)`;

/** Locks and returns the wallet's oldest off-ramp whose tokens wait to be sent. */
export function lockNextUnsent(
  tx: Tx,
  { tenantId, walletId }: Pick<Conversion, "tenantId" | "walletId">,
): Promise<Conversion | undefined> {
  return rowsWhere(tx, "conversions", { tenantId, walletId })
    .where(isUnsent)
    .where("status", "not in", NOT_OPEN)
    .orderBy("conversionId")
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Returns whether off-ramps of the wallet wait for their tokens to be sent. */
export function hasUnsent(db: Db, { tenantId, walletId }: Pick<Conversion, "tenantId" | "walletId">): Promise<boolean> {
  const unsent = selectWhere(db, "conversions", { tenantId, walletId }).select("conversionId").where(isUnsent);
  return exists(unsent.where("status", "not in", NOT_OPEN));
}

/** Returns whether the tokens of an off-ramp are being sent, or were. */
export function hasOperation(db: Db, { tenantId, conversionId }: ConversionKey): Promise<boolean> {
  return exists(selectWhere(db, "userOperations", { tenantId, conversionId }).select("operationId"));
}

/** Returns whether a wallet of any tenant has this address. */
export function isWalletAddress(db: Db, address: string): Promise<boolean> {
  return exists(db.selectFrom("wallets").select("walletId").where(sql<boolean>`lower(address) = lower(${address})`));
}

/** Returns the wallet in scope with this address, which is compared without case. */
export async function findWalletIdByAddress(
  db: Db,
  { tenantId, mode, agentIds }: ConversionScope,
  { network, address }: { readonly network: BlockchainNetwork; readonly address: string },
): Promise<WalletId | undefined> {
  const wallet = await selectWhere(db, "wallets", { tenantId, mode, network })
    .select("walletId")
    .where(sql<boolean>`lower(address) = lower(${address})`)
    .where(sql<boolean>`(${agentIds}::uuid[] is null or agent_id = any(${agentIds}::uuid[]))`)
    .executeTakeFirst();
  return wallet?.walletId;
}

/** Returns the projects of an agent. */
export function listProjectsOfAgent(
  db: Db,
  { tenantId, mode, agentId }: Pick<ConversionScope, "tenantId" | "mode"> & { readonly agentId: string },
): Promise<Pick<Row<"projects">, "projectId" | "status">[]> {
  return selectWhere(db, "projects", { tenantId, mode })
    .select(["projectId", "status"])
    .where("deletedAt", "is", null)
    .where(sql<boolean>`agent_ids @> array[${agentId}]`)
    .orderBy("projectId")
    .execute();
}

/** Returns the last digits of the accounts of conversions, by the accounts' ids. */
export async function readMasks(
  db: Db,
  conversions: readonly Pick<Conversion, "tenantId" | "accountId">[],
): Promise<ReadonlyMap<FiatAccountId, string | null>> {
  const [first] = conversions;
  if (first === undefined) return new Map();
  const accountIds = [...new Set(conversions.map(({ accountId }) => accountId))];
  const accounts = await selectWhere(db, "fiatAccounts", { tenantId: first.tenantId })
    .select(["accountId", "mask"])
    .where("accountId", "in", accountIds)
    .execute();
  return new Map(accounts.map(({ accountId, mask }) => [accountId, mask]));
}
