import type { Insertable } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { deleteWhere, exists, sameColumns, selectWhere, updateWhere } from "../../db/where.ts";
import { type AdminId, OPERATOR_TENANT } from "../../foundation/ids.ts";

export type Admin = Row<"admins">;
type NewAdmin = Omit<Insertable<Schema["admins"]>, "tenantId">;

// Every query, including reads, must run in `withOperatorTransaction`: otherwise row-level security hides the rows.
const tenantId = OPERATOR_TENANT;

export const adminRows = tableOf("admins", ["tenantId", "adminId"]);

/** Addresses are in lowercase. */
export const adminRowsByEmail = tableOf("admins", ["tenantId", "email"]);

export const adminChallengeRows = tableOf("adminChallenges", ["tenantId", "tokenHash"]);

export const adminSessionRows = tableOf("adminSessions", ["tenantId", "sessionId"]);

/** Returns all admins without their credentials, sorted by email address. */
export async function selectAdmins(tx: Tx) {
  return selectWhere(tx, "admins", { tenantId })
    .select(["adminId", "email", "disabledAt", "lastLoginAt"])
    .orderBy("email")
    .execute();
}

/** Inserts an admin. If an admin with this ID exists, replaces the credentials and re-enables the admin. */
export async function upsertAdmin(tx: Tx, admin: NewAdmin): Promise<void> {
  const { passwordHash, totpSecretSealed, updatedAt } = admin;
  const renewed = { passwordHash, totpSecretSealed, updatedAt, lastStep: 0n, disabledAt: null };
  await tx
    .insertInto("admins")
    .values({ ...admin, tenantId })
    .onConflict((conflict) => conflict.columns(["tenantId", "adminId"]).doUpdateSet(renewed))
    .execute();
}

export async function disableIfActive(tx: Tx, adminId: AdminId, at: Date): Promise<boolean> {
  const disabled = await updateWhere(tx, "admins", { tenantId, adminId })
    .set({ disabledAt: at, updatedAt: at })
    .where("disabledAt", "is", null)
    .returning("adminId")
    .executeTakeFirst();
  return disabled !== undefined;
}

export async function endSessionsAndLogins(tx: Tx, adminId: AdminId, at: Date): Promise<void> {
  await deleteWhere(tx, "adminChallenges", { tenantId, adminId }).execute();
  await updateWhere(tx, "adminSessions", { tenantId, adminId })
    .set({ revokedAt: at })
    .where("revokedAt", "is", null)
    .execute();
}

/** Returns false if this TOTP time step or a later one has already been used. */
export async function consumeAdminTotpStep(
  tx: Tx,
  { adminId, step, at }: { readonly adminId: AdminId; readonly step: number; readonly at: Date },
): Promise<boolean> {
  const used = await updateWhere(tx, "admins", { tenantId, adminId })
    .set({ lastStep: BigInt(step), lastLoginAt: at })
    .where("disabledAt", "is", null)
    .where("lastStep", "<", BigInt(step))
    .returning("adminId")
    .executeTakeFirst();
  return used !== undefined;
}

/** Deletes the admin's challenges that were created before `before`. */
export async function deleteOldChallenges(tx: Tx, adminId: AdminId, before: Date): Promise<void> {
  await deleteWhere(tx, "adminChallenges", { tenantId, adminId }).where("createdAt", "<", before).execute();
}

export async function consumeAttempt(
  tx: Tx,
  { tokenHash, at, attemptsMax }: { readonly tokenHash: string; readonly at: Date; readonly attemptsMax: number },
): Promise<AdminId | undefined> {
  const taken = await updateWhere(tx, "adminChallenges", { tenantId, tokenHash })
    .set((challenge) => ({ attempts: challenge("attempts", "+", 1) }))
    .where("attempts", "<", attemptsMax)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning("adminId")
    .executeTakeFirst();
  return taken?.adminId;
}

/** Attempts of challenges that ended in a successful login are not counted. */
export async function countAttempts(tx: Tx, adminId: AdminId, since: Date): Promise<number> {
  const { attempts } = await selectWhere(tx, "adminChallenges", { tenantId, adminId })
    .select(({ fn }) => fn.sum<string | null>("attempts").as("attempts"))
    .where("usedAt", "is", null)
    .where("createdAt", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(attempts ?? 0);
}

interface SessionKey {
  readonly adminId: AdminId;
  readonly sessionId: string;
  readonly at: Date;
}

export async function isAdminSessionLive(tx: Tx, { adminId, sessionId, at }: SessionKey): Promise<boolean> {
  return exists(
    tx
      .selectFrom("adminSessions as session")
      .innerJoin("admins as admin", sameColumns("admin", "session", ["tenantId", "adminId"]))
      .where("session.tenantId", "=", tenantId)
      .where("session.sessionId", "=", sessionId)
      .where("session.adminId", "=", adminId)
      .where("session.revokedAt", "is", null)
      .where("session.expiresAt", ">", at)
      .where("admin.disabledAt", "is", null),
  );
}

export async function endAdminSession(tx: Tx, { adminId, sessionId, at }: SessionKey): Promise<boolean> {
  const ended = await updateWhere(tx, "adminSessions", { tenantId, sessionId, adminId })
    .set({ revokedAt: at })
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning("sessionId")
    .executeTakeFirst();
  return ended !== undefined;
}
