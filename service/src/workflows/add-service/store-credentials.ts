import type { App } from "../../app.ts";
import { invariant } from "../../foundation/invariant.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import { hasCredentials, type SealedEnv, saveCredentials } from "../../modules/services/provisioning/add-steps.ts";
import {
  FIRST_CREDENTIAL,
  type ProvisioningContext,
} from "../../modules/services/provisioning/provisioning-context.ts";
import { sealServiceEnv, serviceEnvProblem } from "../../modules/services/service-env.ts";
import { openServicePassword } from "../../modules/services/service-secrets.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import type { ProviderEnv } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/vault.ts";

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
  const password = await openServicePassword(app, provider, provisioning, FIRST_CREDENTIAL);
  const env = await provider.readEnv(access, { resourceId, config, password });
  return sealEnv(app, provisioning, env);
}

/**
 * Encrypts a service's variables, so that a workflow step can return them. Throws VendorError `refused` if they cannot be
 * stored.
 */
export async function sealEnv(app: App, provisioning: ProvisioningContext, env: ProviderEnv): Promise<SealedEnv> {
  const { tenantId, serviceId, provider } = provisioning;
  const problem = serviceEnvProblem(provisioning, env);
  if (problem !== undefined) {
    throw new VendorError("refused", {
      vendor: provider,
      operation: "readEnv",
      vendorMessage: problem,
    });
  }
  const vault = await openVault(app, tenantId);
  const sealed = sealServiceEnv(vault, { serviceId, version: FIRST_CREDENTIAL }, env);
  return { sealed: sealed.toString("base64"), names: Object.keys(env).sort() };
}
