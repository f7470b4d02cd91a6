import type { Db, Tx } from "../../../db/database.ts";
import type { TenantId } from "../../../foundation/ids.ts";

/** What a mailed token is good for, and for nothing else. */
export type EmailTokenPurpose = "verify_email" | "reset_password" | "revoke_keys";

/** Keeps the hash of a token that was mailed. */
export async function insertEmailToken(
  tx: Tx,
  token: {
    readonly tokenHash: string;
    readonly tenantId: TenantId;
    readonly purpose: EmailTokenPurpose;
    readonly email: string;
    readonly claimNumber: number | null;
    readonly expiresAt: Date;
    readonly createdAt: Date;
  },
): Promise<void> {
  await tx.insertInto("emailTokens").values(token).execute();
}

interface LiveToken {
  readonly tokenHash: string;
  readonly purpose: EmailTokenPurpose;
  readonly at: Date;
}

/** Whose token this is. Undefined for one that is unknown, used, over by `at` or good for something else. */
export async function findEmailTokenOwner(
  db: Db,
  { tokenHash, purpose, at }: LiveToken,
): Promise<TenantId | undefined> {
  const row = await db
    .selectFrom("emailTokens")
    .select("tenantId")
    .where("tokenHash", "=", tokenHash)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .executeTakeFirst();
  return row?.tenantId;
}

/** Uses a token up. Undefined when it was used before or is over by `at`; of two that try at once, one gets it. */
export async function useEmailToken(
  tx: Tx,
  { tokenHash, tenantId, purpose, at }: LiveToken & { readonly tenantId: TenantId },
): Promise<{ readonly email: string; readonly claimNumber: number | null } | undefined> {
  return tx
    .updateTable("emailTokens")
    .set({ usedAt: at })
    .where("tokenHash", "=", tokenHash)
    .where("tenantId", "=", tenantId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning(["email", "claimNumber"])
    .executeTakeFirst();
}

/** Whether this verification link of the account was followed after a moment. */
export async function wasVerifiedBy(
  tx: Tx,
  {
    tokenHash,
    tenantId,
    after,
  }: { readonly tokenHash: string; readonly tenantId: TenantId; readonly after: Date },
): Promise<boolean> {
  const token = await tx
    .selectFrom("emailTokens")
    .select("tokenHash")
    .where("tokenHash", "=", tokenHash)
    .where("tenantId", "=", tenantId)
    .where("purpose", "=", "verify_email")
    .where("usedAt", ">", after)
    .executeTakeFirst();
  return token !== undefined;
}

/** Makes every mailed token of the tenant's useless. */
export async function deleteEmailTokens(tx: Tx, tenantId: TenantId): Promise<void> {
  await tx.deleteFrom("emailTokens").where("tenantId", "=", tenantId).execute();
}

/** Uses up whatever tokens of this purpose the tenant has left. */
export async function endEmailTokens(
  tx: Tx,
  {
    tenantId,
    purpose,
    at,
  }: { readonly tenantId: TenantId; readonly purpose: EmailTokenPurpose; readonly at: Date },
): Promise<void> {
  await tx
    .updateTable("emailTokens")
    .set({ usedAt: at })
    .where("tenantId", "=", tenantId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .execute();
}

export async function deleteExpiredEmailTokens(tx: Tx, at: Date): Promise<void> {
  await tx.deleteFrom("emailTokens").where("expiresAt", "<", at).execute();
}
