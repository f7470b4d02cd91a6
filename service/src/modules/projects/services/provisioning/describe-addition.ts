import type { Tx } from "../../../../db/database.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import { findCatalogProvider } from "../../catalog.ts";
import { getProjectRow } from "../../queries.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/** Returns the categories of the service's provider. */
export function categoriesOf(provisioning: Pick<ProvisioningContext, "provider">): readonly string[] {
  return catalogProvider(provisioning).categories;
}

/** Returns the names that a person knows. */
export async function readNames(
  tx: Tx,
  provisioning: Pick<ProvisioningContext, "tenantId" | "mode" | "projectId" | "provider">,
): Promise<{ readonly providerName: string; readonly projectName: string }> {
  const project = await getProjectRow(tx, { ...provisioning, agentIds: [], projectIds: [] });
  return { providerName: catalogProvider(provisioning).display_name, projectName: project.name };
}

function catalogProvider({ provider }: Pick<ProvisioningContext, "provider">) {
  const entry = findCatalogProvider(provider);
  invariant(entry !== undefined, "the catalog contains the provider of a service");
  return entry;
}
