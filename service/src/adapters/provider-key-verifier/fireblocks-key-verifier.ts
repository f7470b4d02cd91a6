import { Type } from "typebox";
import type { Clock } from "../../foundation/clock.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { signFireblocksRequest } from "./fireblocks-token.ts";
import {
  createKeyCheckClient,
  failed,
  type KeyVerifierOptions,
  keyCheckResultOf,
  secretsOf,
  textOf,
  VERIFIED,
} from "./key-check.ts";
import { allowedVendorUrls, resolveVendorUrl } from "./vendor-url-allowlist.ts";

const VENDOR = "fireblocks";
/** Fireblocks' API URLs for workspaces in the US, in Europe and in the sandbox. */
const API_URLS = [
  "https://api.fireblocks.io",
  "https://eu-api.fireblocks.io",
  "https://eu2-api.fireblocks.io",
  "https://sandbox-api.fireblocks.io",
] as const;
const PREFIX = "/v1";

const AssetsResponse = Type.Array(Type.Object({ id: Type.String() }));

interface FireblocksKeyVerifierOptions extends KeyVerifierOptions {
  /** The clock for the `iat` and `exp` of request tokens. */
  readonly clock: Clock;
}

/** Checks a Fireblocks API user's key with a signed request for the supported assets, which every API user can read. */
export function createFireblocksKeyVerifier(options: FireblocksKeyVerifierOptions): ProviderKeyVerifier {
  const { apiUrl, clock } = options;
  const allowedUrls = allowedVendorUrls([...API_URLS, apiUrl.live, apiUrl.test], PREFIX);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult> => {
    const baseUrl = resolveVendorUrl(credentials["base_url"], allowedUrls, apiUrl[mode]);
    if (baseUrl === undefined) return failed("base_url is not a Fireblocks URL.");
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");
    const path = `${PREFIX}/supported_assets`;
    const uri = new URL(baseUrl + path).pathname;
    const pem = textOf(credentials, "api_secret_pem") ?? "";
    const token = await signFireblocksRequest(pem, { apiKey, uri, body: "" }, clock.now());
    if (token === undefined) {
      return failed("api_secret_pem is not a 2048-bit to 8192-bit RSA private key in PEM format.");
    }

    await createKeyCheckClient(VENDOR, baseUrl, options).call({
      operation: "getSupportedAssets",
      method: "GET",
      path,
      headers: { "x-api-key": apiKey, authorization: `Bearer ${token}` },
      secrets: secretsOf(credentials),
      schema: AssetsResponse,
    });
    return VERIFIED;
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => keyCheckResultOf("Fireblocks", () => verify(credentials, mode)),
    isVendorUrl: (url) => allowedUrls.has(url),
  };
}
