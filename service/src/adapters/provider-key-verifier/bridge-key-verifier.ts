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
import { allowedVendorUrls } from "./vendor-url-allowlist.ts";

const VENDOR = "bridge";
const ADDRESSES = ["https://api.bridge.xyz", "https://api.sandbox.bridge.xyz"] as const;

/** What `environment` may say of keys that are kept in a mode: it moves none of them to where the other mode's belong. */
const ENVIRONMENTS: Readonly<Record<Mode, string>> = { live: "production", test: "sandbox" };

const CustomersAnswer = Type.Object({ data: Type.Array(Type.Unknown()) });

/** Tries a key at Bridge with a look at one customer (https://apidocs.bridge.xyz/api-reference/customers). */
export function createBridgeKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const { apiUrl } = options;
  const addresses = allowedVendorUrls([...ADDRESSES, apiUrl.live, apiUrl.test], "/v0");

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyVerdict> => {
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");
    const environment = textOf(credentials, "environment") ?? ENVIRONMENTS[mode];
    if (environment !== ENVIRONMENTS[mode]) {
      return failed(`environment has to be ${ENVIRONMENTS[mode]} for keys of ${mode} mode.`);
    }

    await createKeyCheckClient(VENDOR, apiUrl[mode], options).call({
      operation: "listCustomers",
      method: "GET",
      path: "/v0/customers",
      query: { limit: "1" },
      headers: { "api-key": apiKey },
      secrets: secretsOf(credentials),
      schema: CustomersAnswer,
    });
    return VERIFIED;
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => verdictOf("Bridge", () => verify(credentials, mode)),
    isOwnAddress: (url) => addresses.has(url),
  };
}
