import type { App } from "../../app.ts";
import { CATALOG_VERSION, type CatalogProvider, catalogOf } from "./catalog.ts";

export interface BrowseCatalog {
  /** Case-insensitive search text for names, categories, services and descriptions. */
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  readonly provider?: string | undefined;
  /** The last provider on the previous page, or undefined for the first page. */
  readonly afterProvider?: string | undefined;
  readonly limit: number;
}

/** Returns the catalog's version and one page of the providers that match all filters, sorted by id. */
export function browseCatalog(
  app: Pick<App, "providers">,
  { q, category, provider, afterProvider = "", limit }: BrowseCatalog,
): {
  readonly version: string;
  readonly providers: readonly CatalogProvider[];
  readonly hasMore: boolean;
} {
  const matching = catalogOf(app).filter(
    (entry) =>
      entry.provider > afterProvider &&
      (provider === undefined || entry.provider === provider) &&
      (category === undefined || entry.categories.includes(category)) &&
      (q === undefined || searchTextOf(entry).includes(q.toLowerCase())),
  );
  return {
    version: CATALOG_VERSION,
    providers: matching.slice(0, limit),
    hasMore: matching.length > limit,
  };
}

function searchTextOf({ provider, display_name, categories, services }: CatalogProvider): string {
  const serviceTexts = services.flatMap(({ service, description }) => [service, description]);
  return [provider, display_name, ...categories, ...serviceTexts].join("\n").toLowerCase();
}
