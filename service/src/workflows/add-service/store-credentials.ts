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

/** Reads what a program needs to use the resource, and keeps it. It leaves the reading sealed: a step's result is stored. */
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
  invariant(resourceId !== null, "a resource is read after it was provisioned");
  const provider = requireProvider(app, provisioning.provider);
  const access = await openProviderAccess(app, provisioning);
  const password = await passwordFor(app, provider, provisioning);
  const env = await provider.readEnv(access, { resourceId, config, password });
  const flaw = serviceEnvProblem(provisioning, env);
  if (flaw !== undefined) {
    throw new VendorError("refused", {
      vendor: provisioning.provider,
      operation: "readEnv",
      vendorMessage: flaw,
    });
  }
  const vault = await openVault(app, tenantId);
  const place = { serviceId: provisioning.serviceId, version: FIRST_CREDENTIAL };
  return sealServiceEnv(vault, place, env).toString("base64");
}
