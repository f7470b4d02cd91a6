import { type Static, type TSchema, Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { pathOf, type VendorClient } from "../http-client/vendor-client.ts";
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
import { allowedVendorUrls } from "./vendor-url-allowlist.ts";

const VENDOR = "pimlico";
const API_URL = "https://api.pimlico.io";

/** The supported EVM networks by name, with their chain ids (docs/api.md, section 17). */
const CHAIN_IDS: Readonly<Record<string, number>> = {
  ethereum: 1,
  optimism: 10,
  polygon: 137,
  base: 8_453,
  arbitrum: 42_161,
  "polygon-amoy": 80_002,
  "base-sepolia": 84_532,
  "arbitrum-sepolia": 421_614,
  "ethereum-sepolia": 11_155_111,
  "optimism-sepolia": 11_155_420,
};
const DEFAULT_CHAINS: Readonly<Record<Mode, readonly string[]>> = {
  live: ["base"],
  test: ["base-sepolia"],
};

/** The address of the ERC-4337 EntryPoint 0.8, which is the same on every chain. */
const ENTRY_POINT = "0x4337084d9e255ff0702461cf8895ce9e3b5ff108";

const ChainId = Type.String({ pattern: "^0x[0-9a-fA-F]{1,16}$" });
const EntryPoints = Type.Array(Type.String());

/** Checks a Pimlico key (ERC-7769): each chain's bundler must return that chain's id and support the EntryPoint. */
export function createPimlicoKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const { apiUrl } = options;
  const allowedUrls = allowedVendorUrls([API_URL, apiUrl.live, apiUrl.test]);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyCheckResult> => {
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");
    const chains = chainsOf(credentials, mode);
    if (chains === undefined) {
      return failed(`chains contains an unsupported chain. Supported: ${Object.keys(CHAIN_IDS).join(", ")}.`);
    }
    const callBundler = bundlerCaller(createKeyCheckClient(VENDOR, apiUrl[mode], options), {
      apiKey,
      secrets: secretsOf(credentials),
    });
    const verdicts = await Promise.all(
      chains
        .flatMap((chain) => [checkChainId(callBundler, chain), checkEntryPoint(callBundler, chain)])
        .map((check) => keyCheckResultOf("Pimlico", () => check)),
    );
    // If one check failed and another bundler was unreachable, the failed check is returned, because it is more useful
    // to the developer.
    return (
      verdicts.find(({ status }) => status === "failed") ??
      verdicts.find(({ status }) => status === "unreachable") ??
      VERIFIED
    );
  };

  return {
    provider: VENDOR,
    verify,
    isVendorUrl: (url) => allowedUrls.has(url),
  };
}

interface Chain {
  readonly name: string;
  readonly chainId: number;
}

type CallBundler = <Schema extends TSchema>(chain: Chain, method: string, result: Schema) => Promise<Static<Schema>>;

function bundlerCaller(
  client: VendorClient,
  { apiKey, secrets }: { readonly apiKey: string; readonly secrets: readonly string[] },
): CallBundler {
  return ({ chainId }, method, result) =>
    callRpc(client, {
      vendor: VENDOR,
      method,
      path: pathOf`/v2/${String(chainId)}/rpc`,
      query: { apikey: apiKey },
      secrets,
      result,
    });
}

async function checkChainId(callBundler: CallBundler, chain: Chain): Promise<KeyCheckResult> {
  const chainId = await callBundler(chain, "eth_chainId", ChainId);
  return BigInt(chainId) === BigInt(chain.chainId)
    ? VERIFIED
    : failed(`Pimlico's bundler for ${chain.name} reports a different chain.`);
}

async function checkEntryPoint(callBundler: CallBundler, chain: Chain): Promise<KeyCheckResult> {
  const addresses = await callBundler(chain, "eth_supportedEntryPoints", EntryPoints);
  return addresses.some((address) => address.toLowerCase() === ENTRY_POINT)
    ? VERIFIED
    : failed(`Pimlico's bundler for ${chain.name} does not support EntryPoint 0.8.`);
}

/**
 * Returns the requested chains without duplicates. Chains are given by name or CAIP-2 id (`eip155:8453`). Returns
 * undefined if a chain is not supported.
 */
function chainsOf({ chains }: ProviderCredentials, mode: Mode): readonly Chain[] | undefined {
  const requested = chains === undefined || chains.length === 0 ? DEFAULT_CHAINS[mode] : chains;
  const found = [requested]
    .flat()
    .map((text) => Object.entries(CHAIN_IDS).find(([name, id]) => text === name || text === `eip155:${id}`));
  const supported = found.filter((entry) => entry !== undefined);
  if (supported.length < found.length) return undefined;
  return [...new Map(supported)].map(([name, chainId]) => ({ name, chainId }));
}
