import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { recordEntryAndEvent } from "../../../events/record-entry-and-event.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import type { ApiKey } from "./queries.ts";

interface RecordKeyChange {
  readonly action: "api_key.created" | "api_key.rotated" | "api_key.revoked";
  readonly key: ApiKey;
  readonly details?: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

/**
 * Writes the audit entry and the event for a change to a key. Both are stored with the key's mode, which can differ
 * from the caller's mode.
 */
export async function recordKeyChange(
  tx: Tx,
  actor: Actor,
  { action, key, details = {}, occurredAt }: RecordKeyChange,
): Promise<void> {
  const subject = { type: "api_key", id: key.keyId };
  const facts = { name: key.name, mode: key.mode, ...details };
  const keyActor = { ...actor, mode: key.mode };
  const data = { key_id: key.keyId, ...facts };
  await recordEntryAndEvent(tx, keyActor, { action, subject, facts, occurredAt }, () => data);
}
