import type { App } from "../../app.ts";
import type { AssertStillOwned } from "../../durable/durable-execution.ts";
import { requireProvider } from "../../modules/links/link-rules.ts";
import { openProviderAccess } from "../../modules/links/open-provider-access.ts";
import { type SealedEnv, saveCredentials, saveResource } from "../../modules/services/provisioning/add-steps.ts";
import {
  FIRST_CREDENTIAL,
  type ProvisioningContext,
} from "../../modules/services/provisioning/provisioning-context.ts";
import { isResourceOfOther } from "../../modules/services/queries.ts";
import { openServicePassword } from "../../modules/services/service-secrets.ts";
import { callVendor, SagaFailure } from "../../operations/call-vendor.ts";
import { createResourceOnce } from "../../operations/create-resource-once.ts";
import type { Commit, SagaRun } from "../../operations/saga.ts";
import { waitUntilReady } from "../../operations/wait-until-ready.ts";
import type { ProviderResource } from "../../ports/service-provider.ts";
import { sealEnv } from "./store-credentials.ts";

const STEP = "provider_provisioning";

/**
 * Creates the resource at the provider, or uses the existing one that the request specifies, and waits until it is
 * ready.
 */
export async function provision(run: SagaRun<ProvisioningContext>, commit: Commit<ProvisioningContext>): Promise<void> {
  const { app, state: provisioning } = run;
  const created = await callVendor(run, STEP, (assertStillOwned) => createOrFind(run, assertStillOwned));
  const { resourceId } = await waitUntilReady<Ready>(run, STEP, {
    first: created,
    look: () => inspect(app, provisioning, created.resourceId),
    save: (tx, id) => saveResource(tx, app, provisioning, id),
    what: `The resource at ${provisioning.provider}`,
  });
  const env = created.status === "ready" ? created.env : undefined;
  await commit(async (tx) => {
    // The names of variables are fixed with the project locked, which every transaction locks before a service.
    if (env !== undefined) await saveCredentials(tx, app, provisioning, env);
    await saveResource(tx, app, provisioning, resourceId);
    return { resourceId };
  });
}

/** A resource without its credentials, and the encrypted credentials if the provider shows them only at creation. */
type Created = Exclude<ProviderResource, { readonly status: "ready" }> | Ready;

interface Ready {
  readonly status: "ready";
  readonly resourceId: string;
  readonly env?: SealedEnv;
}

/** Returns the resource as it can be stored in a checkpoint. */
async function createOrFind(run: SagaRun<ProvisioningContext>, assertStillOwned: AssertStillOwned): Promise<Created> {
  const resource = await createOrFindOpen(run, assertStillOwned);
  if (resource.status !== "ready") return resource;
  const { env, ...ready } = resource;
  return env === undefined ? ready : { ...ready, env: await sealEnv(run.app, run.state, env) };
}

async function createOrFindOpen(
  run: SagaRun<ProvisioningContext>,
  assertStillOwned: AssertStillOwned,
): Promise<ProviderResource> {
  const { app, state: provisioning } = run;
  const provider = requireProvider(app, provisioning.provider);
  const { existingResourceId, resourceName, service, plan, region, config } = provisioning;
  const access = await openProviderAccess(app, provisioning);
  if (existingResourceId !== null) return provider.inspect(access, existingResourceId);
  const password = await openServicePassword(app, provider, provisioning, FIRST_CREDENTIAL);
  const order = { resourceName, service, plan, region, config, password };
  const resource = await createResourceOnce(run, assertStillOwned, {
    vendor: provisioning.provider,
    find: () => provider.find(access, resourceName),
    create: () => provider.provision(access, order),
  });
  const { resourceId } = resource;
  if (await isResourceOfOther(app.db, { ...provisioning, resourceId })) {
    const detail = `The resource at ${provisioning.provider} has the id of another service's resource.`;
    throw new SagaFailure({ code: "provider_error", detail });
  }
  return resource;
}

async function inspect(app: App, provisioning: ProvisioningContext, resourceId: string): Promise<Created> {
  const access = await openProviderAccess(app, provisioning);
  const resource = await requireProvider(app, provisioning.provider).inspect(access, resourceId);
  // `inspect` returns no credentials. Whatever it returns is stored, so they are removed here too.
  return resource.status === "ready" ? { status: "ready", resourceId } : resource;
}
