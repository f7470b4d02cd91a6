import { finishRetirement, type RotationContext } from "../../modules/projects/index.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { retireFormerCredential } from "../retire-former-credential.ts";

const STEP = "provider_retirement";

/** Ends the former credentials at the provider, and deletes them. */
export async function retireCredentials(run: SagaRun<RotationContext>, commit: Commit<RotationContext>): Promise<void> {
  const { app, context, actor, state } = run;
  await retireFormerCredential(run, STEP, state);
  // The workflows that issued the former credentials have stored them, encrypted.
  await context.call(`${STEP}: forget`, () => deleteProvisioningHistory(app, state));
  await commit(async (tx) => {
    await finishRetirement(tx, app, actor, state);
    return {};
  });
}
