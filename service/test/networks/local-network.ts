import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { localChainOf, mintUsdc, prepareLocalNetwork } from "@purser/contracts/chain/local-network.ts";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type BlockchainNetwork, networkFactsOf } from "../../src/foundation/blockchain-networks.ts";

/** What a node answers instead of the chain: a status with a body, or nothing at all. */
type Answer = { readonly status: number; readonly body: object } | "silence";
/** Returns an answer for a call, or undefined to ask the chain. */
type Intercept = (call: { readonly method: string; readonly params: readonly unknown[] }) => Answer | undefined;

export interface TestNode {
  readonly url: string;
  /** The methods that were called, in their order. */
  readonly methods: string[];
  /** Answers calls instead of the chain until the test ends. */
  intercept(intercept: Intercept): void;
}

/**
 * Starts a chain with the id and the contracts of a network for the tests of a file, and two nodes in front of it, each of
 * which can fail.
 */
export function useLocalNetwork(network: BlockchainNetwork) {
  const { evmChainId = 0, contracts } = networkFactsOf(network);
  const chain = localChainOf(network, evmChainId);
  const usdc = contracts.usdc as `0x${string}`;
  let local: Awaited<ReturnType<typeof startLocalChain>>;
  const nodes: (TestNode & { stop(): Promise<void>; reset(): void })[] = [];

  beforeAll(async () => {
    local = await startLocalChain([], chain);
    await prepareLocalNetwork({ rpcUrl: local.rpcUrl, chain, usdc });
    nodes.push(await startNode(local.rpcUrl), await startNode(local.rpcUrl));
  });

  afterEach(() => {
    for (const node of nodes) node.reset();
  });

  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await local.stop();
  });

  return {
    /** For the harness. */
    environment: {
      get PURSER_RPC_URLS() {
        return `${network} ${nodes.map(({ url }) => url).join(" ")}`;
      },
      PURSER_RPC_TIMEOUT_MS: "1000",
    },
    nodes: nodes as readonly TestNode[],
    usdc,
    get local() {
      return local;
    },
    mint: async (address: string, amountMicros: bigint) =>
      await mintUsdc({ rpcUrl: local.rpcUrl, chain, usdc }, { address: address as `0x${string}`, amountMicros }),
  };
}

async function startNode(rpcUrl: string) {
  let intercept: Intercept = () => undefined;
  const methods: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const call = JSON.parse(body);
    methods.push(call.method);
    const answered = intercept(call);
    if (answered === "silence") return;
    if (answered !== undefined) {
      response.writeHead(answered.status).end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...answered.body }));
      return;
    }
    const headers = { "content-type": "application/json" };
    const forwarded = await fetch(rpcUrl, { method: "POST", headers, body });
    response.writeHead(forwarded.status, headers).end(await forwarded.text());
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    intercept: (next: Intercept) => {
      intercept = next;
    },
    reset: () => {
      intercept = () => undefined;
      methods.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
