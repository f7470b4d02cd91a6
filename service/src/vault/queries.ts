import { sql } from "kysely";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import { isAfter, type Page } from "../db/pages.ts";
import type { Row } from "../db/schema.ts";
import { tableOf } from "../db/table.ts";
import { selectWhere, updateWhere } from "../db/where.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { SealedColumn, SealedRow } from "./sealed-column.ts";

export type WrappedDataKey = Omit<Row<"tenantDataKeys">, "tenantId">;

/** A tenant's data key, identified by its version. */
export type DataKeyName = Pick<Row<"tenantDataKeys">, "tenantId" | "version">;

const dataKeyRows = tableOf("tenantDataKeys", ["tenantId", "version"]);
const dataKeyWrappingRows = tableOf("dataKeyWrappings", ["tenantId", "version"]);

/**
 * Returns all data keys of the tenant, newest first. Row-level security hides them outside the tenant's transactions.
 */
export async function listDataKeys(tx: Tx, tenantId: TenantId): Promise<WrappedDataKey[]> {
  return selectDataKeys(tx, { tenantId });
}

const selectDataKeys = compileOnce((tx, { tenantId }: Pick<DataKeyName, "tenantId">) =>
  selectWhere(tx, "tenantDataKeys", { tenantId })
    .select(["version", "keyEncryptionKeyId", "wrapped", "createdAt"])
    .orderBy("version", "desc"),
);

/** Inserts a data key as the tenant's newest. Does nothing if another process has already inserted this version. */
export async function insertDataKey(tx: Tx, key: WrappedDataKey & { readonly tenantId: TenantId }): Promise<void> {
  const { tenantId, version, keyEncryptionKeyId, createdAt } = key;
  if (!(await dataKeyRows.insertIfNew(tx, key))) return;
  await updateWhere(tx, "dataKeyWrappings", { tenantId })
    .set({ superseded: true })
    .where("version", "<", version)
    .execute();
  await dataKeyWrappingRows.insert(tx, { tenantId, version, keyEncryptionKeyId, createdAt });
}

/** Replaces the encrypted form of a data key, unless another process has changed it since it was read. */
export async function replaceWrapping(
  tx: Tx,
  { tenantId, version, wrapped }: DataKeyName & Pick<WrappedDataKey, "wrapped">,
  renewed: Pick<WrappedDataKey, "keyEncryptionKeyId" | "wrapped">,
): Promise<void> {
  await updateWhere(tx, "tenantDataKeys", { tenantId, version, wrapped }).set(renewed).execute();
  // If another process has already re-encrypted the data key, the update above changes nothing. The stored
  // `keyEncryptionKeyId` can then differ from the one in `renewed`, so this update copies the stored one.
  await tx
    .updateTable("dataKeyWrappings as wrapping")
    .from("tenantDataKeys as key")
    .set(({ ref }) => ({ keyEncryptionKeyId: ref("key.keyEncryptionKeyId") }))
    .whereRef("key.tenantId", "=", "wrapping.tenantId")
    .whereRef("key.version", "=", "wrapping.version")
    .where("wrapping.tenantId", "=", tenantId)
    .where("wrapping.version", "=", version)
    .execute();
}

/** Deletes a data key. Throws a foreign key violation if a value is still encrypted with it. */
export async function deleteDataKey(tx: Tx, key: DataKeyName): Promise<void> {
  await dataKeyRows.remove(tx, key);
  await dataKeyWrappingRows.remove(tx, key);
}

export type DataKeyWrapping = DataKeyName & Pick<WrappedDataKey, "keyEncryptionKeyId">;

interface ListOldWrappings {
  readonly currentId: string;
  readonly after: DataKeyWrapping | undefined;
  readonly limit: number;
}

/**
 * Returns the data keys, across all tenants, that are encrypted with a key encryption key other than `currentId`.
 * Starts after the position `after`.
 */
