import { type Static, type TSchema, Type } from "typebox";
import type { Mode } from "../../foundation/vocabulary.ts";
import type {
  KeyVerdict,
  ProviderCredentials,
  ProviderKeyVerifier,
} from "../../ports/provider-key-verifier.ts";
import { pathOf, type VendorClient } from "../http-client/vendor-client.ts";
import { callRpc } from "./json-rpc.ts";
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
  const addresses = allowedVendorUrls([ADDRESS, apiUrl.live, apiUrl.test]);

  const verify = async (credentials: ProviderCredentials, mode: Mode): Promise<KeyVerdict> => {
    const apiKey = textOf(credentials, "api_key");
    if (apiKey === undefined) return failed("api_key is missing.");
    const chains = chainsOf(credentials, mode);
    if (chains === undefined) {
      return failed(`chains names one that is not among ${Object.keys(CHAIN_IDS).join(", ")}.`);
    }
    const ask = bundlerAsker(createKeyCheckClient(VENDOR, apiUrl[mode], options), {
      apiKey,
      secrets: secretsOf(credentials),
    });
    const verdicts = await Promise.all(
      chains
        .flatMap((chain) => [checkChainId(ask, chain), checkEntryPoint(ask, chain)])
        .map((check) => verdictOf("Pimlico", () => check)),
    );
    // One that fails says more than one that could not be asked.
    return (
      verdicts.find(({ status }) => status === "failed") ??
      verdicts.find(({ status }) => status === "unreachable") ??
      VERIFIED
    );
  };

  return {
    provider: VENDOR,
    verify,
    isOwnAddress: (url) => addresses.has(url),
  };
}

interface Chain {
  readonly name: string;
  readonly chainId: number;
}

type AskBundler = <Schema extends TSchema>(
  chain: Chain,
  method: string,
  result: Schema,
) => Promise<Static<Schema>>;

function bundlerAsker(
  client: VendorClient,
  { apiKey, secrets }: { readonly apiKey: string; readonly secrets: readonly string[] },
): AskBundler {
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

async function checkChainId(ask: AskBundler, chain: Chain): Promise<KeyVerdict> {
  const chainId = await ask(chain, "eth_chainId", ChainId);
  return BigInt(chainId) === BigInt(chain.chainId)
    ? VERIFIED
    : failed(`Pimlico's bundler for ${chain.name} answers for another chain.`);
}

async function checkEntryPoint(ask: AskBundler, chain: Chain): Promise<KeyVerdict> {
  const addresses = await ask(chain, "eth_supportedEntryPoints", EntryPoints);
  return addresses.some((address) => address.toLowerCase() === ENTRY_POINT)
    ? VERIFIED
    : failed(`Pimlico's bundler for ${chain.name} does not know version 0.8 of the EntryPoint.`);
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
