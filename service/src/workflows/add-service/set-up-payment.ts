import { invariant } from "../../foundation/invariant.ts";
import { createCustomer } from "../../modules/charges/billing/payment-setup.ts";
import { requirePaymentMethod } from "../../modules/services/provisioning/add-steps.ts";
import type { ProvisioningContext } from "../../modules/services/provisioning/provisioning-context.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";

const STEP = "payment_setup";

/**
 * Creates the customer at the payment processor if it does not exist, and fails unless there is a payment method that
 * can be charged.
 */
export async function setUpPayment(
  run: SagaRun<Pick<ProvisioningContext, "tenantId" | "projectId" | "mode" | "payment">>,
  commit: Commit<object>,
): Promise<void> {
  const { app, actor, state: provisioning } = run;
  const { tenantId, projectId, mode, payment } = provisioning;
  invariant(payment !== null, "payment is set up only if the plan requires it");
  const { projectName: name, openSetupIntentId } = payment;
  const customerId =
    payment.customerId ??
    (await callVendor(run, `${STEP}: customer`, () => createCustomer(app, { tenantId, projectId, mode, name })));
  const hasFinished =
    openSetupIntentId !== null &&
    (await callVendor(run, `${STEP}: setup`, async () => {
      const { status } = await app.billing[mode].readSetup(openSetupIntentId);
      return status === "succeeded";
    }));
  const succeededSetupId = hasFinished ? openSetupIntentId : null;
  await commit(async (tx) => {
    await requirePaymentMethod(tx, app, actor, { provisioning, customerId, succeededSetupId });
    return {};
  });
}
