import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { AuditId } from "../../foundation/ids.ts";

export interface AccountChange {
  readonly action: string;
  readonly facts?: Readonly<Record<string, Json>>;
  readonly at: Date;
}

/** Writes the audit entry for a change to the actor's account, in the transaction of the change. */
export async function recordAccountChange(
  tx: Tx,
  actor: Actor,
  { action, facts = {}, at }: AccountChange,
): Promise<AuditId> {
  const subject = { type: "developer", id: actor.tenantId };
  return appendAuditEntry(tx, actor, { action, subject, facts, occurredAt: at });
}
