import { invariant } from "../../foundation/invariant.ts";
import {
  type Addition,
  createCustomer,
  requirePaymentMethod,
} from "../../modules/projects/index.ts";
import { askVendor } from "../../operations/ask-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";

const STEP = "payment_setup";

/** Makes sure of a customer at the payment processor, and of a payment method that may be charged. */
export async function setUpPayment(
  run: SagaRun<Addition>,
  commit: Commit<Addition>,
): Promise<void> {
  const { app, actor, state: addition } = run;
  const { tenantId, projectId, mode, payment } = addition;
  invariant(payment !== null, "a payment is set up where the plan asks for one");
  const { projectName: name, openSetupIntentId } = payment;
  const customerId =
    payment.customerId ??
    (await askVendor(run, `${STEP}: customer`, () =>
      createCustomer(app, { tenantId, projectId, mode, name }),
    ));
  const hasFinished =
    openSetupIntentId !== null &&
    (await askVendor(run, `${STEP}: setup`, async () => {
      const { status } = await app.billing[mode].readSetup(openSetupIntentId);
      return status === "succeeded";
    }));
  const succeededSetupId = hasFinished ? openSetupIntentId : null;
  await commit(async (tx) => {
    await requirePaymentMethod(tx, app, actor, { addition, customerId, succeededSetupId });
    return {};
  });
}
