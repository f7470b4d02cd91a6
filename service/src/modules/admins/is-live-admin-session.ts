import type { App } from "../../app.ts";
import type { AdminId } from "../../foundation/ids.ts";
import { withOperatorTransaction } from "./operators.ts";
import { isSessionLive } from "./queries.ts";

/** Returns true if the session is neither expired nor revoked and its admin is not disabled. */
export function isLiveAdminSession(
  { db, clock }: Pick<App, "db" | "clock">,
  session: { readonly adminId: AdminId; readonly sessionId: string },
): Promise<boolean> {
  const at = clock.now();
  return withOperatorTransaction(db, (tx) => isSessionLive(tx, { ...session, at }));
}
