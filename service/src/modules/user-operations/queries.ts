import { sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { exists, rowsWhere, sameColumns, selectWhere, updateWhere } from "../../db/where.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import type { TenantId, UserOperationId, WalletId } from "../../foundation/ids.ts";

export type UserOperation = Row<"userOperations">;

/** An operation that was signed. */
export type SignedOperation = UserOperation & {
  readonly [Column in
    | "signedOperation"
    | "userOpHash"
    | "nonce"
    | "chainEpoch"
    | "validUntil"
    | "searchedFrom"
    | "sentAt"]: NonNullable<UserOperation[Column]>;
};

export const userOperationRows = tableOf("userOperations", ["tenantId", "operationId"]);

/** An operation that a vendor was asked to sign. */
export type AskedOperation = UserOperation & {
  readonly [Column in "unsignedOperation" | "signRequestedAt" | "nonce" | "chainEpoch" | "validUntil"]: NonNullable<
    UserOperation[Column]
  >;
};

export function isAsked(operation: UserOperation): operation is AskedOperation {
  return operation.unsignedOperation !== null;
}

export function isSigned(operation: UserOperation): operation is SignedOperation {
  return operation.signedOperation !== null;
}

interface WalletOwner {
  readonly tenantId: TenantId;
  readonly walletId: WalletId;
}

/** Returns the operations of a wallet that are not ended: at most one in each lane. */
export function listOpenOperations(db: Db, { tenantId, walletId }: WalletOwner): Promise<UserOperation[]> {
  return rowsWhere(db, "userOperations", { tenantId, walletId }).where("endedAt", "is", null).orderBy("lane").execute();
}

/** An operation and the address of its account. */
export type SentOperation = SignedOperation & { readonly address: string };

/** Returns signed operations of all tenants on a network that are not ended, in the order of their ids. */
export async function listOpenSigned(
  db: Db,
  network: BlockchainNetwork,
  { after, limit }: { readonly after: UserOperationId | undefined; readonly limit: number },
): Promise<SentOperation[]> {
  const open = db
    .selectFrom("userOperations as operation")
    .innerJoin("wallets", sameColumns("wallets", "operation", ["tenantId", "walletId"]))
    .selectAll("operation")
    .select("wallets.address")
    .where("operation.network", "=", network)
    .where("operation.endedAt", "is", null)
    .where("operation.signedOperation", "is not", null);
  const rest = after === undefined ? open : open.where("operation.operationId", ">", after);
  return (await rest.orderBy("operation.operationId").limit(limit).execute()) as SentOperation[];
}

export function hasOpenSigned(db: Db, network: BlockchainNetwork): Promise<boolean> {
  const open = rowsWhere(db, "userOperations", { network }).where("endedAt", "is", null);
  return exists(open.where("signedOperation", "is not", null));
}

/**
 * Sets the block of an operation that is not ended, also as its payment shows it. `head` is the newest block. Does nothing if the
 * operation is ended.
 */
export async function setBlock(
  tx: Tx,
  { tenantId, operationId, paymentId }: UserOperation,
  block: Pick<UserOperation, "blockNumber" | "transactionHash"> & Updateable<Schema["userOperations"]>,
  head: bigint,
): Promise<void> {
  const confirmations = block.blockNumber === null ? 0 : Number(head - block.blockNumber + 1n);
  const shown = JSON.stringify({
    ...{ tx_hash: block.transactionHash, block_number: block.blockNumber && Number(block.blockNumber), confirmations },
  });
  if (paymentId !== null) {
    await updateWhere(tx, "payments", { tenantId, paymentId, status: "submitted" })
      .set({ onchain: sql`onchain || ${shown}::jsonb` })
      .execute();
  }
  await updateWhere(tx, "userOperations", { tenantId, operationId }).set(block).where("endedAt", "is", null).execute();
}

/** Returns whether payments of the wallet wait for their turn on the chain. */
export function hasQueuedPayments(db: Db, { tenantId, walletId }: WalletOwner): Promise<boolean> {
  const payments = selectWhere(db, "payments", { tenantId, walletId }).select("paymentId");
  // A constant, so that the index of waiting payments is used.
  return exists(payments.where(sql<boolean>`status = 'queued'`));
}
