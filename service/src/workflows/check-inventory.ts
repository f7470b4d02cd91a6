import type { App } from "../app.ts";
import { tryEach } from "../foundation/try-each.ts";
import {
  openProviderAccess,
  RESOURCE_NAME_PREFIX,
  requireProvider,
  resourcesWithoutService,
  type UncheckedAccount,
  uncheckedAccounts,
} from "../modules/projects/index.ts";
import { VendorError } from "../ports/vendor-error.ts";

/** The most resources of one account that are reported in an hour. */
const REPORTS_MAX = 100;

/**
 * Logs an error for each resource in a linked account that has a service's name but no service. Nothing is deleted: the
 * resource may contain data, and another installation of Purser can use the same account. Checks each account once an
 * hour.
 */
export async function checkInventory(app: App): Promise<void> {
  await tryEach(uncheckedAccounts(app), (account) => checkAccount(app, account));
}

async function checkAccount(app: App, account: UncheckedAccount): Promise<void> {
  if (!(await account.claim())) return;
  const provider = requireProvider(app, account.provider);
  if (provider.list === undefined) return;
  const access = await openProviderAccess(app, account);
  const resources = await provider.list(access, RESOURCE_NAME_PREFIX);
  const found = await resourcesWithoutService(app, resources);
  for (const { resourceId, name } of found.slice(0, REPORTS_MAX)) {
    // The service may have been removed since the resources were listed.
    const isGone = await provider.inspect(access, resourceId).then(
      () => false,
      (error: unknown) => {
        if (error instanceof VendorError && error.failure === "not_found") return true;
        throw error;
      },
    );
    if (isGone) continue;
    const { provider: vendor, linkId, tenantId } = account;
    app.log.error(
      { vendor, resourceId, resourceName: name, linkId, tenantId },
      "resource has no service: operator action required",
    );
  }
}
