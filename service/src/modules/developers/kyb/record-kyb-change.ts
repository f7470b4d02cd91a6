import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { appendEvent } from "../../../events/append-event.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import type { AuditId } from "../../../foundation/ids.ts";
import { recordAccountChange } from "../record-account-change.ts";
import { kybStatusAt } from "./kyb-status-at.ts";
import type { KybColumns } from "./queries.ts";

export interface KybChange {
  readonly action: "developer.kyb_updated" | "developer.kyb_proposed" | "developer.kyb_confirmed";
  readonly facts: Readonly<Record<string, Json>>;
  /** The new KYB status. If it is null, the status did not change and no event is sent. */
  readonly changedTo: KybColumns | null;
  readonly at: Date;
}

/** Writes the audit entry for a KYB decision, and sends an event if the decision changed the KYB status. */
export async function recordKybChange(
  tx: Tx,
  actor: Actor,
  { action, facts, changedTo, at }: KybChange,
): Promise<AuditId> {
  const { tenantId } = actor;
  const auditId = await recordAccountChange(tx, actor, { action, facts, at });
  if (changedTo !== null) {
    await appendEvent(tx, actor, {
      subject: { type: "developer", id: tenantId },
      occurredAt: at,
      type: "developer.kyb_updated",
      data: { developer_id: tenantId, kyb: { ...kybStatusAt(changedTo, at) } },
    });
  }
  return auditId;
}
