import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { enqueueEvent } from "../../outbox/enqueue.ts";
import type { Developer } from "./queries.ts";

/** Writes the audit entry and the event of a verified email address. */
export async function recordVerification(
  tx: Tx,
  actor: Actor,
  {
    developer: { tenantId },
    occurredAt,
  }: { readonly developer: Developer; readonly occurredAt: Date },
): Promise<void> {
  const shared = { subject: { type: "developer", id: tenantId }, occurredAt };
  await appendAuditEntry(tx, actor, { ...shared, action: "developer.email_verified", facts: {} });
  await enqueueEvent(tx, actor, {
    ...shared,
    type: "developer.email_verified",
    // The event does not contain the address: events are stored for 30 days, and other systems receive them.
    data: { developer_id: tenantId },
  });
}
