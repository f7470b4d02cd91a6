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
import { allowedVendorUrls } from "./vendor-url-allowlist.ts";

const VENDOR = "bridge";
const API_URLS = ["https://api.bridge.xyz", "https://api.sandbox.bridge.xyz"] as const;

/**
 * The required value of the `environment` credential for each mode. Test keys are rejected in live mode, and live keys
 * in test mode.
 */
const ENVIRONMENTS: Readonly<Record<Mode, string>> = { live: "production", test: "sandbox" };

const CustomersResponse = Type.Object({ data: Type.Array(Type.Unknown()) });

/** Checks a Bridge key by listing one customer (https://apidocs.bridge.xyz/api-reference/customers). */
export function createBridgeKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const { apiUrl } = options;
  const allowedUrls = allowedVendorUrls([...API_URLS, apiUrl.live, apiUrl.test], "/v0");

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult> => {
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");
    const environment = textOf(credentials, "environment") ?? ENVIRONMENTS[mode];
    if (environment !== ENVIRONMENTS[mode]) {
      return failed(`environment must be ${ENVIRONMENTS[mode]} for keys in ${mode} mode.`);
    }

    await createKeyCheckClient(VENDOR, apiUrl[mode], options).call({
      operation: "listCustomers",
      method: "GET",
      path: "/v0/customers",
      query: { limit: "1" },
      headers: { "api-key": apiKey },
      secrets: secretsOf(credentials),
      schema: CustomersResponse,
    });
    return VERIFIED;
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => keyCheckResultOf("Bridge", () => verify(credentials, mode)),
    isVendorUrl: (url) => allowedUrls.has(url),
  };
}
