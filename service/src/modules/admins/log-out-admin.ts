import type { App } from "../../app.ts";
import { adminActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { withOperatorTransaction } from "./operators.ts";
import { endSession } from "./queries.ts";

/** Ends the session that the access token belongs to. Does nothing if the token is invalid or expired. */
export async function logOutAdmin(
  app: Pick<App, "db" | "clock" | "adminTokens">,
  { token, client }: { readonly token: string; readonly client: ClientInfo },
): Promise<void> {
  const at = app.clock.now();
  const claims = await app.adminTokens.verify(token, at);
  if (claims === undefined) return;
  const { subject: adminId, sessionId } = claims;
  await withOperatorTransaction(app.db, async (tx) => {
    if (!(await endSession(tx, { adminId, sessionId, at }))) return;
    await appendAuditEntry(tx, adminActor(adminId, client), {
      action: "admin.logged_out",
      subject: { type: "session", id: sessionId },
      facts: {},
      occurredAt: at,
    });
  });
}
