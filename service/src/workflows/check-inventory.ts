import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import { itemsOf } from "../db/pages.ts";
import { withTransaction } from "../db/transaction.ts";
import { tryEach } from "../foundation/try-each.ts";
import { requireProvider } from "../modules/links/link-rules.ts";
import { openProviderAccess } from "../modules/links/open-provider-access.ts";
import { claimUncheckedAccount, type Link, uncheckedLinks } from "../modules/links/queries.ts";
import { listServicesOfAccount, type ServiceKey, type ServiceWithResource } from "../modules/services/queries.ts";
import { RESOURCE_NAME_PREFIX, resourcesWithoutService } from "../modules/services/resource-name.ts";
import { recordResourcePresence } from "../modules/services/services.ts";
import type { NamedResource, ProviderAccess, ServiceProvider } from "../ports/service-provider.ts";
import { isFailure, VendorError } from "../ports/vendor-error.ts";

/** Returns whether the provider does not have the resource any more. */
async function isResourceGone(provider: ServiceProvider, access: ProviderAccess, resourceId: string): Promise<boolean> {
  try {
    await provider.inspect(access, resourceId);
    return false;
  } catch (error) {
    if (isFailure(error, "not_found")) return true;
    throw error;
  }
}

/** Asks the provider for a service's resource, and records whether it is missing. */
export async function checkResource(
  app: Pick<App, "db" | "clock">,
  provider: ServiceProvider,
  access: ProviderAccess,
  service: ServiceKey & { readonly resourceId: string },
): Promise<void> {
  const isMissing = await isResourceGone(provider, access, service.resourceId);
  await recordResourcePresence(app, service, isMissing);
}

/** Works like `checkResource`. If the provider does not respond, nothing is recorded, and the hourly check asks again. */
export async function noteIfMissing(...check: Parameters<typeof checkResource>): Promise<void> {
  try {
    await checkResource(...check);
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
  }
}

const CHECK_EVERY_MS = 3_600_000;
/** The most resources of one account that are reported in an hour. */
const REPORTS_MAX = 100;
const SERVICES_PAGE_MAX = 100;

/** A link to an account, and how to call its provider. */
interface OpenAccount {
  readonly account: Link;
  readonly provider: ServiceProvider;
  readonly access: ProviderAccess;
}

/**
 * Compares the resources in each linked account with the services. Checks each account once an hour.
 *
 * Records for each service whether the provider still has its resource. Logs an error for each resource that has a service's
 * name but no service. Nothing is deleted: the resource may contain data, and another installation of Purser can use the
 * same account.
 */
export async function checkInventory(app: App): Promise<void> {
  const at = app.clock.now();
  const before = new Date(at.getTime() - CHECK_EVERY_MS);
  await tryEach(uncheckedLinks(app.db, before, [...app.providers.keys()]), async (link) => {
    // Only one of the links to an account is claimed, and by one process.
    const claim = (tx: Tx) => claimUncheckedAccount(tx, link, { before, at });
    if (await withTransaction(app.db, link.tenantId, claim)) await checkAccount(app, link);
  });
}

async function checkAccount(app: App, account: Link): Promise<void> {
  const provider = requireProvider(app, account.provider);
  const access = await openProviderAccess(app, account);
  const open = { account, provider, access };
  const resources = (await provider.list?.(access, RESOURCE_NAME_PREFIX)) ?? [];
  await tryEach([reportResources, checkServices], (check) => check(app, open, resources));
}

/** Asks for a resource that the list does not contain: an adopted one has another name, and not every provider has a list. */
async function checkServices(
  app: App,
  { account, provider, access }: OpenAccount,
  resources: readonly NamedResource[],
): Promise<void> {
  const listed = new Set(resources.map(({ resourceId }) => resourceId));
  const services = itemsOf<ServiceWithResource>((after) =>
    listServicesOfAccount(app.db, account, { after, limit: SERVICES_PAGE_MAX }),
  );
  await tryEach(services, async (service) => {
    if (!listed.has(service.resourceId)) return checkResource(app, provider, access, service);
    if (service.resourceMissingSince !== null) await recordResourcePresence(app, service, false);
  });
}

async function reportResources(
  app: App,
  { account, provider, access }: OpenAccount,
  resources: readonly NamedResource[],
): Promise<void> {
  const found = await resourcesWithoutService(app, resources);
  for (const { resourceId, name } of found.slice(0, REPORTS_MAX)) {
    // The service may have been removed since the resources were listed.
    if (await isResourceGone(provider, access, resourceId)) continue;
    const { provider: vendor, linkId, tenantId } = account;
    app.log.error(
      { vendor, resourceId, resourceName: name, linkId, tenantId },
      "resource has no service: operator action required",
    );
  }
}
