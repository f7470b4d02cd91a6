import type { Db } from "../../db/database.ts";
import { rowsWhere } from "../../db/where.ts";
import type { CatalogProvider } from "./catalog.ts";

/** Returns the last valid catalog entry of a configured provider, as it was stored. It has not been checked again. */
export async function findProviderCatalog(db: Db, provider: string): Promise<unknown> {
  const found = await rowsWhere(db, "providerCatalogs", { provider }).select("entry").executeTakeFirst();
  return found?.entry;
}

export async function saveProviderCatalog(
  db: Db,
  { entry, readAt }: { readonly entry: CatalogProvider; readonly readAt: Date },
): Promise<void> {
  const values = { entry: JSON.stringify(entry), readAt };
  await db
    .insertInto("providerCatalogs")
    .values({ provider: entry.provider, ...values })
    .onConflict((conflict) => conflict.column("provider").doUpdateSet(values))
    .execute();
}
