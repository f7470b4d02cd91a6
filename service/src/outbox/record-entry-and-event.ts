import { type Actor, type AuditEvent, auditRecordOf } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { Json } from "../foundation/canonical-json.ts";
import type { AuditId } from "../foundation/ids.ts";
import { eventMessageOf } from "./enqueue.ts";
import { insertEntryAndMessage } from "./queries.ts";

/**
 * Writes an entry in the `tenant` audit chain and enqueues an event with the same name. Uses one statement to save a
 * round trip. `dataOf` returns the event's data.
 */
export async function recordEntryAndEvent(
  tx: Tx,
  actor: Actor,
  event: Omit<AuditEvent, "chain">,
  dataOf: (auditId: AuditId) => Json,
): Promise<AuditId> {
  const { action: type, subject, occurredAt } = event;
  const record = auditRecordOf(actor, event);
  const data = dataOf(record.auditId);
  await insertEntryAndMessage(
    tx,
    record,
    eventMessageOf(actor, { type, subject, data, occurredAt }),
  );
  return record.auditId;
}
