import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { enqueueEvent } from "../../../outbox/enqueue.ts";
import type { ApiKey } from "./queries.ts";

/** Writes into the trail what became of a key, and announces it, under the key's own mode whatever the caller's is. */
export async function recordKeyChange(
  tx: Tx,
  actor: Actor,
  {
    action,
    key,
    more = {},
    occurredAt,
  }: {
    readonly action: "api_key.created" | "api_key.rotated" | "api_key.revoked";
    readonly key: ApiKey;
    readonly more?: Readonly<Record<string, Json>>;
    readonly occurredAt: Date;
  },
): Promise<void> {
  const subject = { type: "api_key", id: key.keyId };
  const facts = { name: key.name, mode: key.mode, ...more };
  const keyActor = { ...actor, mode: key.mode };
  await appendAuditEntry(tx, keyActor, { action, subject, facts, occurredAt });
  await enqueueEvent(tx, keyActor, {
    type: action,
    subject,
    data: { key_id: key.keyId, ...facts },
    occurredAt,
  });
}
