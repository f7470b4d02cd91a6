import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import type { Tx } from "../../../db/database.ts";
import type { PaymentMethodSummary } from "../../../db/schema.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import type { BillingProcessor, PaymentMethod, PaymentSetup } from "../../../ports/billing-processor.ts";
import { getProjectRow, lockProject, type Project, type ProjectKey } from "../../projects/queries.ts";
import { hasPastDueInvoice } from "../invoices/queries.ts";
import { containsCardNumber } from "./payment-method.ts";
import {
  type AttachedPaymentMethod,
  callProcessor,
  createCustomer,
  recordPaymentMethod,
  saveCustomer,
} from "./payment-setup.ts";
import { type Billing, billingRows } from "./queries.ts";

const METHOD = "/body/payment_method_id";

/**
 * Maps the processor's setup status to the project's billing status. `processing` is stored as `requires_action`,
 * because the payment method cannot be charged until the bank responds.
 */
const BILLING_STATUS = {
  succeeded: "ready",
  requires_action: "requires_action",
  processing: "requires_action",
  requires_payment_method: "requires_payment_method",
} as const;

export interface AttachPaymentMethod {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** The payment method's ID at the payment processor. */
  readonly paymentMethodId: string;
  /** If true, the project's charges use this payment method from now on. */
  readonly setDefault: boolean;
  /**
   * The page to which the bank redirects the payment method's owner after authentication. Null if no redirect is used.
   */
  readonly returnUrl: string | null;
}

type BillingApp = Pick<App, "db" | "clock" | "billing">;

/**
 * Attaches a payment method to the project's customer at the payment processor and sets it up for off-session charges.
 * Creates the customer if the project has none. A retry continues where the failed call stopped.
 */
export async function attachPaymentMethod(
  app: BillingApp,
  command: AttachPaymentMethod,
  saveResponse: SaveResponse<AttachedPaymentMethod>,
): Promise<AttachedPaymentMethod> {
  throwIfCardNumber(command);
  const { project, billing } = await requireBilling(app, command);
  const { method, setup } = await attachAndSetUp(app, { project, billing, command });
  const attached = {
    customerId: billing.customerId,
    paymentMethod: presentMethod(method),
    setupIntentId: setup.setupIntentId,
    setupStatus: setup.status,
  };
  const { actor, key, setDefault } = command;
  const at = app.clock.now();
  await withTransaction(app.db, key.tenantId, async (tx) => {
    requireActive(await lockProject(tx, key));
    // An invoice that is paid meanwhile does not see that the project becomes past due.
    await billingRows.lock(tx, project);
    const defaultFields = {
      status: await statusOf(tx, project, setup),
      paymentMethodId: method.paymentMethodId,
      paymentMethod: JSON.stringify(attached.paymentMethod),
      setupIntentId: setup.setupIntentId,
    };
    await billingRows.update(tx, project, { ...(setDefault ? defaultFields : {}), updatedAt: at });
    await recordPaymentMethod(tx, actor, { project, attached, setDefault, occurredAt: at });
    await saveResponse(tx, attached);
  });
  return attached;
}

/** Returns the billing status. An unpaid invoice stays past due until it is paid with the new payment method. */
async function statusOf(tx: Tx, project: Project, { status }: PaymentSetup): Promise<Billing["status"]> {
  const next = BILLING_STATUS[status];
  return next === "ready" && (await hasPastDueInvoice(tx, project)) ? "past_due" : next;
}

function throwIfCardNumber({ paymentMethodId, returnUrl }: AttachPaymentMethod): void {
  const fields = [
    { pointer: METHOD, text: paymentMethodId },
    { pointer: "/body/return_url", text: returnUrl ?? "" },
  ];
  const rejected = fields.find(({ text }) => containsCardNumber(text));
  if (rejected === undefined) return;
  throw invalidField(rejected.pointer, "card_number", "must not contain a card number");
}

/** Returns the project and its customer. A new customer is stored before a payment method is attached to it. */
async function requireBilling(
  app: BillingApp,
  { actor, key }: Pick<AttachPaymentMethod, "actor" | "key">,
): Promise<{ readonly project: Project; readonly billing: Billing }> {
  const project = requireActive(await getProjectRow(app.db, key));
  const existing = await billingRows.find(app.db, project);
  if (existing !== undefined) return { project, billing: existing };

  const customerId = await callProcessor(() => createCustomer(app, project), null);
  const billing = await withTransaction(app.db, key.tenantId, async (tx) => {
    requireActive(await lockProject(tx, key));
    await saveCustomer(tx, app, actor, { project, customerId });
    return billingRows.find(tx, project);
  });
  invariant(billing !== undefined, "the customer was just saved");
  return { project, billing };
}

function requireActive(project: Project): Project {
  if (project.status === "active") return project;
  const detail = `The project is ${project.status}. Payment methods can be attached to active projects only.`;
  throw new AppError("conflict", { detail });
}

interface Attempt {
  readonly project: Project;
  readonly billing: Billing;
  readonly command: AttachPaymentMethod;
}

interface Attached {
  readonly method: PaymentMethod;
  readonly setup: PaymentSetup;
}

async function attachAndSetUp(app: BillingApp, attempt: Attempt): Promise<Attached> {
  const { project, billing } = attempt;
  try {
    const attached = await runProcessorCalls(app.billing[project.mode], attempt);
    if (attached.setup.status !== "requires_payment_method") return attached;
    throw invalidField(METHOD, "declined", "was declined by the payment processor");
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_error") {
      // A retry with the same idempotency keys would get the same rejection. Changing `updatedAt` changes the keys.
      await withTransaction(app.db, billing.tenantId, (tx) =>
        billingRows.update(tx, billing, { updatedAt: app.clock.now() }),
      );
    }
    throw error;
  }
}

async function runProcessorCalls(
  processor: BillingProcessor,
  { project, billing, command }: Attempt,
): Promise<Attached> {
  const { customerId, updatedAt } = billing;
  const { paymentMethodId: requestedId, returnUrl, setDefault } = command;
  // The idempotency keys contain `updatedAt`, which changes when an outcome is stored. Until then, retries use the same
  // keys.
  const attempt = [requestedId, returnUrl ?? "", updatedAt.toISOString()].join(" ");
  const keyOf = (effect: string) => vendorIdempotencyKey(project.projectId, `${effect} ${attempt}`);

  const method = await callProcessor(
    () =>
      processor.attachPaymentMethod({
        customerId,
        paymentMethodId: requestedId,
        idempotencyKey: keyOf("attach"),
      }),
    METHOD,
  );
  const { paymentMethodId } = method;
  const setup = await callProcessor(
    () =>
      processor.setUpPaymentMethod({
        customerId,
        paymentMethodId,
        returnUrl,
        idempotencyKey: keyOf("set up"),
      }),
    METHOD,
  );
  if (setDefault && setup.status !== "requires_payment_method") {
    const choice = { customerId, paymentMethodId, idempotencyKey: keyOf("default") };
    await callProcessor(() => processor.setDefaultPaymentMethod(choice), null);
  }
  return { method, setup };
}

function presentMethod({ paymentMethodId, type, card }: PaymentMethod): PaymentMethodSummary {
  if (card === null) return { id: paymentMethodId, type };
  const { brand, last4, expiryMonth, expiryYear } = card;
  return { id: paymentMethodId, type, brand, last4, exp_month: expiryMonth, exp_year: expiryYear };
}
