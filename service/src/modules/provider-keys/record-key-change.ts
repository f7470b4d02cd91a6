import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { appendEvent } from "../../events/append-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { AuditId } from "../../foundation/ids.ts";
import type { ProviderKeys } from "./queries.ts";

export interface KeyChange {
  readonly action: "provider_key.created" | "provider_key.updated" | "provider_key.deleted";
  readonly keys: ProviderKeys;
  readonly facts: Readonly<Record<string, Json>>;
  /** The types of the events to send. All of them have the same data. */
  readonly events: readonly string[];
  readonly data: Json;
  readonly occurredAt: Date;
}

/**
 * Writes the audit entry and the events for a change to provider keys. Must run in the transaction of the change.
 * `facts` and `data` must not contain key values.
 */
export async function recordKeyChange(
  tx: Tx,
  actor: Actor,
  { action, keys, facts, events, data, occurredAt }: KeyChange,
): Promise<AuditId> {
  const subject = { type: "provider", id: keys.provider };
  const auditId = await appendAuditEntry(tx, actor, {
    chain: "provider_keys",
    action,
    subject,
    facts: { version: keys.version, ...facts },
    occurredAt,
  });
  for (const type of events) await appendEvent(tx, actor, { type, subject, data, occurredAt });
  return auditId;
}
