import { Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type {
  KeyVerdict,
  ProviderCredentials,
  ProviderKeyVerifier,
} from "../../ports/provider-key-verifier.ts";
import {
  createKeyCheckClient,
  failed,
  type KeyVerifierOptions,
  secretsOf,
  textOf,
  VERIFIED,
  verdictOf,
} from "./key-check.ts";
import { readTurnkeyApiKey, type TurnkeyApiKey } from "./turnkey-stamp.ts";
import { addressOf, allowedVendorUrls } from "./vendor-url-allowlist.ts";

const VENDOR = "turnkey";
const ADDRESS = "https://api.turnkey.com";

const WhoamiAnswer = Type.Object({ organizationId: Type.String() });

/**
 * Tries an API key at Turnkey by asking who it is (https://docs.turnkey.com/api-reference/queries/who-am-i). Keys of the
 * curve P-256, which is the one that Turnkey makes unless it is asked for another.
 */
export function createTurnkeyKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const addresses = allowedVendorUrls([ADDRESS, options.apiUrl.live, options.apiUrl.test]);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyVerdict> => {
    const baseUrl = addressOf(credentials["base_url"], addresses, options.apiUrl[mode]);
    if (baseUrl === undefined) return failed("base_url is not an address of Turnkey's.");
    const organizationId = textOf(credentials, "organization_id");
    if (organizationId === undefined) return failed("organization_id is missing.");
    const key = readPair(credentials);
    if ("status" in key) return key;

    const body = { organizationId };
    const answer = await createKeyCheckClient(VENDOR, baseUrl, options).call({
      operation: "PublicApiService_GetWhoami",
      method: "POST",
      path: "/public/v1/query/whoami",
      // The client sends the very text that is stamped here: JSON.stringify writes an object in one way only.
      headers: { "x-stamp": key.stamp(JSON.stringify(body)) },
      body,
      secrets: secretsOf(credentials),
      schema: WhoamiAnswer,
    });
    return answer.organizationId === organizationId
      ? VERIFIED
      : failed("These keys belong to another organization than organization_id names.");
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => verdictOf("Turnkey", () => verify(credentials, mode)),
    isOwnAddress: (url) => addresses.has(url),
  };
}

function readPair(credentials: ProviderCredentials): TurnkeyApiKey | KeyVerdict {
  const key = readTurnkeyApiKey(textOf(credentials, "api_private_key") ?? "");
  if (key === undefined) {
    return failed("api_private_key is not a private key of the curve P-256, in hexadecimal.");
  }
  return textOf(credentials, "api_public_key")?.toLowerCase() === key.publicKey
    ? key
    : failed("api_public_key is not the public key of api_private_key.");
}
