import type { App } from "../app.ts";
import type { LinkId, TenantId } from "../foundation/ids.ts";
import { openProviderAccess } from "../modules/projects/index.ts";
import { providerOf } from "./provider-of.ts";

/**
 * Destroys a service's resource at its provider, whether or not we were ever told its id: it is looked for by its name. One
 * that is not there is done. May be made any number of times.
 */
export async function releaseResource(
  app: App,
  { tenantId }: { readonly tenantId: TenantId },
  {
    provider: name,
    linkId,
    resourceName,
    resourceId = null,
  }: {
    readonly provider: string;
    readonly linkId: LinkId;
    readonly resourceName: string;
    readonly resourceId?: string | null;
  },
): Promise<null> {
  const provider = providerOf(app, name);
  const access = await openProviderAccess(app, { tenantId, linkId });
  const known = resourceId ?? (await provider.find(access, resourceName))?.resourceId;
  if (known !== undefined) await provider.deprovision(access, known);
  return null;
}
