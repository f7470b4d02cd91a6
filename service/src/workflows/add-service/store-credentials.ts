import type { App } from "../../app.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  FIRST_CREDENTIAL,
  openProviderAccess,
  type ProvisioningContext,
  requireProvider,
  saveCredentials,
  sealServiceEnv,
  serviceEnvProblem,
} from "../../modules/projects/index.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/open-vault.ts";
import { passwordFor } from "../password-for.ts";

/**
 * Reads the resource's credentials and stores them. The step's result is encrypted, because the workflow engine stores
 * it.
 */
export async function storeCredentials(
  run: SagaRun<ProvisioningContext>,
  commit: Commit<ProvisioningContext>,
): Promise<void> {
  const { app, state: provisioning } = run;
  const sealed = await callVendor(run, "credential_storage: read", () =>
    readSealed(app, provisioning),
  );
  await commit(async (tx) => {
    await saveCredentials(tx, app, provisioning, Buffer.from(sealed, "base64"));
    return {};
  });
}

async function readSealed(app: App, provisioning: ProvisioningContext): Promise<string> {
  const { tenantId, resourceId, config } = provisioning;
  invariant(resourceId !== null, "credentials are read after the resource was provisioned");
  const provider = requireProvider(app, provisioning.provider);
  const access = await openProviderAccess(app, provisioning);
  const password = await passwordFor(app, provider, provisioning);
  const env = await provider.readEnv(access, { resourceId, config, password });
  const problem = serviceEnvProblem(provisioning, env);
  if (problem !== undefined) {
    throw new VendorError("refused", {
      vendor: provisioning.provider,
      operation: "readEnv",
      vendorMessage: problem,
    });
  }
  const vault = await openVault(app, tenantId);
  const credential = { serviceId: provisioning.serviceId, version: FIRST_CREDENTIAL };
  return sealServiceEnv(vault, credential, env).toString("base64");
}
