import type { App } from "../../app.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  hasCredentials,
  openProviderAccess,
  type ProvisioningContext,
  requireProvider,
  type SealedEnv,
  saveCredentials,
} from "../../modules/projects/index.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { passwordFor } from "../password-for.ts";
import { sealEnv } from "./seal-env.ts";

/**
 * Reads the resource's credentials and stores them, unless the provider has already shown them. The step's result is
 * encrypted, because the workflow engine stores it.
 */
export async function storeCredentials(
  run: SagaRun<ProvisioningContext>,
  commit: Commit<ProvisioningContext>,
): Promise<void> {
  const { app, state: provisioning } = run;
  const env = await callVendor(run, "credential_storage: read", () => readSealed(app, provisioning));
  await commit(async (tx) => {
    if (env !== null) await saveCredentials(tx, app, provisioning, env);
    return {};
  });
}

async function readSealed(app: App, provisioning: ProvisioningContext): Promise<SealedEnv | null> {
  const { resourceId, config } = provisioning;
  invariant(resourceId !== null, "credentials are read after the resource was provisioned");
  if (await hasCredentials(app, provisioning)) return null;
  const provider = requireProvider(app, provisioning.provider);
  const access = await openProviderAccess(app, provisioning);
  const password = await passwordFor(app, provider, provisioning);
  const env = await provider.readEnv(access, { resourceId, config, password });
  return sealEnv(app, provisioning, env);
}
