import {
  type Addition,
  flawOf,
  openProviderAccess,
  passCredentialStorage,
  requireProvider,
  sealServiceEnv,
} from "../../modules/projects/index.ts";
import { askVendor, type Saga } from "../../operations/ask-vendor.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openVault } from "../../vault/open-vault.ts";
import { passwordFor } from "../password-for.ts";

const STEP = "credential_storage";

/** Reads what a program needs to use the resource, and keeps it. It leaves the reading sealed: a step's result is stored. */
export async function storeCredentials(
  saga: Saga,
  addition: Addition,
  resourceId: string,
): Promise<void> {
  const { app, context, key } = saga;
  const sealed = await askVendor(saga, `${STEP}: read`, () =>
    readSealed(saga, addition, resourceId),
  );
  const valueSealed = Buffer.from(sealed, "base64");
  await context.transaction(STEP, (tx) =>
    passCredentialStorage(tx, app, key, { addition, valueSealed }),
  );
}

async function readSealed(
  { app, key }: Saga,
  addition: Addition,
  resourceId: string,
): Promise<string> {
  const { tenantId } = key;
  const { linkId, config } = addition;
  const provider = requireProvider(app, addition.provider);
  const access = await openProviderAccess(app, { tenantId, linkId });
  const password = await passwordFor(app, provider, { ...addition, tenantId });
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
  const place = { serviceId: addition.serviceId, version: 1 };
  return sealServiceEnv(vault, place, env).toString("base64");
}
