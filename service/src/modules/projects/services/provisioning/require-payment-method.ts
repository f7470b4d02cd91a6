import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { saveCustomer } from "../../billing/customer.ts";
import { completeSetup } from "../../billing/payment-setup.ts";
import { findBilling } from "../../billing/queries.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/**
 * Stores the ID of the project's customer at the payment processor. Then throws `payment_method_required` if the
 * project has no payment method that can be charged, or has not paid an invoice. The ID is stored even if this function throws, because a saga
 * commits the transaction of a rejected step.
 */
export async function requirePaymentMethod(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  {
    provisioning: { tenantId, projectId },
    customerId,
    succeededSetupId,
  }: {
    readonly provisioning: Pick<ProvisioningContext, "tenantId" | "projectId">;
    readonly customerId: string;
    /** The ID of the payment setup that the processor has reported as succeeded, or null. */
    readonly succeededSetupId: string | null;
  },
): Promise<void> {
  const project = { tenantId, projectId };
  const updatedAt = app.clock.now();
  await saveCustomer(tx, app, actor, { project, customerId });
  if (succeededSetupId !== null) {
    await completeSetup(tx, actor, { project, setupIntentId: succeededSetupId, at: updatedAt });
  }
  const billing = await findBilling(tx, project);
  if (billing?.status === "ready") return;
  if (billing?.status === "past_due") {
    const detail = `This plan costs money, and an invoice of the project could not be paid. Attach another payment method to pay it: POST /projects/${projectId}/billing/payment-methods.`;
    throw new AppError("payment_method_required", { detail });
  }
  const detail = `This plan requires a payment method, and the project has none that can be charged. Attach one first: POST /projects/${projectId}/billing/payment-methods.`;
  throw new AppError("payment_method_required", { detail });
}
