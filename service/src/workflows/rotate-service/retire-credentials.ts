import type { App } from "../../app.ts";
import {
  openProviderAccess,
  openStoredEnv,
  type RotationContext,
  requireProvider,
} from "../../modules/projects/index.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";

const STEP = "provider_retirement";

/** Ends the former credentials at the provider, and checks that the provider refuses them. */
export async function retireCredentials(
  run: SagaRun<RotationContext>,
  commit: Commit<RotationContext>,
): Promise<void> {
  const { app, context, state } = run;
  await callVendor(run, `${STEP}: retire`, () => retire(app, state), { patience: "long" });
  await callVendor(run, `${STEP}: check`, () => requireRefusal(app, state), { patience: "long" });
  // The workflows that issued the former credentials have stored them, encrypted.
  await context.call(`${STEP}: forget`, () => deleteProvisioningHistory(app, state));
  await commit(async () => ({}));
}

async function retire(app: App, rotation: RotationContext): Promise<null> {
  const { resourceId, config, formerVersion } = rotation;
  const access = await openProviderAccess(app, rotation);
  const former = await openStoredEnv(app, rotation, formerVersion);
  const current = await openStoredEnv(app, rotation, formerVersion + 1);
  const credentials = { resourceId, config, former, current };
  await requireProvider(app, rotation.provider).retire?.(access, credentials);
  return null;
}

async function requireRefusal(app: App, rotation: RotationContext): Promise<null> {
  const { provider: vendor, formerVersion } = rotation;
  const former = await openStoredEnv(app, rotation, formerVersion);
  const isAccepted = await requireProvider(app, vendor).checkEnv?.(former);
  if (!isAccepted) return null;
  const vendorMessage = "the former credentials are still accepted";
  throw new VendorError("unavailable", { vendor, operation: "checkEnv", vendorMessage });
}
