import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";

/**
 * The URLs that a developer can set, each with the URL that is called. They are compared as text and never parsed, so
 * that no two parsers can disagree about them. `prefix` is the path that the vendor's own clients append (`/v1`); a URL
 * can include it.
 */
export function allowedVendorUrls(
  urls: readonly string[],
  prefix: "" | `/${string}` = "",
): ReadonlyMap<string, string> {
  const endings = new Set(["", "/", prefix, `${prefix}/`]);
  return new Map(urls.flatMap((url) => [...endings].map((ending) => [url + ending, url] as const)));
}

/** The URL to call: `fallback` if the credentials have none, undefined if it is not one of the vendor's. */
export function resolveVendorUrl(
  customUrl: ProviderCredentials[string] | undefined,
  urls: ReadonlyMap<string, string>,
  fallback: string,
): string | undefined {
  if (customUrl === undefined) return fallback;
  return typeof customUrl === "string" ? urls.get(customUrl) : undefined;
}
