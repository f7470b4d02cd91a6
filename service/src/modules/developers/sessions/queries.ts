import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import type { TenantId } from "../../../foundation/ids.ts";

export type Session = Selectable<Schema["sessions"]>;
export type RefreshToken = Selectable<Schema["refreshTokens"]>;
type SessionKey = Pick<Session, "tenantId" | "sessionId">;

export async function insertSession(tx: Tx, session: Omit<Session, "revokedAt" | "revokeReason">): Promise<void> {
  await tx.insertInto("sessions").values(session).execute();
}

export async function insertRefreshToken(
  tx: Tx,
  token: Omit<RefreshToken, "rotatedAt" | "usedAt" | "replacesHash"> & Partial<Pick<RefreshToken, "replacesHash">>,
): Promise<void> {
  await tx.insertInto("refreshTokens").values(token).execute();
}

/** Returns the row of the refresh token with this hash. Its `rotatedAt` is null if the token has not been rotated. */
export async function findRefreshToken(db: Db, tokenHash: string): Promise<RefreshToken | undefined> {
  return db.selectFrom("refreshTokens").selectAll().where("tokenHash", "=", tokenHash).executeTakeFirst();
}

/** Returns one page of the tenant's sessions that are valid at `at`, newest first. */
export async function listLiveSessions(
  db: Db,
  {
    tenantId,
    at,
    afterSessionId,
    limit,
  }: {
    readonly tenantId: TenantId;
    readonly at: Date;
    readonly afterSessionId: string | undefined;
    readonly limit: number;
  },
): Promise<Session[]> {
  let page = db
    .selectFrom("sessions")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", at);
  if (afterSessionId !== undefined) {
    page = page.where(
      sql<boolean>`(created_at, session_id) < (select created_at, session_id from sessions
        where tenant_id = ${tenantId} and session_id = ${afterSessionId})`,
    );
  }
  return page.orderBy("createdAt", "desc").orderBy("sessionId", "desc").limit(limit).execute();
}

/**
 * Returns the session and locks its row until the transaction ends. Rotating a token or ending the session also locks
 * this row, so these operations run one after another.
 */
export async function lockSession(tx: Tx, { tenantId, sessionId }: SessionKey): Promise<Session | undefined> {
  return tx
    .selectFrom("sessions")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("sessionId", "=", sessionId)
    .forUpdate()
    .executeTakeFirst();
}

/** Rotates the token, which was used for a refresh. */
export async function markRotated(tx: Tx, tokenHash: string, at: Date): Promise<void> {
  await tx.updateTable("refreshTokens").set({ rotatedAt: at, usedAt: at }).where("tokenHash", "=", tokenHash).execute();
}

/** Revokes the valid successor of a token. Returns false if it was used, or if there is none. */
export async function revokeUnusedSuccessor(
  tx: Tx,
  { tenantId, sessionId, tokenHash }: SessionKey & Pick<RefreshToken, "tokenHash">,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("refreshTokens")
    .set({ rotatedAt: at })
    .where("tenantId", "=", tenantId)
    .where("sessionId", "=", sessionId)
    .where("replacesHash", "=", tokenHash)
    .where("rotatedAt", "is", null)
    .where("usedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Stores that the access token issued with this refresh token was used. Returns false if the refresh token was revoked
 * before it was used.
 */
export async function markUsed(db: Db, tokenHash: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("refreshTokens")
    .set(({ fn, ref, val }) => ({ usedAt: fn.coalesce(ref("usedAt"), val(at)) }))
    .where("tokenHash", "=", tokenHash)
    .where((eb) => eb.or([eb("rotatedAt", "is", null), eb("usedAt", "is not", null)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function touchSession(
  tx: Tx,
  { tenantId, sessionId, ...use }: SessionKey & Pick<Session, "lastUsedAt" | "network" | "userAgent">,
): Promise<void> {
  await tx
    .updateTable("sessions")
    .set(use)
    .where("tenantId", "=", tenantId)
    .where("sessionId", "=", sessionId)
    .execute();
}

/**
 * Ends one session or all of the tenant's sessions. Returns the number of sessions ended, which includes expired ones.
 */
export async function endSessions(
  tx: Tx,
  {
    tenantId,
    sessionId,
    at,
    reason,
  }: {
    readonly tenantId: TenantId;
    /** If undefined, all of the tenant's sessions are ended. */
    readonly sessionId?: string;
    readonly at: Date;
    readonly reason: string;
  },
): Promise<number> {
  let ending = tx
    .updateTable("sessions")
    .set({ revokedAt: at, revokeReason: reason })
    .where("tenantId", "=", tenantId)
    .where("revokedAt", "is", null);
  if (sessionId !== undefined) ending = ending.where("sessionId", "=", sessionId);
  return (await ending.returning("sessionId").execute()).length;
}
