import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { enqueueEvent } from "../../outbox/enqueue.ts";
import type { Developer } from "./queries.ts";

/** Notes that a developer's address has been shown to be theirs, for the trail and for whoever listens. */
export async function recordVerification(
  tx: Tx,
  actor: Actor,
  {
    developer: { tenantId },
    occurredAt,
  }: { readonly developer: Developer; readonly occurredAt: Date },
): Promise<void> {
  const what = { subject: { type: "developer", id: tenantId }, occurredAt };
  await appendAuditEntry(tx, actor, { ...what, action: "developer.email_verified", facts: {} });
  await enqueueEvent(tx, actor, {
    ...what,
    type: "developer.email_verified",
    // Which address it was, the profile says: events are kept for long, and read by more.
    data: { developer_id: tenantId },
  });
}
