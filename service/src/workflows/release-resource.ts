import type { App } from "../app.ts";
import type { LinkId, TenantId } from "../foundation/ids.ts";
import { openProviderAccess, requireProvider } from "../modules/projects/index.ts";

/** More than one is rare. The limit is for a provider that still lists deleted resources. */
const RESOURCES_MAX = 5;

/**
 * Deletes a service's resource at its provider. Looks for it by name, because its id may be unknown. Idempotent: an
 * absent resource is no error.
 */
export async function releaseResource(
  app: App,
  {
    tenantId,
    provider: name,
    linkId,
    resourceName,
    resourceId = null,
  }: {
    readonly tenantId: TenantId;
    readonly provider: string;
    readonly linkId: LinkId;
    readonly resourceName: string;
    readonly resourceId?: string | null;
  },
): Promise<null> {
  const provider = requireProvider(app, name);
  const access = await openProviderAccess(app, { tenantId, linkId });
  const find = async () => (await provider.find(access, resourceName))?.resourceId;
  let next = resourceId ?? (await find());
  // A create call without an answer may have been carried out twice.
  for (let deleted = 0; next !== undefined && deleted < RESOURCES_MAX; deleted += 1) {
    await provider.deprovision(access, next);
    next = await find();
  }
  return null;
}
