import type { App } from "../app.ts";
import {
  type FormerCredential,
  openProviderAccess,
  openStoredEnv,
  requireProvider,
} from "../modules/projects/index.ts";
import { callVendor } from "../operations/call-vendor.ts";
import type { SagaRun } from "../operations/saga.ts";
import { VendorError } from "../ports/vendor-error.ts";
import { isNotFound, noteIfMissing } from "./check-resource.ts";

/** Ends the former credentials at the provider, and checks that the provider refuses them. */
export async function retireFormerCredential(
  run: Pick<SagaRun<unknown>, "app" | "context" | "key">,
  step: string,
  credential: FormerCredential,
): Promise<void> {
  const retireOnce = async () => {
    await retire(run.app, credential);
    return null;
  };
  await callVendor(run, `${step}: retire`, retireOnce, { patience: "long" });
}

/** Does the work of `retireFormerCredential` in one attempt. Throws VendorError. */
export async function retire(app: App, credential: FormerCredential): Promise<void> {
  const { resourceId, config, formerVersion } = credential;
  const access = await openProviderAccess(app, credential);
  const former = await openStoredEnv(app, credential, formerVersion);
  const current = await openStoredEnv(app, credential, formerVersion + 1);
  const provider = requireProvider(app, credential.provider);
  const isAccepted = async () => (await provider.checkEnv?.(former)) ?? false;
  try {
    await provider.retire?.(access, { resourceId, config, former, current });
  } catch (error) {
    if (!isNotFound(error) || (await isAccepted().catch(() => false))) throw error;
    // The resource no longer exists.
    return noteIfMissing(app, provider, access, credential);
  }
  if (!(await isAccepted())) return;
  const vendorMessage = "the former credentials are still accepted";
  throw new VendorError("unavailable", { vendor: credential.provider, operation: "checkEnv", vendorMessage });
}
