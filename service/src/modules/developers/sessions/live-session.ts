import type { Actor } from "../../../audit/append.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { findLiveSession } from "../queries.ts";
import { markUsed } from "./queries.ts";

/**
 * Throws `authentication_failed` if the calling session ended after the request was authenticated. Does nothing for
 * calls without a session. The caller must have locked the account. Otherwise, a concurrent password reset could end
 * the session before this transaction commits.
 */
export async function requireLiveSession(tx: Tx, { tenantId, sessionId }: Actor, at: Date): Promise<void> {
  if (sessionId === undefined) return;
  if ((await findLiveSession(tx, { tenantId, sessionId, at })) !== undefined) return;
  throw authenticationFailed("the session ended during the request");
}

export async function isLiveSession({ db }: { readonly db: Db }, key: Parameters<typeof findLiveSession>[1]) {
  return (await findLiveSession(db, key)) !== undefined;
}

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
