import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import { type ListedPage, type Page, readNewest } from "../../../db/pages.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { rowsWhere, updateWhere } from "../../../db/where.ts";
import type { TenantId } from "../../../foundation/ids.ts";

export const sessionRows = tableOf("sessions", ["tenantId", "sessionId"]);

export const refreshTokenRows = tableOf("refreshTokens", ["tenantId", "tokenHash"]);
/** `rotatedAt` is null if the token has not been rotated. */
export const refreshTokenRowsByHash = tableOf("refreshTokens", ["tokenHash"]);

export type Session = Selectable<Schema["sessions"]>;
export type RefreshToken = Selectable<Schema["refreshTokens"]>;
type SessionKey = Pick<Session, "tenantId" | "sessionId">;

export async function listSessions(
  db: Db,
  { tenantId, at, after, limit }: Page<string> & { readonly tenantId: TenantId; readonly at: Date },
): Promise<ListedPage<Session>> {
  const sessions = rowsWhere(db, "sessions", { tenantId }).where("revokedAt", "is", null).where("expiresAt", ">", at);
  return readNewest(sessions, { tenantId, table: "sessions", column: "sessionId" }, { after, limit });
}

/** Revokes the valid successor of a token. Returns false if it was used, or if there is none. */
export async function revokeUnusedSuccessor(
  tx: Tx,
  { tenantId, sessionId, tokenHash }: SessionKey & Pick<RefreshToken, "tokenHash">,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await updateWhere(tx, "refreshTokens", { tenantId, sessionId, replacesHash: tokenHash })
    .set({ rotatedAt: at })
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
    .where("tokenHash", "=", tokenHash)
    .set(({ fn, ref, val }) => ({ usedAt: fn.coalesce(ref("usedAt"), val(at)) }))
    .where((eb) => eb.or([eb("rotatedAt", "is", null), eb("usedAt", "is not", null)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

interface EndSessions {
  readonly tenantId: TenantId;
  /** If undefined, all of the tenant's sessions are ended. */
  readonly sessionId?: string;
  readonly at: Date;
  readonly reason: string;
}

/** Returns the number of sessions ended, which includes expired ones. */
export async function endSessions(tx: Tx, { tenantId, sessionId, at, reason }: EndSessions): Promise<number> {
  let ending = updateWhere(tx, "sessions", { tenantId })
    .set({ revokedAt: at, revokeReason: reason })
    .where("revokedAt", "is", null);
  if (sessionId !== undefined) ending = ending.where("sessionId", "=", sessionId);
  return (await ending.returning("sessionId").execute()).length;
}
