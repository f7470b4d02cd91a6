import type { Actor, AuditEvent } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { presentCharge } from "./charge-resource.ts";
import type { Charge } from "./queries.ts";

/** Writes the audit entry and the event for a charge that was paid, declined or refunded. */
export async function recordCharge(
  tx: Tx,
  actor: Actor,
  action: "charge.succeeded" | "charge.failed" | "charge.refunded",
  { charge, at }: { readonly charge: Charge; readonly at: Date },
): Promise<void> {
  const entry = chargeEntry(action, charge, at);
  await recordEntryAndEvent(tx, actor, entry, () => presentCharge(charge));
}

/** Returns the audit entry for a change of a charge. */
export function chargeEntry(action: string, charge: Charge, occurredAt: Date): AuditEvent {
  const { amount, period_start, period_end } = presentCharge(charge);
  const { chargeId, projectId, serviceId, estimated } = charge;
  return {
    action,
    subject: { type: "charge", id: chargeId },
    facts: {
      project_id: projectId,
      service_id: serviceId,
      ...{ amount, estimated, period_start, period_end },
    },
    occurredAt,
  };
}
