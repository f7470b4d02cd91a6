import { isDeepStrictEqual } from "node:util";
import { type BlockchainNetwork, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import type { Clock } from "../../foundation/clock.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { Block, EvmNetwork } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { callRpc } from "../http-client/json-rpc.ts";
import { createVendorClient, type VendorClient } from "../http-client/vendor-client.ts";
import {
  Quantity,
  readBlock,
  readCalls,
  readGasPrice,
  readLogs,
  readOperationEvents,
  readTokenBalances,
  readTransfers,
} from "./chain-reads.ts";
import { simulateTransaction } from "./simulate-transaction.ts";
import { estimateGas, readCoinBalance, readReceipt, readTransactionCount, sendTransaction } from "./transactions.ts";

/** How long it counts that a node has reported its chain. */
const CHAIN_CHECK_MS = 10_000;
/** The logs of a block are many if someone sends many small deposits to one wallet. */
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
/** A shorter part of a URL is no key. */
const KEY_LENGTH_MIN = 8;
/** How many addresses, calls or hashes a call contains. */
const ITEMS_MAX = 500;

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
  const client = { vendor: network, timeoutMs, readRetry: NO_RETRY, responseBytesMax: RESPONSE_BYTES_MAX };
  const nodes: readonly Node[] = urls.map((baseUrl) => ({
    client: createVendorClient({ ...client, baseUrl, secrets: secretsOf(baseUrl) }),
    checkedUntilMs: 0,
  }));

  /** A read has no effect, so all its failures are `unavailable`. */
  async function readFrom<Result>(node: Node, call: (client: VendorClient) => Promise<Result>): Promise<Result> {
    try {
      await checkChain(node, options);
      return await call(node.client);
    } catch (error) {
      if (!(error instanceof VendorError)) throw error;
      throw new VendorError("unavailable", { vendor: network, operation: error.operation, cause: error });
    }
  }

  /** Reads from the first node that answers. */
  async function read<Result>(call: (client: VendorClient) => Promise<Result>): Promise<Result> {
    let failure: unknown;
    for (const node of nodes) {
      try {
        return await readFrom(node, call);
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async function readFromAll<Result>(call: (client: VendorClient) => Promise<Result>): Promise<Result[]> {
    return await Promise.all(nodes.map((node) => readFrom(node, call)));
  }

  async function inChunks<Item, Result>(
    items: readonly Item[],
    call: (chunk: readonly Item[]) => Promise<readonly Result[]>,
  ): Promise<Result[]> {
    const starts = Array.from({ length: Math.ceil(items.length / ITEMS_MAX) }, (_, index) => index * ITEMS_MAX);
    return (await Promise.all(starts.map((start) => call(items.slice(start, start + ITEMS_MAX))))).flat();
  }

  /** Asks each node for the same items. */
  async function agreedInChunks<Item, Result>(
    items: readonly Item[],
    call: (client: VendorClient, chunk: readonly Item[]) => Promise<readonly Result[]>,
  ): Promise<Result[] | null> {
    const readAll = (node: Node) => inChunks(items, (chunk) => readFrom(node, (client) => call(client, chunk)));
    return agreed(await Promise.all(nodes.map(readAll)));
  }

  return {
    network,
    ping: async () => await read(async () => {}),
    readBlock: async (block) => await read((node) => readBlock(node, block)),
    readTokenBalances: async (token, owners, block) =>
      await inChunks(owners, (chunk) => read((node) => readTokenBalances(node, token, chunk, block))),
    readTransfers: async (token, recipients, blocks) =>
      await inChunks(recipients, (chunk) => read((node) => readTransfers(node, token, chunk, blocks))),
    readHeads: async () => boundsOf(await readFromAll((node) => readBlock(node, "latest"))),
    readAgreedBlock: async (number) => agreed(await readFromAll((node) => readBlock(node, number))),
    readAgreedTransfers: async (token, recipients, blocks) =>
      await agreedInChunks(recipients, (client, chunk) => readTransfers(client, token, chunk, blocks)),
    readCalls: async (calls, block) =>
      await inChunks(calls, (chunk) => read((client) => readCalls(client, chunk, block))),
    readAgreedCalls: async (calls, block) =>
      await agreedInChunks(calls, (client, chunk) => readCalls(client, chunk, block)),
    readAgreedLogs: async (filter, blocks) => agreed(await readFromAll((client) => readLogs(client, filter, blocks))),
    readOperationEvents: async (hashes, blocks) =>
      await inChunks(hashes, (chunk) => read((client) => readOperationEvents(client, chunk, blocks))),
    readAgreedOperationEvents: async (hashes, blocks) =>
      await agreedInChunks(hashes, (client, chunk) => readOperationEvents(client, chunk, blocks)),
    simulate: async (call) => await read((client) => simulateTransaction(client, call)),
    ...transactionsOf(nodes, { read, readFrom }),
  };
}

function boundsOf(heads: readonly (Block | null)[]): { readonly lowest: bigint; readonly highest: bigint } {
  const numbers = heads.map((head) => head?.number ?? 0n).toSorted((one, other) => (one < other ? -1 : 1));
  return { lowest: numbers[0] ?? 0n, highest: numbers.at(-1) ?? 0n };
}

interface Reads {
  /** Reads from the first node that answers. */
  readonly read: <Result>(call: (client: VendorClient) => Promise<Result>) => Promise<Result>;
  readonly readFrom: <Result>(node: Node, call: (client: VendorClient) => Promise<Result>) => Promise<Result>;
}

function transactionsOf(nodes: readonly Node[], { read, readFrom }: Reads) {
  return {
    readCoinBalance: async (address) => await read((node) => readCoinBalance(node, address)),
    readTransactionCount: async (address, block) => {
      const ask = (node: Node) => readFrom(node, (client) => readTransactionCount(client, address, block));
      const counts = await answersOf(nodes.map(ask));
      return counts.reduce((lowest, count) => (count < lowest ? count : lowest));
    },
    readGasPrice: async () => {
      const prices = await answersOf(nodes.map((node) => readFrom(node, readGasPrice)));
      return prices.reduce((low, price) => (price.maxFeePerGas < low.maxFeePerGas ? price : low));
    },
    estimateGas: async (call) => await read((node) => estimateGas(node, call)),
    sendTransaction: async (signed) => {
      const handOver = (node: Node) => readFrom(node, (client) => sendTransaction(client, signed));
      const refusals = await answersOf(nodes.map(handOver));
      return refusals.includes(undefined) ? undefined : refusals[0];
    },
    readReceipts: async (hashes) => await Promise.all(hashes.map((hash) => read((node) => readReceipt(node, hash)))),
    readAgreedReceipts: async (hashes) => {
      const readAll = (node: Node) =>
        Promise.all(hashes.map((hash) => readFrom(node, (client) => readReceipt(client, hash))));
      return agreed(await Promise.all(nodes.map(readAll)));
    },
  } satisfies Partial<EvmNetwork>;
}

/** Returns what the nodes answer that do. Throws if none does. */
async function answersOf<Answer>(asked: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers = await Promise.allSettled(asked);
  const values = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  if (values.length > 0) return values;
  throw answers.find((answer) => answer.status === "rejected")?.reason;
}

/** Returns the answer if all nodes have given the same one, else null. */
function agreed<Answer>([first, ...others]: readonly (Answer | null)[]): Answer | null {
  return others.every((other) => isDeepStrictEqual(other, first)) ? (first ?? null) : null;
}

/** Returns the parts of a URL that can be a key. A node can repeat them in its messages. */
function secretsOf(url: string): string[] {
  const { pathname, search, searchParams } = new URL(url);
  const parts = [...pathname.split("/"), ...searchParams.values(), search.slice(1)];
  return parts.filter((part) => part.length >= KEY_LENGTH_MIN);
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
