import type { App } from "../../app.ts";
import { commandLineActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { asOperators } from "./operators.ts";
import { disableOnce, endEverything, findAdminByEmail } from "./queries.ts";

/** Shuts an admin out at once, from the machine's own command line. False where nobody who may sign in has the address. */
export async function disableAdmin(
  app: Pick<App, "db" | "clock">,
  command: { readonly email: string },
): Promise<boolean> {
  const at = app.clock.now();
  return asOperators(app.db, async (tx) => {
    const admin = await findAdminByEmail(tx, command.email.toLowerCase());
    // The admin's own row first: whoever signs in at this moment holds it, and has a session to be ended afterwards.
    if (admin === undefined || !(await disableOnce(tx, { adminId: admin.adminId, at }))) {
      return false;
    }
    await endEverything(tx, { adminId: admin.adminId, at });
    await appendAuditEntry(tx, commandLineActor(), {
      action: "admin.disabled",
      subject: { type: "admin", id: admin.adminId },
      facts: {},
      occurredAt: at,
    });
    return true;
  });
}
