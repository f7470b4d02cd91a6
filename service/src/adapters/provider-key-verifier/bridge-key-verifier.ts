import { Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { vendorApi } from "../http-client/vendor-client.ts";
import { createKeyVerifier, failed, type KeyCheck, type KeyVerifierOptions, textOf, VERIFIED } from "./key-check.ts";

/**
 * The required value of the `environment` credential for each mode. Test keys are rejected in live mode, and live keys
 * in test mode.
 */
const ENVIRONMENTS: Readonly<Record<Mode, string>> = { live: "production", test: "sandbox" };

const CustomersResponse = Type.Object({ data: Type.Array(Type.Unknown()) });

/** Checks a Bridge key by listing one customer (https://apidocs.bridge.xyz/api-reference/customers). */
export function createBridgeKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const apiUrls = ["https://api.bridge.xyz", "https://api.sandbox.bridge.xyz"];
  const vendor = { provider: "bridge", name: "Bridge", apiUrls, prefix: "/v0", required: "api_key", check } as const;
  return createKeyVerifier(vendor, options);
}

async function check({ client, required: apiKey, credentials, mode, secrets }: KeyCheck): Promise<KeyCheckResult> {
  const environment = textOf(credentials, "environment") ?? ENVIRONMENTS[mode];
  if (environment !== ENVIRONMENTS[mode]) {
    return failed(`environment must be ${ENVIRONMENTS[mode]} for keys in ${mode} mode.`);
  }
  const content = { query: { limit: "1" }, secrets };
  await vendorApi(client, { "api-key": apiKey }).get("listCustomers", "/v0/customers", CustomersResponse, content);
  return VERIFIED;
}
