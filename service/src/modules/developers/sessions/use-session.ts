import type { Db } from "../../../db/database.ts";
import { findLiveSession } from "../queries.ts";
import { markUsed } from "./queries.ts";

/**
 * Returns the live session of a presented access token, and notes the first use of the refresh token that was issued
 * with it. Returns undefined if that refresh token was replaced before it was used, because another answer to the same
 * refresh then holds the session's tokens.
 */
export async function useSession(db: Db, key: Parameters<typeof findLiveSession>[1]) {
  const session = await findLiveSession(db, key);
  const { refreshTokenHash, at } = key;
  if (session === undefined || refreshTokenHash === undefined) return session;
  const isUsable = session.refreshTokenUsedAt !== null || (await markUsed(db, refreshTokenHash, at));
  return isUsable ? session : undefined;
}
