import { Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { callRpc } from "./json-rpc.ts";
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

const VENDOR = "helius";
/** The Helius URLs that accept an API key (https://www.helius.dev/docs/api-reference/endpoints). */
const API_URLS = [
  "https://mainnet.helius-rpc.com",
  "https://beta.helius-rpc.com",
  "https://devnet.helius-rpc.com",
] as const;

const Health = Type.Literal("ok");

/** Checks a Helius key by calling `getHealth`. */
export function createHeliusKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const { apiUrl } = options;
  const allowedUrls = allowedVendorUrls([...API_URLS, apiUrl.live, apiUrl.test]);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult> => {
    const baseUrl = resolveVendorUrl(credentials["rpc_url"], allowedUrls, apiUrl[mode]);
    if (baseUrl === undefined) return failed("rpc_url is not a Helius URL.");
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");

    await callRpc(createKeyCheckClient(VENDOR, baseUrl, options), {
      vendor: VENDOR,
      method: "getHealth",
      path: "/",
      query: { "api-key": apiKey },
      secrets: secretsOf(credentials),
      result: Health,
    });
    return VERIFIED;
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => keyCheckResultOf("Helius", () => verify(credentials, mode)),
    isVendorUrl: (url) => allowedUrls.has(url),
  };
}
