import { Type } from "typebox";
import type { Mode } from "../foundation/vocabulary.ts";
import type {
  KeyVerdict,
  ProviderCredentials,
  ProviderKeyVerifier,
} from "../ports/provider-key-verifier.ts";
import { askRpc } from "./json-rpc.ts";
import {
  createKeyCheckClient,
  failed,
  type KeyVerifierOptions,
  secretsOf,
  textOf,
  VERIFIED,
  verdictOf,
} from "./key-check.ts";
import { ownAddresses } from "./own-addresses.ts";
import { pathOf, type VendorClient } from "./vendor-client.ts";

const VENDOR = "pimlico";
const ADDRESS = "https://api.pimlico.io";

/** The networks of the contract's wallets, by their names there. */
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

/** The version of ERC-4337's EntryPoint that our accounts are made for; it has one address on every chain. */
const ENTRY_POINT = "0x4337084d9e255ff0702461cf8895ce9e3b5ff108";

const ChainId = Type.String({ pattern: "^0x[0-9a-fA-F]{1,16}$" });
const EntryPoints = Type.Array(Type.String());

/** Tries a key at Pimlico's bundlers (ERC-7769): each chain's has to be that chain's, and know our EntryPoint. */
export function createPimlicoKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const { apiUrl } = options;
  const addresses = ownAddresses([ADDRESS, apiUrl.live, apiUrl.test]);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyVerdict> => {
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");
    const chains = chainsOf(credentials, mode);
    if (chains === undefined) {
      return failed(`chains names one that is not among ${Object.keys(CHAIN_IDS).join(", ")}.`);
    }
    const client = createKeyCheckClient(VENDOR, apiUrl[mode], options);
    const secrets = secretsOf(credentials);
    const verdicts = await Promise.all(
      chains.map((chain) => checkChain(client, { ...chain, apiKey, secrets })),
    );
    return verdicts.find(({ status }) => status !== "verified") ?? VERIFIED;
  };

  return {
    provider: VENDOR,
    verify: (credentials, mode) => verdictOf("Pimlico", () => verify(credentials, mode)),
    isOwnAddress: (url) => addresses.has(url),
  };
}

interface Chain {
  readonly name: string;
  readonly chainId: number;
}

async function checkChain(
  client: VendorClient,
  chain: Chain & { readonly apiKey: string; readonly secrets: readonly string[] },
): Promise<KeyVerdict> {
  const { name, chainId, apiKey, secrets } = chain;
  const bundler = {
    vendor: VENDOR,
    path: pathOf`/v2/${String(chainId)}/rpc`,
    query: { apikey: apiKey },
    secrets,
  };
  const [answeredId, entryPoints] = await Promise.all([
    askRpc(client, { ...bundler, method: "eth_chainId", result: ChainId }),
    askRpc(client, { ...bundler, method: "eth_supportedEntryPoints", result: EntryPoints }),
  ]);
  if (BigInt(answeredId) !== BigInt(chainId)) {
    return failed(`Pimlico's bundler for ${name} answers for another chain.`);
  }
  return entryPoints.some((address) => address.toLowerCase() === ENTRY_POINT)
    ? VERIFIED
    : failed(`Pimlico's bundler for ${name} does not know version 0.8 of the EntryPoint.`);
}

/** The chains that are named, by name or by CAIP-2 id (`eip155:8453`), each once. Undefined where one of them is unknown. */
function chainsOf({ chains }: ProviderCredentials, mode: Mode): readonly Chain[] | undefined {
  const named = chains === undefined || chains.length === 0 ? DEFAULT_CHAINS[mode] : chains;
  const found = [named]
    .flat()
    .map((text) =>
      Object.entries(CHAIN_IDS).find(([name, id]) => text === name || text === `eip155:${id}`),
    );
  const known = found.filter((entry) => entry !== undefined);
  if (known.length < found.length) return undefined;
  return [...new Map(known)].map(([name, chainId]) => ({ name, chainId }));
}
