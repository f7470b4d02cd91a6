import {
  type Addition,
  createCustomer,
  passPayment,
  readPayment,
  skipPayment,
} from "../../modules/projects/index.ts";
import { askVendor, type Saga, SagaFailure } from "../../operations/ask-vendor.ts";

const STEP = "payment_setup";

/** Makes sure of a customer at the payment processor, and of a payment method that may be charged. Plans that ask for no payment method need neither. */
export async function setUpPayment(saga: Saga, addition: Addition): Promise<void> {
  const { app, context, key } = saga;
  if (!addition.needsPayment) {
    await context.transaction(STEP, (tx) => skipPayment(tx, app, key));
    return;
  }
  const known = await context.transaction(`${STEP}: look`, (tx) => readPayment(tx, key, addition));
  const customerId =
    known.customerId ??
    (await askVendor(saga, `${STEP}: customer`, () => newCustomer(saga, addition)));
  const { openSetupIntentId } = known;
  const hasFinished =
    openSetupIntentId !== null &&
    (await askVendor(saga, `${STEP}: setup`, () =>
      hasSucceeded(saga, addition, openSetupIntentId),
    ));
  const succeededSetupId = hasFinished ? openSetupIntentId : null;
  const { refused } = await context.transaction(STEP, (tx) =>
    passPayment(tx, app, key, { addition, customerId, succeededSetupId }),
  );
  if (refused !== null) throw new SagaFailure(refused);
}

function newCustomer({ app, key }: Saga, addition: Addition): Promise<string> {
  const { projectId, projectName: name, mode } = addition;
  return createCustomer(app, { tenantId: key.tenantId, projectId, mode, name });
}

async function hasSucceeded(
  { app }: Saga,
  { mode }: Addition,
  setupIntentId: string,
): Promise<boolean> {
  const { status } = await app.billing[mode].readSetup(setupIntentId);
  return status === "succeeded";
}
