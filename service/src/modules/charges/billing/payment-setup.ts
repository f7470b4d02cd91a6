import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import type { Tx } from "../../../db/database.ts";
import type { PaymentMethodSummary } from "../../../db/schema.ts";
import { appendEvent } from "../../../events/events.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { PaymentSetup } from "../../../ports/billing-processor.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import type { FoundProject, Project, ProjectKey } from "../../projects/queries.ts";
import { hasPastDueInvoice } from "../invoices/queries.ts";
import { billingRows, finishSetup } from "./queries.ts";

/**
 * Creates the project's customer at the payment processor. The idempotency key depends only on the project, so a retry
 * after a timeout returns the same customer.
 */
export async function createCustomer(
  app: Pick<App, "billing">,
  project: Pick<Project, "tenantId" | "projectId" | "mode" | "name">,
): Promise<string> {
  const { customerId } = await app.billing[project.mode].createCustomer({
    name: project.name,
    metadata: { project_id: project.projectId, tenant_id: project.tenantId },
    idempotencyKey: vendorIdempotencyKey(project.projectId, "customer"),
  });
  return customerId;
}

/** Returns the billing row for a project whose customer was just created. */
function newBilling({ tenantId, projectId }: FoundProject, customerId: string, at: Date) {
  const status = "requires_payment_method" as const;
  return { tenantId, projectId, customerId, status, createdAt: at, updatedAt: at };
}

/**
 * Stores the project's customer and writes the audit entry. Does nothing if the project already has a customer: that is the same
 * one, because the processor has only one customer for a project.
 */
export async function saveCustomer(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { project, customerId }: { readonly project: FoundProject; readonly customerId: string },
): Promise<void> {
  const occurredAt = clock.now();
  if (!(await billingRows.insertIfNew(tx, newBilling(project, customerId, occurredAt)))) return;
  await appendAuditEntry(tx, actor, {
    action: "payment_customer.created",
    subject: { type: "project", id: project.projectId },
    facts: { customer_id: customerId },
    occurredAt,
  });
}

/**
 * The request field to report if the processor rejects the call, or null if the call contains no value from the
 * request.
 */
type RejectedField = "/body/payment_method_id" | null;

/** Calls the payment processor and converts a VendorError to an AppError for the caller. */
export async function callProcessor<Answer>(call: () => Promise<Answer>, field: RejectedField): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof VendorError ? appErrorOf(error, field) : error;
  }
}

function appErrorOf(error: VendorError, pointer: RejectedField): AppError {
  const { failure, vendorCode, vendorMessage, retryAfterSeconds } = error;
  const context = { internal: `${error.message}: ${vendorMessage ?? ""}`, cause: error };
  switch (failure) {
    case "refused":
    case "not_found":
      if (pointer === null) return unusable(context);
      return new AppError("validation_error", {
        ...context,
        errors: [fieldOf(pointer, failure, vendorCode)],
      });
    case "unauthorized":
      return unusable(context);
    default:
      return new AppError("provider_unavailable", {
        ...context,
        detail: "The payment processor did not respond. Repeat the request to continue where this one stopped.",
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
  }
}

function fieldOf(pointer: string, failure: "refused" | "not_found", vendorCode = "refused") {
  return failure === "not_found"
    ? { pointer, code: "unknown", detail: "is unknown to the payment processor" }
    : { pointer, code: vendorCode, detail: "was rejected by the payment processor" };
}

function unusable(context: { readonly internal: string; readonly cause: VendorError }): AppError {
  const detail = "The payment processor rejected Purser's request. Include the request_id when you contact support.";
  return new AppError("provider_error", { ...context, detail });
}

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
