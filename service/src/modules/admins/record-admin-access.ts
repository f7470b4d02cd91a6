import type { App } from "../../app.ts";
import { adminActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { AdminId } from "../../foundation/ids.ts";
import { withOperatorTransaction } from "./operators.ts";

export interface RecordAdminAccess {
  readonly adminId: AdminId;
  readonly network: string;
  readonly requestId: string;
  readonly action: "developers.listed" | "developer.shown";
  /** The developer whose data was read, or the admin themselves if a list of developers was read. */
  readonly subject: { readonly type: "developer" | "admin"; readonly id: string };
  readonly facts: Readonly<Record<string, Json>>;
}

/** Records in the operators' audit log that an admin read developer data. Call it before returning the data. */
export async function recordAdminAccess(
  { db, clock }: Pick<App, "db" | "clock">,
  { adminId, network, requestId, action, subject, facts }: RecordAdminAccess,
): Promise<void> {
  const occurredAt = clock.now();
  await withOperatorTransaction(db, (tx) =>
    appendAuditEntry(tx, adminActor(adminId, { network, requestId }), {
      action,
      subject,
      facts,
      occurredAt,
    }),
  );
}
