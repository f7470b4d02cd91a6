import type { App } from "../../app.ts";
import { redactedMessage } from "../../foundation/redact.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { CATALOG_VERSION, type CatalogProvider, catalogOf, findCatalogProvider, offerConfigured } from "./catalog.ts";
import { providerCatalogRows, saveProviderCatalog } from "./queries.ts";

interface BrowseCatalog {
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

type CatalogApp = Pick<App, "db" | "clock" | "log" | "providers">;

/**
 * Reads the entries of the configured providers from the providers, and stores them. If a provider does not respond, or its
 * entry is invalid, its last valid entry is offered as `degraded`. Every process runs this, because each has its own
 * catalog.
 */
export async function refreshCatalogs(app: CatalogApp): Promise<void> {
  for (const provider of app.providers.values()) {
    if (provider.readCatalog !== undefined) await refresh(app, provider, provider.readCatalog);
  }
}

/** Offers the stored entries of the configured providers, so that a process knows them before it reads newer ones. */
export async function loadCatalogs(app: CatalogApp): Promise<void> {
  for (const provider of app.providers.values()) {
    if (provider.readCatalog !== undefined) await offerLast(app, provider);
  }
}

async function refresh(app: CatalogApp, provider: ServiceProvider, readCatalog: () => Promise<object>): Promise<void> {
  try {
    const entry = offerConfigured(provider, await readCatalog());
    await saveProviderCatalog(app.db, entry, app.clock.now());
  } catch (error) {
    warn(app, provider, error, "the catalog of a provider was not read");
    await offerLast(app, provider);
  }
}

/** Offers nothing if the stored entry is invalid for this version, so that the start and other providers do not fail. */
async function offerLast(app: CatalogApp, provider: ServiceProvider): Promise<void> {
  const { provider: name } = provider;
  const last = findCatalogProvider(name) ?? (await providerCatalogRows.find(app.db, { provider: name }))?.entry;
  if (last === undefined) return;
  try {
    offerConfigured(provider, Object.assign({}, last, { health: "degraded" }));
  } catch (error) {
    warn(app, provider, error, "the stored catalog of a provider is invalid");
  }
}

function warn({ log }: CatalogApp, { provider }: ServiceProvider, error: unknown, text: string): void {
  const failure = error instanceof VendorError ? error.failure : "invalid";
  log.warn({ provider, failure, message: redactedMessage(error) }, text);
}
