import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { findLiveSession } from "../queries.ts";

/**
 * Throws `authentication_failed` if the session has ended since its request was authenticated. The caller has locked
 * the account, so no password reset runs at the same time: a session that a reset ended changes nothing afterwards.
 */
export async function requireLiveSession(
  tx: Tx,
  { tenantId, sessionId }: Actor,
  at: Date,
): Promise<void> {
  if (sessionId === undefined) return;
  if ((await findLiveSession(tx, { tenantId, sessionId, at })) !== undefined) return;
  throw authenticationFailed("the session ended during the request");
}
