import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { findLiveSession } from "../queries.ts";

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
