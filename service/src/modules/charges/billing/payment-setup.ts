import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { PaymentMethodSummary } from "../../../db/schema.ts";
import { appendEvent } from "../../../events/append-event.ts";
import type { PaymentSetup } from "../../../ports/billing-processor.ts";
import type { FoundProject, ProjectKey } from "../../projects/queries.ts";
import { hasPastDueInvoice } from "../invoices/queries.ts";
import { callProcessor } from "./customer.ts";
import { billingRows, finishSetup } from "./queries.ts";

/**
 * An attached payment method. The client secret is not stored: `readPaymentSetup` reads it from the payment processor.
 */
export interface AttachedPaymentMethod {
  readonly customerId: string;
  readonly paymentMethod: PaymentMethodSummary;
  readonly setupIntentId: string;
  readonly setupStatus: PaymentSetup["status"];
}

/**
 * Returns the setup's current status and client secret. If the setup has succeeded, the payment processor is not called
 * and the client secret is null.
 */
export async function readPaymentSetup(
  app: Pick<App, "billing">,
  { mode }: Pick<ProjectKey, "mode">,
  { setupIntentId, setupStatus }: AttachedPaymentMethod,
): Promise<PaymentSetup> {
  if (setupStatus === "succeeded") {
    return { setupIntentId, status: setupStatus, clientSecret: null, redirectUrl: null };
  }
  return callProcessor(() => app.billing[mode].readSetup(setupIntentId), null);
}

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
  await billingRows.lock(tx, project);
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

interface RecordPaymentMethod {
  readonly project: FoundProject;
  readonly attached: AttachedPaymentMethod;
  readonly setDefault: boolean;
  readonly occurredAt: Date;
}

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
  }: RecordPaymentMethod,
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
