import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import type { AuditId } from "../../../foundation/ids.ts";
import { enqueueEvent } from "../../../outbox/enqueue.ts";
import { kybStatusAt } from "./kyb-status-at.ts";
import type { KybColumns } from "./queries.ts";

export interface KybChange {
  readonly action: "developer.kyb_updated" | "developer.kyb_proposed" | "developer.kyb_confirmed";
  readonly facts: Readonly<Record<string, Json>>;
  /** How the developer stands now. Null where that did not change, and there is nothing to announce. */
  readonly changedTo: KybColumns | null;
  readonly at: Date;
}

/** Notes what was decided of a developer's business, and announces it where it changes how they stand. */
export async function recordKybChange(
  tx: Tx,
  actor: Actor,
  { action, facts, changedTo, at }: KybChange,
): Promise<AuditId> {
  const { tenantId } = actor;
  const what = { subject: { type: "developer", id: tenantId }, occurredAt: at };
  if (changedTo !== null) {
    await enqueueEvent(tx, actor, {
      ...what,
      type: "developer.kyb_updated",
      data: { developer_id: tenantId, kyb: { ...kybStatusAt(changedTo, at) } },
    });
  }
  return appendAuditEntry(tx, actor, { ...what, action, facts });
}
