import * as AbiFunction from "ox/AbiFunction";
import { Type } from "typebox";
import { type BlockchainNetwork, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import type { Clock } from "../../foundation/clock.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { EvmNetwork } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { callRpc } from "../http-client/json-rpc.ts";
import { createVendorClient, type VendorClient } from "../http-client/vendor-client.ts";

/** The same on every network (https://www.multicall3.com). */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const CALLS_MAX = 500;
/** How long it counts that a node has reported its chain. */
const CHAIN_CHECK_MS = 10_000;

const Quantity = Type.String({ pattern: "^0x[0-9a-f]{1,64}$" });
const HexData = Type.String({ pattern: "^0x([0-9a-f]{2})*$" });

const aggregate3 = AbiFunction.from([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) payable returns (Result[] results)",
]);
const balanceOf = AbiFunction.from("function balanceOf(address owner) view returns (uint256)");

export interface JsonRpcNetworkOptions {
  readonly network: BlockchainNetwork;
  /** The URLs of its nodes. A call goes to the first one that answers. */
  readonly urls: readonly string[];
  /** Timeout for one call in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Called if a node reports the id of another chain. Its answers are not used. */
  readonly onWrongChain: (chainId: bigint) => void;
}

/** One node of the network. */
interface Node {
  readonly client: VendorClient;
  /** Until when the node does not need to report its chain again, in milliseconds. */
  checkedUntilMs: number;
}

/** Reads an EVM network over JSON-RPC (https://ethereum.github.io/execution-apis). */
export function createJsonRpcNetwork(options: JsonRpcNetworkOptions): EvmNetwork {
  const { network, urls, timeoutMs } = options;
  const nodes: readonly Node[] = urls.map((baseUrl) => ({
    client: createVendorClient({ vendor: network, baseUrl, timeoutMs, readRetry: NO_RETRY }),
    checkedUntilMs: 0,
  }));

  /** Reads from the first node that answers. A read has no effect, so all its failures are `unavailable`. */
  async function read<Result>(operation: string, call: (client: VendorClient) => Promise<Result>): Promise<Result> {
    let cause: unknown;
    for (const node of nodes) {
      try {
        await checkChain(node, options);
        return await call(node.client);
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        cause = error;
      }
    }
    throw new VendorError("unavailable", { vendor: network, operation, cause });
  }

  return {
    network,
    readTokenBalances: async (token, owners) => {
      const starts = Array.from({ length: Math.ceil(owners.length / CALLS_MAX) }, (_, index) => index * CALLS_MAX);
      const balances = starts.map((start) =>
        read("aggregate3", (client) => readBalances(client, token, owners.slice(start, start + CALLS_MAX))),
      );
      return (await Promise.all(balances)).flat();
    },
  };
}

/** Throws if the node does not answer, or belongs to another chain. */
async function checkChain(node: Node, { network, clock, onWrongChain }: JsonRpcNetworkOptions): Promise<void> {
  const nowMs = clock.now().getTime();
  if (nowMs < node.checkedUntilMs) return;
  const chainId = BigInt(await callRpc(node.client, { method: "eth_chainId", result: Quantity }));
  if (chainId !== BigInt(networkFactsOf(network).evmChainId ?? -1)) {
    onWrongChain(chainId);
    throw new VendorError("unavailable", { vendor: network, operation: "eth_chainId" });
  }
  node.checkedUntilMs = nowMs + CHAIN_CHECK_MS;
}

async function readBalances(
  client: VendorClient,
  token: string,
  owners: readonly string[],
): Promise<(bigint | null)[]> {
  const calls = owners.map((owner) => ({
    target: token as `0x${string}`,
    allowFailure: true,
    callData: AbiFunction.encodeData(balanceOf, [owner as `0x${string}`]),
  }));
  const call = { to: MULTICALL3, data: AbiFunction.encodeData(aggregate3, [calls]) };
  const data = await callRpc(client, { method: "eth_call", params: [call, "latest"], result: HexData });
  const results = resultsOf(data);
  if (results?.length !== owners.length) {
    throw new VendorError("unavailable", { vendor: client.vendor, operation: "aggregate3" });
  }
  return results.map(({ success, returnData }) => (success && returnData.length === 66 ? BigInt(returnData) : null));
}

/** Returns undefined if Multicall3 has not returned these bytes. */
function resultsOf(data: string) {
  try {
    return AbiFunction.decodeResult(aggregate3, data as `0x${string}`);
  } catch {
    return undefined;
  }
}