export async function listOldWrappings(
  db: Db,
  { currentId, after, limit }: ListOldWrappings,
): Promise<DataKeyWrapping[]> {
  const start = after ?? { keyEncryptionKeyId: "", tenantId: "", version: 0 };
  // Queries the index ranges below and above `currentId` separately, so that data keys encrypted with the current key
  // encryption key are not read.
  const range = (side: "<" | ">") => sql`
    (select key_encryption_key_id, tenant_id, version from data_key_wrappings
     where key_encryption_key_id ${sql.raw(side)} ${currentId}
       and (key_encryption_key_id, tenant_id, version)
         > (${start.keyEncryptionKeyId}, ${start.tenantId}, ${start.version}::integer)
     order by key_encryption_key_id, tenant_id, version limit ${limit})`;
  const { rows } = await sql<DataKeyWrapping>`
    ${range("<")} union all ${range(">")}
    order by key_encryption_key_id, tenant_id, version limit ${limit}
  `.execute(db);
  return rows;
}

/** Returns one data key, of any tenant, for each key encryption key that is in use. Jumps from key to key in the index. */
export async function listKeysInUse(db: Db): Promise<DataKeyWrapping[]> {
  const { rows } = await sql<DataKeyWrapping>`
    with recursive found as (
      (select key_encryption_key_id, tenant_id, version from data_key_wrappings
       order by key_encryption_key_id, tenant_id, version limit 1)
      union all
      select next.* from found, lateral (
        select key_encryption_key_id, tenant_id, version from data_key_wrappings
        where key_encryption_key_id > found.key_encryption_key_id
        order by key_encryption_key_id, tenant_id, version limit 1) as next)
    select * from found`.execute(db);
  return rows;
}

/** SQL literals are used because PostgreSQL cannot always use a partial index with parameters. */
const [SUPERSEDED, NEWEST] = [sql.lit(true), sql.lit(false)];

export type OldDataKey = DataKeyName & Pick<WrappedDataKey, "createdAt">;

/** Returns the newest data key of each tenant, if it was created before `madeBefore`, oldest first. */
export async function listOldDataKeys(
  db: Db,
  {
    madeBefore,
    tenantId,
    after,
    limit,
  }: Page<OldDataKey> & {
    readonly madeBefore: Date;
    /** Limits the result to this tenant. Undefined for all tenants. */
    readonly tenantId: TenantId | undefined;
  },
): Promise<OldDataKey[]> {
  let keys = db
    .selectFrom("dataKeyWrappings")
    .where("superseded", "=", NEWEST)
    .select(["tenantId", "version", "createdAt"])
    .where("createdAt", "<=", madeBefore)
    .where(isAfter(after, ["createdAt", "tenantId"]));
  if (tenantId !== undefined) keys = keys.where("tenantId", "=", tenantId);
  return keys.orderBy("createdAt").orderBy("tenantId").limit(limit).execute();
}

/** Returns the tenants whose rotation has not ended: they have more than one data key. */
export async function listTenantsInRotation(db: Db): Promise<TenantId[]> {
  const rows = await db
    .selectFrom("dataKeyWrappings")
    .where("superseded", "=", SUPERSEDED)
    .select("tenantId")
    .distinct()
    .execute();
  return rows.map((row) => row.tenantId);
}

/**
 * Returns one column's values that are encrypted with an older data key than version `below`, and locks their rows.
 * Skips rows that another transaction has locked.
 */
export async function lockOlderValues(
  tx: Tx,
  { table, column, names }: SealedColumn,
  { tenantId, below, limit }: { readonly tenantId: TenantId; readonly below: number; readonly limit: number },
): Promise<{ readonly row: SealedRow; readonly sealed: Buffer }[]> {
  const named = names.map((name) => sql`, ${sql.ref(name)}::text as ${sql.ref(name)}`);
  const { rows } = await sql<SealedRow & { readonly sealedValue: Buffer }>`
    select ${sql.ref(column)} as sealed_value ${sql.join(named, sql``)}
    from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${sql.ref(`${column}Under`)} < ${below}
    limit ${limit}
    for no key update skip locked
  `.execute(tx);
  return rows.map(({ sealedValue, ...row }) => ({ row, sealed: sealedValue }));
}

/** Replaces the value of a locked row. */
export async function replaceValue(
  tx: Tx,
  { table, column, names }: SealedColumn,
  { tenantId, row, sealed }: { readonly tenantId: TenantId; readonly row: SealedRow; readonly sealed: Buffer },
): Promise<void> {
  const named = names.map((name) => sql` and ${sql.ref(name)}::text = ${row[name]}`);
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where tenant_id = ${tenantId} ${sql.join(named, sql``)}
  `.execute(tx);
}
