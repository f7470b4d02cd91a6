import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { appendEvent } from "../../events/append-event.ts";
import type { Developer } from "./queries.ts";

/** Writes the audit entry and the event for a verified email address. */
export async function recordVerification(
  tx: Tx,
  actor: Actor,
  { developer: { tenantId }, occurredAt }: { readonly developer: Developer; readonly occurredAt: Date },
): Promise<void> {
  const shared = { subject: { type: "developer", id: tenantId }, occurredAt };
  await appendAuditEntry(tx, actor, { ...shared, action: "developer.email_verified", facts: {} });
  await appendEvent(tx, actor, {
    ...shared,
    type: "developer.email_verified",
    // The address is omitted because events are stored for 30 days and delivered to other systems.
    data: { developer_id: tenantId },
  });
}
