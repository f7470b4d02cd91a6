import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";

/**
 * Returns the custom URLs that a developer can set, each mapped to the base URL that is called. Custom URLs are
 * compared as text and not parsed, because two parsers can interpret the same URL differently. `prefix` is a path such
 * as `/v1` that a custom URL can include.
 */
export function allowedVendorUrls(
  urls: readonly string[],
  prefix: "" | `/${string}` = "",
): ReadonlyMap<string, string> {
  const endings = new Set(["", "/", prefix, `${prefix}/`]);
  return new Map(urls.flatMap((url) => [...endings].map((ending) => [url + ending, url] as const)));
}

/** Returns the base URL to call: `fallback` if there is no custom URL, undefined if the custom URL is not allowed. */
export function resolveVendorUrl(
  customUrl: ProviderCredentials[string] | undefined,
  urls: ReadonlyMap<string, string>,
  fallback: string,
): string | undefined {
  if (customUrl === undefined) return fallback;
  return typeof customUrl === "string" ? urls.get(customUrl) : undefined;
}
