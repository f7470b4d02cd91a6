import type { App } from "../../app.ts";
import type { AdminId } from "../../foundation/ids.ts";
import { asOperators } from "./operators.ts";
import { isSessionLive } from "./queries.ts";

/** Whether the session goes on, and its admin may still sign in. */
export function isLiveAdminSession(
  { db, clock }: Pick<App, "db" | "clock">,
  session: { readonly adminId: AdminId; readonly sessionId: string },
): Promise<boolean> {
  const at = clock.now();
  return asOperators(db, (tx) => isSessionLive(tx, { ...session, at }));
}
