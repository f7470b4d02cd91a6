import type { Db, Tx } from "../../../db/database.ts";
import { tableOf } from "../../../db/table.ts";
import { exists, rowsWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { EmailTokenPurpose } from "../../../foundation/vocabulary.ts";

export const emailTokenRows = tableOf("emailTokens", ["tenantId", "tokenHash"]);

interface LiveToken {
  readonly tokenHash: string;
  readonly purpose: EmailTokenPurpose;
  readonly at: Date;
}

/**
 * Returns the tenant that a token belongs to. Throws `invalid_token` if the token is unknown, used, expired at `at`, or
 * has a different purpose.
 */
export async function getEmailTokenOwner(db: Db, { tokenHash, purpose, at }: LiveToken): Promise<TenantId> {
  const row = await selectWhere(db, "emailTokens", { tokenHash, purpose })
    .select("tenantId")
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .executeTakeFirst();
  if (row === undefined) throw invalidToken();
  return row.tenantId;
}

export function invalidToken(internal = "unknown, used or expired token"): AppError {
  return new AppError("invalid_token", { internal });
}

export async function findVerificationToken(db: Db, tokenHash: string) {
  return db
    .selectFrom("emailTokens as token")
    .innerJoin("developers as developer", "developer.tenantId", "token.tenantId")
    .select(["token.email", "token.usedAt", "token.expiresAt", "developer.emailVerifiedAt"])
    .whereRef("developer.email", "=", "token.email")
    .where("token.tokenHash", "=", tokenHash)
    .where("token.purpose", "=", "verify_email")
    .executeTakeFirst();
}

/**
 * Marks the token as used. Returns undefined if it is unknown, used, or expired at `at`. Only one of several concurrent
 * calls succeeds.
 */
export async function useEmailToken(
  tx: Tx,
  { tokenHash, tenantId, purpose, at }: LiveToken & { readonly tenantId: TenantId },
): Promise<{ readonly email: string; readonly claimNumber: number | null } | undefined> {
  return updateWhere(tx, "emailTokens", { tokenHash, tenantId, purpose })
    .set({ usedAt: at })
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning(["email", "claimNumber"])
    .executeTakeFirst();
}

export async function wasVerifiedBy(
  tx: Tx,
  { tokenHash, tenantId, after }: { readonly tokenHash: string; readonly tenantId: TenantId; readonly after: Date },
): Promise<boolean> {
  return exists(
    rowsWhere(tx, "emailTokens", { tokenHash, tenantId, purpose: "verify_email" }).where("usedAt", ">", after),
  );
}

export async function deleteEmailTokens(tx: Tx, tenantId: TenantId): Promise<void> {
  await tx.deleteFrom("emailTokens").where("tenantId", "=", tenantId).execute();
}

export async function endEmailTokens(
  tx: Tx,
  { tenantId, purpose, at }: { readonly tenantId: TenantId; readonly purpose: EmailTokenPurpose; readonly at: Date },
): Promise<void> {
  await updateWhere(tx, "emailTokens", { tenantId, purpose }).set({ usedAt: at }).where("usedAt", "is", null).execute();
}
