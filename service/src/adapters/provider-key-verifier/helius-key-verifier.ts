import { Type } from "typebox";
import type { KeyCheckResult, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { callRpc } from "./json-rpc.ts";
import { createKeyVerifier, failed, type KeyCheck, type KeyVerifierOptions, textOf, VERIFIED } from "./key-check.ts";

const PROVIDER = "helius";
/** The Helius URLs that accept an API key (https://www.helius.dev/docs/api-reference/endpoints). */
const API_URLS = [
  "https://mainnet.helius-rpc.com",
  "https://beta.helius-rpc.com",
  "https://devnet.helius-rpc.com",
] as const;

const Health = Type.Literal("ok");

/** Checks a Helius key by calling `getHealth`. */
export function createHeliusKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const vendor = { provider: PROVIDER, name: "Helius", apiUrls: API_URLS, urlField: "rpc_url", check } as const;
  return createKeyVerifier(vendor, options);
}

async function check({ client, credentials, secrets }: KeyCheck): Promise<KeyCheckResult> {
  const apiKey = textOf(credentials, "api_key");
  if (apiKey === undefined) return failed("api_key is missing.");
  await callRpc(client, {
    vendor: PROVIDER,
    method: "getHealth",
    path: "/",
    query: { "api-key": apiKey },
    secrets,
    result: Health,
  });
  return VERIFIED;
}
