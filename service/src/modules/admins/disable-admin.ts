import type { App } from "../../app.ts";
import { commandLineActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { normalizeEmail } from "../../foundation/text/email-address.ts";
import { withOperatorTransaction } from "./operators.ts";
import { disableIfActive, endSessionsAndLogins, findAdminByEmail } from "./queries.ts";

/** Disables an admin and ends their sessions. Returns false if there is no active admin with this email address. */
export async function disableAdmin(
  app: Pick<App, "db" | "clock">,
  command: { readonly email: string },
): Promise<boolean> {
  const at = app.clock.now();
  return withOperatorTransaction(app.db, async (tx) => {
    const admin = await findAdminByEmail(tx, normalizeEmail(command.email));
    // A login in progress locks the admin's row, so this update waits until the login is committed. The login's session
    // is then ended below.
    if (admin === undefined || !(await disableIfActive(tx, { adminId: admin.adminId, at }))) {
      return false;
    }
    await endSessionsAndLogins(tx, { adminId: admin.adminId, at });
    await appendAuditEntry(tx, commandLineActor(), {
      action: "admin.disabled",
      subject: { type: "admin", id: admin.adminId },
      facts: {},
      occurredAt: at,
    });
    return true;
  });
}
