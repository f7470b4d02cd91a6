import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { appendEvent } from "../../../events/append-event.ts";
import { hasPastDueInvoice } from "../invoices/queries.ts";
import type { FoundProject } from "../queries.ts";
import { finishSetup, lockBilling } from "./queries.ts";

/**
 * Lets the project use a payment method whose owner has confirmed it at the bank, and writes the audit entry and the
 * event. Does nothing if another payment method was attached since.
 */
export async function completeSetup(
  tx: Tx,
  actor: Actor,
  { project, setupIntentId, at }: { readonly project: FoundProject; readonly setupIntentId: string; readonly at: Date },
): Promise<void> {
  // An invoice that is paid meanwhile does not see that the project becomes past due.
  await lockBilling(tx, project);
  const status = (await hasPastDueInvoice(tx, project)) ? "past_due" : "ready";
  const billing = await finishSetup(tx, project, { setupIntentId, status, updatedAt: at });
  if (billing === undefined) return;
  const { projectId } = project;
  const { customerId, paymentMethod, paymentMethodId } = billing;
  await appendAuditEntry(tx, actor, {
    action: "payment_method.ready",
    subject: { type: "project", id: projectId },
    facts: { customer_id: customerId },
    occurredAt: at,
  });
  await appendEvent(tx, actor, {
    type: "payment_method.attached",
    subject: { type: "payment_method", id: paymentMethodId ?? "" },
    data: {
      project_id: projectId,
      customer_id: customerId,
      setup_intent_id: setupIntentId,
      setup_status: "succeeded",
      is_default: true,
      payment_method: { ...paymentMethod },
    },
    occurredAt: at,
  });
}
