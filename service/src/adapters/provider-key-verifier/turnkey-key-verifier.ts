import { Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import {
  createKeyCheckClient,
  failed,
  type KeyVerifierOptions,
  keyCheckResultOf,
  secretsOf,
  textOf,
  VERIFIED,
} from "./key-check.ts";
import { readTurnkeyApiKey, type TurnkeyApiKey } from "./turnkey-stamp.ts";
import { allowedVendorUrls, resolveVendorUrl } from "./vendor-url-allowlist.ts";

const VENDOR = "turnkey";
const API_URL = "https://api.turnkey.com";

const WhoamiResponse = Type.Object({ organizationId: Type.String() });

/**
 * Checks a Turnkey API key by reading the organization it belongs to
 * (https://docs.turnkey.com/api-reference/queries/who-am-i). Supports P-256 keys, which are Turnkey's default.
 */
export function createTurnkeyKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const allowedUrls = allowedVendorUrls([API_URL, options.apiUrl.live, options.apiUrl.test]);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult> => {
    const baseUrl = resolveVendorUrl(credentials["base_url"], allowedUrls, options.apiUrl[mode]);
    if (baseUrl === undefined) return failed("base_url is not a Turnkey URL.");
    const organizationId = textOf(credentials, "organization_id");
    if (organizationId === undefined) return failed("organization_id is missing.");
    const key = readKeyPair(credentials);
    if ("status" in key) return key;

    const body = { organizationId };
    const response = await createKeyCheckClient(VENDOR, baseUrl, options).call({
      operation: "PublicApiService_GetWhoami",
      method: "POST",
      path: "/public/v1/query/whoami",
      // The signed text must equal the request body, which the client also serializes with JSON.stringify.
      headers: { "x-stamp": key.stamp(JSON.stringify(body)) },
      body,
      secrets: secretsOf(credentials),
      schema: WhoamiResponse,
    });
    return response.organizationId === organizationId
      ? VERIFIED
      : failed("These keys belong to a different organization than organization_id.");
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => keyCheckResultOf("Turnkey", () => verify(credentials, mode)),
    isVendorUrl: (url) => allowedUrls.has(url),
  };
}

function readKeyPair(credentials: ProviderCredentials): TurnkeyApiKey | KeyCheckResult {
  const key = readTurnkeyApiKey(textOf(credentials, "api_private_key") ?? "");
  if (key === undefined) {
    return failed("api_private_key is not a P-256 private key in hexadecimal.");
  }
  return textOf(credentials, "api_public_key")?.toLowerCase() === key.publicKey
    ? key
    : failed("api_public_key does not match api_private_key.");
}
