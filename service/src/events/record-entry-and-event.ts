import { type Actor, type AuditEvent, auditRecordOf } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { Json } from "../foundation/canonical-json.ts";
import type { AuditId } from "../foundation/ids.ts";
import { type Event, newEventOf } from "./append-event.ts";
import { insertEntryAndEvent } from "./queries.ts";

/**
 * Writes an entry in the `tenant` audit chain and an event with the same name. To save round trips, uses one statement,
 * which is sent with the transaction's next statement or its commit. `dataOf` returns the event's data. For `sequence` and
 * the order of locks, see `appendEvent`.
 */
export async function recordEntryAndEvent(
  tx: Tx,
  actor: Actor,
  { sequence, ...entry }: Omit<AuditEvent, "chain"> & Pick<Event, "sequence">,
  dataOf: (auditId: AuditId) => Json,
): Promise<AuditId> {
  const { action: type, subject, occurredAt } = entry;
  const record = auditRecordOf(actor, entry);
  const data = dataOf(record.auditId);
  const event = newEventOf(actor, { type, subject, data, occurredAt, sequence });
  await insertEntryAndEvent(tx, record, event);
  return record.auditId;
}
