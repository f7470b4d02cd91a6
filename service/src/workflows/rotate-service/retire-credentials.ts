import type { RotationContext } from "../../modules/projects/index.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { retireFormerCredential } from "../retire-former-credential.ts";

const STEP = "provider_retirement";

/** Ends the former credentials at the provider. */
export async function retireCredentials(run: SagaRun<RotationContext>, commit: Commit<RotationContext>): Promise<void> {
  const { app, context, state } = run;
  await retireFormerCredential(run, STEP, state);
  // The workflows that issued the former credentials have stored them, encrypted.
  await context.call(`${STEP}: forget`, () => deleteProvisioningHistory(app, state));
  await commit(async () => ({}));
}
