import { Type } from "typebox";
import type { KeyCheckResult, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { callRpc } from "../http-client/json-rpc.ts";
import { createKeyVerifier, type KeyCheck, type KeyVerifierOptions, VERIFIED } from "./key-check.ts";

const PROVIDER = "helius";
/** The Helius URLs that accept an API key (https://www.helius.dev/docs/api-reference/endpoints). */
const API_URLS = [
  "https://mainnet.helius-rpc.com",
  "https://beta.helius-rpc.com",
  "https://devnet.helius-rpc.com",
] as const;

const Health = Type.Literal("ok");

export function createHeliusKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const vendor = { provider: PROVIDER, name: "Helius", apiUrls: API_URLS, urlField: "rpc_url" } as const;
  return createKeyVerifier({ ...vendor, required: "api_key", check }, options);
}

async function check({ client, required: apiKey, secrets }: KeyCheck): Promise<KeyCheckResult> {
  await callRpc(client, { method: "getHealth", path: "/", query: { "api-key": apiKey }, secrets, result: Health });
  return VERIFIED;
}
