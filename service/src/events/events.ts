import { type Actor, type AuditEvent, auditRecordOf } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { Json } from "../foundation/canonical-json.ts";
import { type AuditId, newId } from "../foundation/ids.ts";
import type { EventType } from "./event-types.ts";
import { insertEntryAndEvent, insertEvent, type NewEvent } from "./queries.ts";

/** An entry in the `tenant` audit chain that has an event of the same name. */
export interface EventEntry extends Omit<AuditEvent, "chain" | "action"> {
  readonly action: EventType;
}

export interface Event {
  readonly type: EventType;
  readonly subject: { readonly type: string; readonly id: string };
  /** The event's data, for example the API representation of a project. Must not contain secrets. */
  readonly data: Json;
  readonly occurredAt: Date;
  /**
   * The event's number among the events of its subject. If it is undefined, the event gets the next number of the
   * subject's counter. Null if the event changes nothing of its subject: then it does not wait for other events. A
   * caller that counts the subject's events itself passes the number.
   */
  readonly sequence?: number | bigint | null | undefined;
}

/**
 * Writes an event to the event log, in the transaction of the change that it reports.
 *
 * The subject's counter stays locked until the transaction ends, and other events of the subject wait for it. Call this
 * as late as possible, after every other lock. A transaction that writes events of several subjects writes them in the
 * order of the subjects, where it can choose: two transactions that take the same counters in different orders
 * deadlock, and one of them is repeated.
 */
export async function appendEvent(tx: Tx, actor: Actor, event: Event): Promise<void> {
  await insertEvent(tx, newEventOf(actor, event));
}

/** Returns the event with a new id and the actor who caused it. */
export function newEventOf(
  { tenantId, mode, actor, requestId }: Actor,
  { type, subject, data, occurredAt, sequence }: Event,
): NewEvent {
  return {
    tenantId,
    eventId: newId("evt"),
    mode,
    type,
    subjectType: subject.type,
    subjectId: subject.id,
    isCounted: sequence === undefined,
    sequence: sequence ?? null,
    data,
    actor,
    requestId,
    occurredAt,
  };
}

/**
 * Writes an entry in the `tenant` audit chain and an event with the same name. To save round trips, uses one statement,
 * which is sent with the transaction's next statement or its commit. `dataOf` returns the event's data. For `sequence` and
 * the order of locks, see `appendEvent`.
 */
export async function recordEntryAndEvent(
  tx: Tx,
  actor: Actor,
  { sequence, ...entry }: EventEntry & Pick<Event, "sequence">,
  dataOf: (auditId: AuditId) => Json,
): Promise<AuditId> {
  const { action: type, subject, occurredAt } = entry;
  const record = auditRecordOf(actor, entry);
  const data = dataOf(record.auditId);
  const event = newEventOf(actor, { type, subject, data, occurredAt, sequence });
  await insertEntryAndEvent(tx, record, event);
  return record.auditId;
}
