import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";

/**
 * The addresses that a developer may give for a vendor's own, each led to the one that is called. They are looked up letter
 * by letter: what is never parsed cannot be read as one address here and as another by whatever opens the connection.
 * `prefix` is what the vendor's own clients add to the host (`/v1`), with which an address may be given too.
 */
export function allowedVendorUrls(
  addresses: readonly string[],
  prefix: "" | `/${string}` = "",
): ReadonlyMap<string, string> {
  const endings = new Set(["", "/", prefix, `${prefix}/`]);
  return new Map(
    addresses.flatMap((address) =>
      [...endings].map((ending) => [address + ending, address] as const),
    ),
  );
}

/** Where to call: `fallback` where the credentials do not say, undefined where they name what is not the vendor's. */
export function addressOf(
  given: ProviderCredentials[string] | undefined,
  addresses: ReadonlyMap<string, string>,
  fallback: string,
): string | undefined {
  if (given === undefined) return fallback;
  return typeof given === "string" ? addresses.get(given) : undefined;
}
