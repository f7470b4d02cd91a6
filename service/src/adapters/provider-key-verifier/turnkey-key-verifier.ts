import { Type } from "typebox";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { readApiKey, type TurnkeyApiKey } from "../http-client/turnkey-api-key.ts";
import { vendorApi } from "../http-client/vendor-client.ts";
import { createKeyVerifier, failed, type KeyCheck, type KeyVerifierOptions, textOf, VERIFIED } from "./key-check.ts";

const API_URL = "https://api.turnkey.com";

const WhoamiResponse = Type.Object({ organizationId: Type.String() });

/**
 * Checks a Turnkey API key by reading the organization it belongs to
 * (https://docs.turnkey.com/api-reference/queries/who-am-i). Supports P-256 keys, which are Turnkey's default.
 */
export function createTurnkeyKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const vendor = { provider: "turnkey", name: "Turnkey", apiUrls: [API_URL], urlField: "base_url" } as const;
  return createKeyVerifier({ ...vendor, required: "organization_id", check }, options);
}

async function check({ client, required: organizationId, credentials, secrets }: KeyCheck): Promise<KeyCheckResult> {
  const key = readKeyPair(credentials);
  if ("status" in key) return key;

  const body = { organizationId };
  // The signed text must equal the request body, which the client also serializes with JSON.stringify.
  const turnkey = vendorApi(client, { "x-stamp": key.stamp(JSON.stringify(body)) });
  const path = "/public/v1/query/whoami";
  const response = await turnkey.post("PublicApiService_GetWhoami", path, WhoamiResponse, { body, secrets });
  return response.organizationId === organizationId
    ? VERIFIED
    : failed("These keys belong to a different organization than organization_id.");
}

function readKeyPair(credentials: ProviderCredentials): TurnkeyApiKey | KeyCheckResult {
  const key = readApiKey(textOf(credentials, "api_private_key") ?? "");
  if (key === undefined) {
    return failed("api_private_key is not a P-256 private key in hexadecimal.");
  }
  return textOf(credentials, "api_public_key")?.toLowerCase() === key.publicKey
    ? key
    : failed("api_public_key does not match api_private_key.");
}
