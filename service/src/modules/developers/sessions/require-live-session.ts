import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { authenticationFailed } from "../../../foundation/errors.ts";
import { findLiveSession } from "../queries.ts";

/**
 * Refuses a change whose session was ended since its request was authenticated. The caller has locked the account, so that a
 * password reset is over or has not begun: nothing that a withdrawn session asked for is done after it.
 */
export async function requireLiveSession(
  tx: Tx,
  { tenantId, sessionId }: Actor,
  at: Date,
): Promise<void> {
  if (sessionId === undefined) return;
  if ((await findLiveSession(tx, { tenantId, sessionId, at })) !== undefined) return;
  throw authenticationFailed("the session ended during its request");
}
