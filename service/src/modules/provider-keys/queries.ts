import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { ProviderKeyTable, Schema } from "../../db/schema.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";

/** The metadata of a provider's keys, without their values. */
export type ProviderKeys = Selectable<ProviderKeyTable>;

/** The primary key of one set of provider keys. */
export interface ProviderKeyOwner {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly provider: KeyedProvider;
}

export async function listProviderKeyRows(
  db: Db,
  { tenantId, mode }: Omit<ProviderKeyOwner, "provider">,
): Promise<ProviderKeys[]> {
  return db
    .selectFrom("providerKeys")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .execute();
}

/** Returns the metadata of the keys. Deleted keys still have a row with their version, and `configured` is false. */
export async function findProviderKeys(
  db: Db,
  { tenantId, mode, provider }: ProviderKeyOwner,
): Promise<ProviderKeys | undefined> {
  return db
    .selectFrom("providerKeys")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("provider", "=", provider)
    .executeTakeFirst();
}

/** Inserts or replaces the row of the keys. An existing row keeps its `createdAt`. */
export async function upsertProviderKeys(
  tx: Tx,
  { createdAt, ...row }: Insertable<ProviderKeyTable>,
): Promise<ProviderKeys> {
  return tx
    .insertInto("providerKeys")
    .values({ ...row, createdAt })
    .onConflict((conflict) => conflict.columns(["tenantId", "mode", "provider"]).doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes the values of the keys. */
export async function deleteSecrets(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
): Promise<void> {
  await tx
    .deleteFrom("providerKeySecrets")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("provider", "=", provider)
    .execute();
}

export async function insertSecrets(
  tx: Tx,
  secrets: readonly Insertable<Schema["providerKeySecrets"]>[],
): Promise<void> {
  await tx
    .insertInto("providerKeySecrets")
    .values([...secrets])
    .execute();
}

/**
 * Returns the encrypted values of configured keys. `version` is that of the keys' row, not of the value's own row: decrypting
 * an older value that was restored in the database then fails.
 */
export async function listSecrets(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
): Promise<{ readonly field: string; readonly version: number; readonly sealed: Buffer }[]> {
  return tx
    .selectFrom("providerKeySecrets as secret")
    .innerJoin("providerKeys as keys", (join) =>
      join
        .onRef("keys.tenantId", "=", "secret.tenantId")
        .onRef("keys.mode", "=", "secret.mode")
        .onRef("keys.provider", "=", "secret.provider"),
    )
    .select(["secret.field", "keys.version", "secret.sealed"])
    .where("secret.tenantId", "=", tenantId)
    .where("secret.mode", "=", mode)
    .where("secret.provider", "=", provider)
    .where("keys.configured", "=", true)
    .execute();
}

/** Sets `lastUsedAt`, unless it is after `recordedBefore`. */
export async function touchProviderKeys(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
  { at, recordedBefore }: { readonly at: Date; readonly recordedBefore: Date },
): Promise<void> {
  await tx
    .updateTable("providerKeys")
    .set({ lastUsedAt: at })
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("provider", "=", provider)
    .where("configured", "=", true)
    .where(({ eb, or }) =>
      or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<=", recordedBefore)]),
    )
    .execute();
}

export interface Reminder {
  readonly days: number;
  /** Keys that expire by this time are due. */
  readonly expiresBy: Date;
  readonly now: Date;
}

/** Returns keys of all tenants that are due for the reminder and have not had it or a later one. */
export async function listKeysToRemindOf(
  db: Db,
  reminder: Reminder & { readonly limit: number },
): Promise<ProviderKeyOwner[]> {
  return db
    .selectFrom("providerKeys")
    .select(["tenantId", "mode", "provider"])
    .where(isDue(reminder))
    .orderBy("expiresAt")
    .limit(reminder.limit)
    .execute();
}

/** Records the reminder. Returns undefined if the keys are no longer due: another process was first, or they were changed. */
export async function markReminded(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
  reminder: Reminder,
): Promise<ProviderKeys | undefined> {
  return tx
    .updateTable("providerKeys")
    .set({ remindedDays: reminder.days })
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("provider", "=", provider)
    .where(isDue(reminder))
    .returningAll()
    .executeTakeFirst();
}

function isDue({ days, expiresBy, now }: Reminder) {
  return sql<boolean>`configured and expires_at > ${now} and expires_at <= ${expiresBy}
    and (reminded_days is null or reminded_days > ${days})`;
}

/** Returns the address of the developer. */
export async function findOwnerEmail(db: Db, tenantId: TenantId): Promise<string | undefined> {
  const owner = await db
    .selectFrom("developers")
    .select("email")
    .where("tenantId", "=", tenantId)
    .executeTakeFirst();
  return owner?.email;
}
