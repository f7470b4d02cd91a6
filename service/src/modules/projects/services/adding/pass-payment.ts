import type { App } from "../../../../app.ts";
import { appendAuditEntry } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { actorOfOperation, passStep } from "../../../../operations/track-operation.ts";
import { keepCustomer } from "../../billing/keep-customer.ts";
import { findBilling, finishSetup } from "../../billing/queries.ts";
import type { Addition } from "./addition.ts";
import { PASSED, refusedFor, type StepVerdict } from "./verdict.ts";

export interface KnownPayment {
  readonly customerId: string | null;
  /** A setup that waited for its owner when it was last looked at. */
  readonly openSetupIntentId: string | null;
}

/** Nothing is to be paid: the processor is not asked. */
export async function skipPayment(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
): Promise<null> {
  await passStep(tx, app, key, {
    step: "payment_setup",
    as: "skipped",
    next: "provider_provisioning",
  });
  return null;
}

export async function readPayment(
  tx: Tx,
  key: OperationKey,
  { projectId }: Pick<Addition, "projectId">,
): Promise<KnownPayment> {
  const billing = await findBilling(tx, { tenantId: key.tenantId, projectId });
  return {
    customerId: billing?.customerId ?? null,
    openSetupIntentId: billing?.status === "requires_action" ? billing.setupIntentId : null,
  };
}

/** The project has a customer, and a payment method that can be charged. Keeps the customer either way. */
export async function passPayment(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  {
    addition: { projectId },
    customerId,
    succeededSetupId,
  }: {
    readonly addition: Pick<Addition, "projectId">;
    readonly customerId: string;
    /** The setup that the processor calls finished. Null: none was waited for, or it still waits. */
    readonly succeededSetupId: string | null;
  },
): Promise<StepVerdict> {
  const place = { tenantId: key.tenantId, projectId };
  const updatedAt = app.clock.now();
  const actor = await actorOfOperation(tx, key);
  await keepCustomer(tx, app, actor, { project: place, customerId });
  // Another method may have been attached since the processor was asked: its setup is another one.
  const isReady =
    succeededSetupId !== null &&
    (await finishSetup(tx, place, { setupIntentId: succeededSetupId, updatedAt }));
  if (isReady) {
    const subject = { type: "project", id: projectId };
    const facts = { customer_id: customerId };
    const entry = { action: "payment_method.ready", subject, facts, occurredAt: updatedAt };
    await appendAuditEntry(tx, actor, entry);
  }
  const billing = await findBilling(tx, place);
  if (billing?.status !== "ready") {
    const detail = `This plan costs money, and the project has no payment method that can be charged. Attach one first: POST /projects/${projectId}/billing/payment-methods.`;
    return refusedFor("payment_method_required", detail);
  }
  await passStep(tx, app, key, { step: "payment_setup", next: "provider_provisioning" });
  return PASSED;
}
