import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { inTurns } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { rowsWhere, sameColumns, updateWhere } from "../../db/where.ts";

export const providerKeyRows = tableOf("providerKeys", ["tenantId", "mode", "provider"]);

export const providerKeySecretRows = tableOf("providerKeySecrets", ["tenantId", "mode", "provider"]);

/** The metadata of a provider's keys, without their values. */
export type ProviderKeys = Row<"providerKeys">;

/** Identifies the keys that a tenant has configured for a provider in one mode. */
export type ProviderKeyOwner = Pick<Row<"providerKeys">, "tenantId" | "mode" | "provider">;

export async function listProviderKeyRows(
  db: Db,
  { tenantId, mode }: Omit<ProviderKeyOwner, "provider">,
): Promise<ProviderKeys[]> {
  return rowsWhere(db, "providerKeys", { tenantId, mode }).execute();
}

/** Inserts or replaces the metadata of the keys. If the row exists, its `createdAt` is unchanged. */
export async function upsertProviderKeys(
  tx: Tx,
  { createdAt, ...row }: Insertable<Schema["providerKeys"]>,
): Promise<ProviderKeys> {
  return tx
    .insertInto("providerKeys")
    .values({ ...row, createdAt })
    .onConflict((conflict) => conflict.columns(["tenantId", "mode", "provider"]).doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Returns the encrypted values of configured keys. `version` is the current version of the keys. It is part of the
 * encryption context, so a value that was encrypted for an earlier version cannot be decrypted.
 */
export async function listSecrets(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
): Promise<{ readonly field: string; readonly version: number; readonly sealed: Buffer }[]> {
  return tx
    .selectFrom("providerKeySecrets as secret")
    .innerJoin("providerKeys as keys", sameColumns("keys", "secret", ["tenantId", "mode", "provider"]))
    .select(["secret.field", "keys.version", "secret.sealed"])
    .where("secret.tenantId", "=", tenantId)
    .where("secret.mode", "=", mode)
    .where("secret.provider", "=", provider)
    .where("keys.configured", "=", true)
    .execute();
}

/** Sets `lastUsedAt` to `at`, unless the stored time is later than `recordedBefore`. */
export async function touchProviderKeys(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
  { at, recordedBefore }: { readonly at: Date; readonly recordedBefore: Date },
): Promise<void> {
  await updateWhere(tx, "providerKeys", { tenantId, mode, provider, configured: true })
    .set({ lastUsedAt: at })
    .where(({ eb, or }) => or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<=", recordedBefore)]))
    .execute();
}

export interface Reminder {
  readonly days: number;
  /** The reminder applies to keys that expire by this time. */
  readonly expiresBy: Date;
  readonly now: Date;
}

type ExpiringKeys = ProviderKeyOwner & Pick<ProviderKeys, "expiresAt">;

/**
 * Yields the keys of all tenants for which this reminder must be sent. Keys are omitted if this reminder, or a reminder
 * closer to the expiry, has already been sent.
 */
export function keysToRemindOf(db: Db, reminder: Reminder): AsyncGenerator<ExpiringKeys> {
  return inTurns<ExpiringKeys>(db, ["expiresAt", "tenantId", "mode", "provider"], () =>
    db.selectFrom("providerKeys").select(["tenantId", "mode", "provider", "expiresAt"]).where(isDue(reminder)),
  );
}

/**
 * Marks the reminder as sent. Returns undefined if the reminder no longer applies because another process has sent it
 * or the keys were changed.
 */
export async function markReminded(
  tx: Tx,
  { tenantId, mode, provider }: ProviderKeyOwner,
  reminder: Reminder,
): Promise<ProviderKeys | undefined> {
  return updateWhere(tx, "providerKeys", { tenantId, mode, provider })
    .set({ remindedDays: reminder.days })
    .where(isDue(reminder))
    .returningAll()
    .executeTakeFirst();
}

function isDue({ days, expiresBy, now }: Reminder) {
  return sql<boolean>`configured and expires_at > ${now} and expires_at <= ${expiresBy}
    and (reminded_days is null or reminded_days > ${days})`;
}
