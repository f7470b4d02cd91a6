import { sql } from "kysely";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { SealedColumn, SealedRow } from "./sealed-column.ts";

export interface WrappedDataKey {
  readonly version: number;
  readonly keyEncryptionKeyId: string;
  readonly wrapped: Buffer;
  readonly createdAt: Date;
}

/** A data key of a tenant's, by its version. */
export interface DataKeyName {
  readonly tenantId: TenantId;
  readonly version: number;
}

/** All data keys of the tenant, newest first. Read in a transaction of that tenant; elsewhere there are none to be seen. */
export async function listDataKeys(tx: Tx, tenantId: TenantId): Promise<WrappedDataKey[]> {
  return selectDataKeys(tx, { tenantId });
}

const selectDataKeys = compileOnce((tx, { tenantId }: Pick<DataKeyName, "tenantId">) =>
  tx
    .selectFrom("tenantDataKeys")
    .select(["version", "keyEncryptionKeyId", "wrapped", "createdAt"])
    .where("tenantId", "=", tenantId)
    .orderBy("version", "desc"),
);

/** Keeps a data key in the place of those before it, unless another process was first: then that one stands. */
export async function insertDataKey(
  tx: Tx,
  key: WrappedDataKey & { readonly tenantId: TenantId },
): Promise<void> {
  const { tenantId, version, keyEncryptionKeyId, createdAt } = key;
  const inserted = await tx
    .insertInto("tenantDataKeys")
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returning("version")
    .executeTakeFirst();
  if (inserted === undefined) return;
  await tx
    .updateTable("dataKeyWrappings")
    .set({ superseded: true })
    .where("tenantId", "=", tenantId)
    .where("version", "<", version)
    .execute();
  await tx
    .insertInto("dataKeyWrappings")
    .values({ tenantId, version, keyEncryptionKeyId, createdAt })
    .execute();
}

/** Puts another wrapping of the same data key in the place of the one that was read, unless somebody else has by now. */
export async function replaceWrapping(
  tx: Tx,
  { tenantId, version, wrapped }: DataKeyName & Pick<WrappedDataKey, "wrapped">,
  renewed: Pick<WrappedDataKey, "keyEncryptionKeyId" | "wrapped">,
): Promise<void> {
  await tx
    .updateTable("tenantDataKeys")
    .set(renewed)
    .where("tenantId", "=", tenantId)
    .where("version", "=", version)
    .where("wrapped", "=", wrapped)
    .execute();
  // From what stands now, so that the look-up is right whoever was first.
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

/** Destroys a data key. Throws a violation of a foreign key where a value is still sealed under it. */
export async function deleteDataKey(tx: Tx, { tenantId, version }: DataKeyName): Promise<void> {
  for (const table of ["tenantDataKeys", "dataKeyWrappings"] as const) {
    await tx
      .deleteFrom(table)
      .where("tenantId", "=", tenantId)
      .where("version", "=", version)
      .execute();
  }
}

export type Wrapping = DataKeyName & Pick<WrappedDataKey, "keyEncryptionKeyId">;

/** Data keys of whichever tenant that are wrapped under another key than `currentId`, from behind `after` on. */
export async function listOldWrappings(
  db: Db,
  {
    currentId,
    after,
    limit,
  }: { readonly currentId: string; readonly after: Wrapping | undefined; readonly limit: number },
): Promise<Wrapping[]> {
  const place = after ?? { keyEncryptionKeyId: "", tenantId: "", version: 0 };
  // As two stretches of the index, of which nothing is read that is wrapped under the current key.
  const stretch = (side: "<" | ">") => sql`
    (select key_encryption_key_id, tenant_id, version from data_key_wrappings
     where key_encryption_key_id ${sql.raw(side)} ${currentId}
       and (key_encryption_key_id, tenant_id, version)
         > (${place.keyEncryptionKeyId}, ${place.tenantId}, ${place.version}::integer)
     order by key_encryption_key_id, tenant_id, version limit ${limit})`;
  const { rows } = await sql<Wrapping>`
    ${stretch("<")} union all ${stretch(">")}
    order by key_encryption_key_id, tenant_id, version limit ${limit}
  `.execute(db);
  return rows;
}

/** Said in the statement and not beside it, so that the index of only such rows is of use. */
const [SUPERSEDED, NEWEST] = [sql.lit(true), sql.lit(false)];

/** Tenants whose newest data key was made before `madeBefore`, the oldest first. */
export async function listTenantsWithOldDataKeys(
  db: Db,
  {
    madeBefore,
    tenantId,
    limit,
  }: {
    readonly madeBefore: Date;
    /** Only this one, where it is said. */
    readonly tenantId: TenantId | undefined;
    readonly limit: number;
  },
): Promise<TenantId[]> {
  let keys = db
    .selectFrom("dataKeyWrappings")
    .select("tenantId")
    .where("superseded", "=", NEWEST)
    .where("createdAt", "<=", madeBefore);
  if (tenantId !== undefined) keys = keys.where("tenantId", "=", tenantId);
  const rows = await keys.orderBy("createdAt").limit(limit).execute();
  return rows.map((row) => row.tenantId);
}

/** Tenants that have an older data key beside their newest: whose rotation has not come to its end. */
export async function listTenantsInRotation(db: Db): Promise<TenantId[]> {
  const rows = await db
    .selectFrom("dataKeyWrappings")
    .select("tenantId")
    .distinct()
    .where("superseded", "=", SUPERSEDED)
    .execute();
  return rows.map((row) => row.tenantId);
}

/**
 * Values of one column that are sealed under an older data key than `below`, their rows locked until the transaction ends.
 * Rows that somebody else holds are skipped.
 */
export async function lockOlderValues(
  tx: Tx,
  { table, column, names }: SealedColumn,
  {
    tenantId,
    below,
    limit,
  }: { readonly tenantId: TenantId; readonly below: number; readonly limit: number },
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

/** Puts a value in the place of the one of a locked row. */
export async function replaceValue(
  tx: Tx,
  { table, column, names }: SealedColumn,
  {
    tenantId,
    row,
    sealed,
  }: { readonly tenantId: TenantId; readonly row: SealedRow; readonly sealed: Buffer },
): Promise<void> {
  const named = names.map((name) => sql` and ${sql.ref(name)}::text = ${row[name]}`);
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where tenant_id = ${tenantId} ${sql.join(named, sql``)}
  `.execute(tx);
}
