import type { App } from "../app.ts";
import { requireProvider } from "../modules/links/link-rules.ts";
import { openProviderAccess } from "../modules/links/open-provider-access.ts";
import { isResourceOfOther } from "../modules/services/queries.ts";
import type { Removal } from "../modules/services/remove-service.ts";
import { callVendor } from "../operations/call-vendor.ts";
import type { SagaRun } from "../operations/saga.ts";
import { retireFormerCredential } from "./rotate-service/retire-credentials.ts";

/**
 * Maximum number of resources that are deleted per service. Without this limit, the deletion would never end if the
 * provider still listed deleted resources.
 */
const RESOURCES_MAX = 5;

/**
 * Deletes a service's resource at its provider. If the resource stays there, ends only the former credential of a rotation,
 * because nothing of Purser does so later.
 */
export async function releaseService(
  run: Pick<SagaRun<unknown>, "app" | "context" | "key">,
  step: string,
  removal: Removal,
): Promise<void> {
  const { stays, former } = removal;
  if (!stays) {
    const release = () => releaseResource(run.app, removal);
    await callVendor(run, step, release, { patience: "long" });
    return;
  }
  if (former !== null) await retireFormerCredential(run, step, former);
}

/**
 * Deletes a service's resource at its provider, and any other resource with the same name. Succeeds if there is no
 * resource. A resource that another service uses stays, although the provider says that it has this name.
 */
export async function releaseResource(
  app: App,
  { tenantId, serviceId, provider: name, linkId, resourceName, resourceId }: Omit<Removal, "stays" | "former">,
): Promise<null> {
  const provider = requireProvider(app, name);
  const access = await openProviderAccess(app, { tenantId, linkId });
  const find = async () => (await provider.find(access, resourceName))?.resourceId;
  let next = resourceId ?? (await find());
  // Two resources can exist if a create call timed out and was repeated.
  for (let deleted = 0; next !== undefined && deleted < RESOURCES_MAX; deleted += 1) {
    const service = { tenantId, serviceId, provider: name };
    if (await isResourceOfOther(app.db, { ...service, resourceId: next })) return null;
    await provider.deprovision(access, next);
    next = await find();
  }
  return null;
}
