import type { App } from "../../app.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  type Addition,
  FIRST_CREDENTIAL,
  flawOf,
  keepCredentials,
  openProviderAccess,
  requireProvider,
  sealServiceEnv,
} from "../../modules/projects/index.ts";
import { askVendor } from "../../operations/ask-vendor.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/open-vault.ts";
import { passwordFor } from "../password-for.ts";

/** Reads what a program needs to use the resource, and keeps it. It leaves the reading sealed: a step's result is stored. */
export async function storeCredentials(
  run: SagaRun<Addition>,
  commit: Commit<Addition>,
): Promise<void> {
  const { app, state: addition } = run;
  const sealed = await askVendor(run, "credential_storage: read", () => readSealed(app, addition));
  await commit(async (tx) => {
    await keepCredentials(tx, app, addition, Buffer.from(sealed, "base64"));
    return {};
  });
}

async function readSealed(app: App, addition: Addition): Promise<string> {
  const { tenantId, resourceId, config } = addition;
  invariant(resourceId !== null, "a resource is read after it was provisioned");
  const provider = requireProvider(app, addition.provider);
  const access = await openProviderAccess(app, addition);
  const password = await passwordFor(app, provider, addition);
  const env = await provider.readEnv(access, { resourceId, config, password });
  const flaw = flawOf(addition, env);
  if (flaw !== undefined) {
    throw new VendorError("refused", {
      vendor: addition.provider,
      operation: "readEnv",
      vendorMessage: flaw,
    });
  }
  const vault = await openVault(app, tenantId);
  const place = { serviceId: addition.serviceId, version: FIRST_CREDENTIAL };
  return sealServiceEnv(vault, place, env).toString("base64");
}
