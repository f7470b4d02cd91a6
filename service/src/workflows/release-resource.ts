import type { App } from "../app.ts";
import type { LinkId, TenantId } from "../foundation/ids.ts";
import { openProviderAccess, requireProvider } from "../modules/projects/index.ts";

/** More than one is rare. The bound is for a provider that still lists what it has destroyed. */
const MADE_MAX = 5;

/**
 * Destroys a service's resource at its provider, whether or not we were ever told its id: it is looked for by its name. One
 * that is not there is done. May be made any number of times.
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
  // An order whose answer was lost may have been carried out twice, and the second one found by nobody until now.
  for (let made = 0; next !== undefined && made < MADE_MAX; made += 1) {
    await provider.deprovision(access, next);
    next = await find();
  }
  return null;
}
