import type { Db } from "../../db/database.ts";
import { tableOf } from "../../db/table.ts";
import type { CatalogProvider } from "./catalog.ts";

/** The last valid catalog entries of configured providers, as they were stored. They have not been checked again. */
export const providerCatalogRows = tableOf("providerCatalogs", ["provider"]);

export async function saveProviderCatalog(db: Db, entry: CatalogProvider, readAt: Date): Promise<void> {
  const values = { entry: JSON.stringify(entry), readAt };
  await db
    .insertInto("providerCatalogs")
    .values({ provider: entry.provider, ...values })
    .onConflict((conflict) => conflict.column("provider").doUpdateSet(values))
    .execute();
}
