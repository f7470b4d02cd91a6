import { type Static, type TSchema, Type } from "typebox";
import { ENTRY_POINT } from "../../crypto/agent-account.ts";
import { blockchainNetworkOf, EVM_NETWORKS, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials, ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { callRpc } from "../http-client/json-rpc.ts";
import { pathOf } from "../http-client/vendor-client.ts";
import {
  createKeyVerifier,
  failed,
  type KeyCheck,
  type KeyVerifierOptions,
  keyCheckResultOf,
  VERIFIED,
} from "./key-check.ts";

const API_URL = "https://api.pimlico.io";

const DEFAULT_CHAINS: Readonly<Record<Mode, readonly string[]>> = {
  live: ["base"],
  test: ["base-sepolia"],
};

const ChainId = Type.String({ pattern: "^0x[0-9a-fA-F]{1,16}$" });
const EntryPoints = Type.Array(Type.String());

/** Checks a Pimlico key (ERC-7769): each chain's bundler must return that chain's id and support the EntryPoint. */
export function createPimlicoKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const vendor = { provider: "pimlico", name: "Pimlico", apiUrls: [API_URL], required: "api_key", check } as const;
  return createKeyVerifier(vendor, options);
}

async function check({ client, required: apiKey, credentials, mode, secrets }: KeyCheck): Promise<KeyCheckResult> {
  const chains = chainsOf(credentials, mode);
  if (chains === undefined) {
    return failed(`chains contains an unsupported chain. Supported: ${EVM_NETWORKS.join(", ")}.`);
  }
  const callBundler: CallBundler = ({ chainId }, method, result) => {
    const path = pathOf`/v2/${String(chainId)}/rpc`;
    return callRpc(client, { method, path, query: { apikey: apiKey }, secrets, result });
  };
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
}

interface Chain {
  readonly name: string;
  readonly chainId: number;
}

type CallBundler = <Schema extends TSchema>(chain: Chain, method: string, result: Schema) => Promise<Static<Schema>>;

async function checkChainId(callBundler: CallBundler, chain: Chain): Promise<KeyCheckResult> {
  const chainId = await callBundler(chain, "eth_chainId", ChainId);
  return BigInt(chainId) === BigInt(chain.chainId)
    ? VERIFIED
    : failed(`Pimlico's bundler for ${chain.name} reports a different chain.`);
}

async function checkEntryPoint(callBundler: CallBundler, chain: Chain): Promise<KeyCheckResult> {
  const addresses = await callBundler(chain, "eth_supportedEntryPoints", EntryPoints);
  return addresses.some((address) => address.toLowerCase() === ENTRY_POINT.toLowerCase())
    ? VERIFIED
    : failed(`Pimlico's bundler for ${chain.name} does not support EntryPoint 0.8.`);
}

/**
 * Returns the requested chains without duplicates. Chains are given by name or CAIP-2 id (`eip155:8453`). Returns
 * undefined if a chain is not supported.
 */
function chainsOf({ chains }: ProviderCredentials, mode: Mode): readonly Chain[] | undefined {
  const requested = chains === undefined || chains.length === 0 ? DEFAULT_CHAINS[mode] : chains;
  const byId = new Map<number, Chain>();
  for (const text of [requested].flat()) {
    const name = blockchainNetworkOf(text);
    const chainId = name && networkFactsOf(name).evmChainId;
    if (name === undefined || chainId === undefined) return undefined;
    byId.set(chainId, { name, chainId });
  }
  return [...byId.values()];
}
