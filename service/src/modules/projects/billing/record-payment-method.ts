import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { appendEvent } from "../../../events/append-event.ts";
import type { FoundProject } from "../queries.ts";
import type { AttachedPaymentMethod } from "./read-payment-setup.ts";

/**
 * Writes the audit entry and the event for an attached payment method. Call it in the transaction that stores the
 * payment method.
 */
export async function recordPaymentMethod(
  tx: Tx,
  actor: Actor,
  {
    project: { projectId },
    attached: { customerId, paymentMethod, setupIntentId, setupStatus },
    setDefault,
    occurredAt,
  }: {
    readonly project: FoundProject;
    readonly attached: AttachedPaymentMethod;
    readonly setDefault: boolean;
    readonly occurredAt: Date;
  },
): Promise<void> {
  const subject = { type: "payment_method", id: paymentMethod.id };
  const isWaiting = setupStatus === "requires_action";
  const facts = {
    project_id: projectId,
    customer_id: customerId,
    setup_intent_id: setupIntentId,
    setup_status: setupStatus,
    is_default: setDefault,
  };
  await appendAuditEntry(tx, actor, {
    action: "payment_method.attached",
    subject,
    facts,
    occurredAt,
  });
  await appendEvent(tx, actor, {
    type: isWaiting ? "payment_method.requires_action" : "payment_method.attached",
    subject,
    data: { ...facts, payment_method: { ...paymentMethod } },
    occurredAt,
  });
}
