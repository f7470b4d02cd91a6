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
  const { tenantId, projectId, projectName: name, mode, payment } = addition;
  const customerId =
    payment?.customerId ??
    (await askVendor(run, `${STEP}: customer`, () =>
      createCustomer(app, { tenantId, projectId, mode, name }),
    ));
  const openSetupIntentId = payment?.openSetupIntentId ?? null;
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
