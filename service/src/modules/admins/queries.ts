import type { Insertable, Selectable } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { AdminTable, Schema } from "../../db/schema.ts";
import { type AdminId, OPERATOR_TENANT } from "../../foundation/ids.ts";

export type Admin = Selectable<AdminTable>;
type NewAdmin = Omit<Insertable<AdminTable>, "tenantId">;
type NewChallenge = Omit<Insertable<Schema["adminChallenges"]>, "tenantId">;
type NewSession = Omit<Insertable<Schema["adminSessions"]>, "tenantId">;

// Every one of these takes a transaction of the operators' tenant, reads included: no other sees a row.
const tenantId = OPERATOR_TENANT;

/** @param email lower case */
export async function findAdminByEmail(tx: Tx, email: string): Promise<Admin | undefined> {
  return tx
    .selectFrom("admins")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("email", "=", email)
    .executeTakeFirst();
}

/** The admin, locked until the transaction ends. */
export async function lockAdmin(tx: Tx, adminId: AdminId): Promise<Admin> {
  return tx
    .selectFrom("admins")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function selectAdmins(tx: Tx): Promise<Admin[]> {
  return tx
    .selectFrom("admins")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .orderBy("email")
    .execute();
}

/** Makes an admin, or replaces what the one of this id signs in with. */
export async function upsertAdmin(tx: Tx, admin: NewAdmin): Promise<void> {
  const { passwordHash, totpSecretSealed, updatedAt } = admin;
  const renewed = { passwordHash, totpSecretSealed, updatedAt, lastStep: 0n, disabledAt: null };
  await tx
    .insertInto("admins")
    .values({ ...admin, tenantId })
    .onConflict((conflict) => conflict.columns(["tenantId", "adminId"]).doUpdateSet(renewed))
    .execute();
}

/** Shuts an admin out. False where they were already. */
export async function disableOnce(
  tx: Tx,
  { adminId, at }: { readonly adminId: AdminId; readonly at: Date },
): Promise<boolean> {
  const disabled = await tx
    .updateTable("admins")
    .set({ disabledAt: at, updatedAt: at })
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .where("disabledAt", "is", null)
    .returning("adminId")
    .executeTakeFirst();
  return disabled !== undefined;
}

/** Ends whatever the admin has begun: their sessions, and the logins that wait for a code. */
export async function endEverything(
  tx: Tx,
  { adminId, at }: { readonly adminId: AdminId; readonly at: Date },
): Promise<void> {
  await tx
    .deleteFrom("adminChallenges")
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .execute();
  await tx
    .updateTable("adminSessions")
    .set({ revokedAt: at })
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .where("revokedAt", "is", null)
    .execute();
}

/** Uses up the step of a code, for an admin who is let in. False where it, or a later one, was used before. */
export async function useStep(
  tx: Tx,
  { adminId, step, at }: { readonly adminId: AdminId; readonly step: number; readonly at: Date },
): Promise<boolean> {
  const used = await tx
    .updateTable("admins")
    .set({ lastStep: BigInt(step), lastLoginAt: at })
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .where("disabledAt", "is", null)
    .where("lastStep", "<", BigInt(step))
    .returning("adminId")
    .executeTakeFirst();
  return used !== undefined;
}

export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<void> {
  await tx
    .insertInto("adminChallenges")
    .values({ ...challenge, tenantId })
    .execute();
}

/** Removes what an admin left lying and nobody counts any more. */
export async function deleteOldChallenges(
  tx: Tx,
  { adminId, before }: { readonly adminId: AdminId; readonly before: Date },
): Promise<void> {
  await tx
    .deleteFrom("adminChallenges")
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .where("createdAt", "<", before)
    .execute();
}

/** Takes one of a challenge's attempts, before it is made. Undefined where none is left, or the challenge is over. */
export async function takeAttempt(
  tx: Tx,
  {
    tokenHash,
    at,
    attemptsMax,
  }: { readonly tokenHash: string; readonly at: Date; readonly attemptsMax: number },
): Promise<AdminId | undefined> {
  const taken = await tx
    .updateTable("adminChallenges")
    .set((challenge) => ({ attempts: challenge("attempts", "+", 1) }))
    .where("tenantId", "=", tenantId)
    .where("tokenHash", "=", tokenHash)
    .where("attempts", "<", attemptsMax)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning("adminId")
    .executeTakeFirst();
  return taken?.adminId;
}

/** How many attempts were taken since then that let nobody in, over all of the admin's challenges. */
export async function countAttempts(
  tx: Tx,
  { adminId, since }: { readonly adminId: AdminId; readonly since: Date },
): Promise<number> {
  const { attempts } = await tx
    .selectFrom("adminChallenges")
    .select(({ fn }) => fn.sum<string | null>("attempts").as("attempts"))
    .where("tenantId", "=", tenantId)
    .where("adminId", "=", adminId)
    .where("usedAt", "is", null)
    .where("createdAt", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(attempts ?? 0);
}

export async function useChallenge(tx: Tx, tokenHash: string, at: Date): Promise<void> {
  await tx
    .updateTable("adminChallenges")
    .set({ usedAt: at })
    .where("tenantId", "=", tenantId)
    .where("tokenHash", "=", tokenHash)
    .execute();
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto("adminSessions")
    .values({ ...session, tenantId })
    .execute();
}

interface SessionKey {
  readonly adminId: AdminId;
  readonly sessionId: string;
  readonly at: Date;
}

/** Whether a session is good at `at`, and its admin has not been shut out. */
export async function isSessionLive(
  tx: Tx,
  { adminId, sessionId, at }: SessionKey,
): Promise<boolean> {
  const session = await tx
    .selectFrom("adminSessions as session")
    .innerJoin("admins as admin", (join) =>
      join
        .onRef("admin.tenantId", "=", "session.tenantId")
        .onRef("admin.adminId", "=", "session.adminId"),
    )
    .select("session.sessionId")
    .where("session.tenantId", "=", tenantId)
    .where("session.sessionId", "=", sessionId)
    .where("session.adminId", "=", adminId)
    .where("session.revokedAt", "is", null)
    .where("session.expiresAt", ">", at)
    .where("admin.disabledAt", "is", null)
    .executeTakeFirst();
  return session !== undefined;
}

/** Ends a session. False where it was over. */
export async function endSession(tx: Tx, { adminId, sessionId, at }: SessionKey): Promise<boolean> {
  const ended = await tx
    .updateTable("adminSessions")
    .set({ revokedAt: at })
    .where("tenantId", "=", tenantId)
    .where("sessionId", "=", sessionId)
    .where("adminId", "=", adminId)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", at)
    .returning("sessionId")
    .executeTakeFirst();
  return ended !== undefined;
}
