import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { ProviderKeyTable, Schema } from "../../db/schema.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";

/** A set of keys as far as it may be shown: what is known of it, and never a value. */
export type ProviderKeys = Selectable<ProviderKeyTable>;

/** A tenant's place for one set of a provider's keys. */
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

/** The set, or what a deletion has left of it: its version. Undefined where there never was one. */
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

/** Writes a set's row over the one that was there. When it was first made stays. */
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

/** Destroys the values of a set. */
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
 * The sealed values of a set that is configured, each with the version of the set, whatever its own row says: one that was
 * put back from before does not open as that. Read in a transaction of the tenant.
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

/** Notes that the set was used, unless a use has been noted since `notedBefore`. */
export async function touchProviderKeys(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
  { at, notedBefore }: { readonly at: Date; readonly notedBefore: Date },
): Promise<void> {
  await tx
    .updateTable("providerKeys")
    .set({ lastUsedAt: at })
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .where("provider", "=", provider)
    .where("configured", "=", true)
    .where(({ eb, or }) => or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<=", notedBefore)]))
    .execute();
}

export interface Reminder {
  readonly days: number;
  /** Sets that expire by then are due for it. */
  readonly expiresBy: Date;
  readonly now: Date;
}

/** Sets of whichever tenant that expire soon, and of which the owner has not been reminded so close to it. */
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

/** Notes that the owner is reminded of it. Undefined where somebody else was first, or the set is another by now. */
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

/** Where the tenant's owner is written to. */
export async function findOwnerEmail(db: Db, tenantId: TenantId): Promise<string | undefined> {
  const owner = await db
    .selectFrom("developers")
    .select("email")
    .where("tenantId", "=", tenantId)
    .executeTakeFirst();
  return owner?.email;
}
