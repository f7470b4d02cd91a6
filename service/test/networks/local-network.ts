import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { localChainOf, mintUsdc, prepareLocalNetwork } from "@purser/contracts/chain/local-network.ts";
import { encodeFunctionData, erc20Abi, parseAbi } from "viem";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type BlockchainNetwork, networkFactsOf } from "../../src/foundation/blockchain-networks.ts";

const MINT_ABI = parseAbi(["function mint(address account, uint256 amount)"]);

/** Anvil's keys of these roles of the deployment `local`. */
export const OPERATOR_KEYS = {
  PURSER_FREEZER_KEY: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  PURSER_UNFREEZER_KEY: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  PURSER_PAYMASTER_SIGNER_KEY: "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
} as const;

/** What a node answers instead of the chain: a status with a body, or nothing at all. */
type Answer = { readonly status: number; readonly body: object } | "silence";
/** Returns an answer for a call, or undefined to ask the chain. */
type Intercept = (call: { readonly method: string; readonly params: readonly unknown[] }) => Answer | undefined;

type ChangeResult = (result: unknown, params: readonly unknown[]) => unknown;

export interface TestNode {
  readonly url: string;
  /** The methods that were called, in their order. */
  readonly methods: string[];
  /** Answers calls instead of the chain until the test ends. */
  intercept(intercept: Intercept): void;
  /** Changes the results of a method until the test ends. */
  interceptResult(method: string, change: ChangeResult): void;
  reset(): void;
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
  const nodes: (TestNode & { stop(): Promise<void> })[] = [];

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

  const rpc = async (method: string, params: readonly unknown[]) =>
    await local.testClient.request({ method: method as never, params: params as never });
  const mint = async (address: string, amountMicros: bigint) =>
    await mintUsdc({ rpcUrl: local.rpcUrl, chain, usdc }, { address: address as `0x${string}`, amountMicros });

  return {
    /** For the harness. */
    environment: {
      get PURSER_RPC_URLS() {
        return `${network} ${nodes.map(({ url }) => url).join(" ")}`;
      },
      PURSER_RPC_TIMEOUT_MS: "1000",
      ...OPERATOR_KEYS,
    },
    /** The node of the simulated bundler. */
    rpcUrlOf: (chainId: number) => (chainId === evmChainId ? local.rpcUrl : undefined),
    nodes: nodes as readonly TestNode[],
    usdc,
    get local() {
      return local;
    },
    mint,
    /** Creates tokens for several addresses in one block. */
    mintInOneBlock: async (mints: readonly (readonly [address: string, amountMicros: bigint])[], token = usdc) => {
      await local.testClient.setAutomine(false);
      for (const [address, amountMicros] of mints) {
        const data = encodeFunctionData({ abi: MINT_ABI, args: [address as `0x${string}`, amountMicros] });
        await local.walletClient.sendTransaction({ chain, to: token, data });
      }
      await local.testClient.mine({ blocks: 1 });
      await local.testClient.setAutomine(true);
    },
    /** Moves USDC away from an address, as if its key were known. */
    take: async (address: string, amountMicros: bigint) => {
      const from = address as `0x${string}`;
      await local.testClient.impersonateAccount({ address: from });
      await local.testClient.setBalance({ address: from, value: 10n ** 18n });
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [usdc, amountMicros] });
      await local.walletClient.sendTransaction({ account: from, chain, to: usdc, data });
    },
    mine: async (blocks: number) => await local.testClient.mine({ blocks }),
    /** Replaces the newest blocks with empty ones. */
    reorganize: async (depth: number) => await rpc("anvil_reorg", [depth, []]),
    /** Takes the chain back to an earlier block, as if it had lost the later ones. */
    rollBack: async (depth: number) => await rpc("anvil_rollback", [depth]),
    balanceOf: async (address: string) =>
      await local.publicClient.readContract({
        ...{ address: usdc, abi: erc20Abi, functionName: "balanceOf" },
        args: [address as `0x${string}`],
      }),
  };
}

async function startNode(rpcUrl: string) {
  let intercept: Intercept = () => undefined;
  let changes: Readonly<Record<string, ChangeResult>> = {};
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
    const answer = await forwarded.text();
    const change = changes[call.method];
    if (change === undefined) {
      response.writeHead(forwarded.status, headers).end(answer);
      return;
    }
    const parsed = JSON.parse(answer);
    const result = change(parsed.result, call.params);
    response.writeHead(200, headers).end(JSON.stringify({ ...parsed, result }));
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
    interceptResult: (method: string, change: ChangeResult) => {
      changes = { [method]: change };
    },
    reset: () => {
      intercept = () => undefined;
      changes = {};
      methods.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
