import type { App } from "../../app.ts";
import {
  FIRST_CREDENTIAL,
  type ProvisioningContext,
  type SealedEnv,
  sealServiceEnv,
  serviceEnvProblem,
} from "../../modules/projects/index.ts";
import type { ProviderEnv } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/open-vault.ts";

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
