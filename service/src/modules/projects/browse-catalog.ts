import type { App } from "../../app.ts";
import { type CatalogProvider, catalogOf } from "./catalog.ts";

export interface BrowseCatalog {
  /** Words to look for in names, categories, services and their descriptions, whatever the case. */
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  readonly provider?: string | undefined;
  /** The last provider of the page before. Undefined: from the first on. */
  readonly afterProvider?: string | undefined;
  readonly limit: number;
}

/** The catalog's version, one page of the providers that match all that is asked, by id, and whether there are more. */
export function browseCatalog(
  app: Pick<App, "settings">,
  { q, category, provider, afterProvider = "", limit }: BrowseCatalog,
): {
  readonly version: string;
  readonly providers: readonly CatalogProvider[];
  readonly hasMore: boolean;
} {
  const catalog = catalogOf(app);
  const matching = catalog.providers.filter(
    (entry) =>
      entry.provider > afterProvider &&
      (provider === undefined || entry.provider === provider) &&
      (category === undefined || entry.categories.includes(category)) &&
      (q === undefined || wordsOf(entry).includes(q.toLowerCase())),
  );
  return {
    version: catalog.catalog_version,
    providers: matching.slice(0, limit),
    hasMore: matching.length > limit,
  };
}

function wordsOf({ provider, display_name, categories, services }: CatalogProvider): string {
  const ofServices = services.flatMap(({ service, description }) => [service, description]);
  return [provider, display_name, ...categories, ...ofServices].join("\n").toLowerCase();
}
