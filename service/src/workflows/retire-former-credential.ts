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
  const { app } = run;
  const retireOnce = () => retire(app, credential);
  const { isGone } = await callVendor(run, `${step}: retire`, retireOnce, { patience: "long" });
  if (isGone) return;
  await callVendor(run, `${step}: check`, () => requireRefusal(app, credential), {
    patience: "long",
  });
}

/** Returns whether the resource no longer exists. */
async function retire(app: App, credential: FormerCredential): Promise<{ isGone: boolean }> {
  const { resourceId, config, formerVersion } = credential;
  const access = await openProviderAccess(app, credential);
  const former = await openStoredEnv(app, credential, formerVersion);
  const current = await openStoredEnv(app, credential, formerVersion + 1);
  const credentials = { resourceId, config, former, current };
  const provider = requireProvider(app, credential.provider);
  try {
    await provider.retire?.(access, credentials);
    return { isGone: false };
  } catch (error) {
    if (!isNotFound(error) || (await isAccepted(app, credential).catch(() => false))) throw error;
    await noteIfMissing(app, provider, access, credential);
    return { isGone: true };
  }
}

async function requireRefusal(app: App, credential: FormerCredential): Promise<null> {
  if (!(await isAccepted(app, credential))) return null;
  const vendorMessage = "the former credentials are still accepted";
  const operation = "checkEnv";
  throw new VendorError("unavailable", { vendor: credential.provider, operation, vendorMessage });
}

async function isAccepted(app: App, credential: FormerCredential): Promise<boolean> {
  const { provider, formerVersion } = credential;
  const former = await openStoredEnv(app, credential, formerVersion);
  return (await requireProvider(app, provider).checkEnv?.(former)) ?? false;
}
