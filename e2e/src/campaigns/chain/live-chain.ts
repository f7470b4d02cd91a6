import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { localChainOf, prepareLocalNetwork } from "@purser/contracts/chain/local-network.ts";
import { networkFactsOf, usdcOf } from "@purser/service/foundation/blockchain-networks.ts";
import { LOCAL_OPERATOR_KEYS } from "../../../../local/src/local-config.ts";
import { type Environment, launchServer, untilServing } from "../../server-process.ts";

const BUNDLER = fileURLToPath(new URL("bundler-server.ts", import.meta.url));
export const NETWORK = "base";
/** Faster than a second a block, the chain's clock runs ahead. Final is what has survived the blocks of a few seconds. */
const BLOCK_EVERY_MS = 500;
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const TOKEN_ABI = [
  {
    type: "function",
    name: "mint",
    stateMutability: "nonpayable",
    inputs: [{ type: "address" }, { type: "uint256" }],
    outputs: [],
  },
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ type: "address" }],
    outputs: [{ type: "uint256" }],
  },
] as const;

export type Address = `0x${string}`;

/** A chain that makes two blocks a second, with the contracts of a network, and its bundler. Each is a process. */
export interface LiveChain {
  /** Makes a server use the chain and the bundler. */
  readonly environment: Environment;
  /** Sends a transaction that creates USDC, and does not wait for its block. */
  mint(address: Address, micros: bigint): Promise<void>;
  /** Returns what addresses have in the newest block, in millionths of a USDC. */
  balances(addresses: readonly Address[]): Promise<readonly bigint[]>;
  /** Whether an account is frozen. False if it is not deployed. */
  isFrozen(address: Address): Promise<boolean>;
  blockNumber(): Promise<bigint>;
  /** Replaces the newest blocks with empty ones. */
  reorganize(depth: number): Promise<void>;
  /** Moves the time of the next block forward. */
  passSeconds(seconds: number): Promise<void>;
  /** Stops a process, and lets it go on after a time. */
  pause(victim: "anvil" | "bundler", forMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function startLiveChain(): Promise<LiveChain> {
  const chain = localChainOf(NETWORK, networkFactsOf(NETWORK).evmChainId ?? 0);
  const usdc = usdcOf(NETWORK) as Address;
  const { rpcUrl, publicClient, walletClient, testClient, signal, stop } = await startLocalChain([], chain);
  await prepareLocalNetwork({ rpcUrl, chain, usdc });
  await testClient.setAutomine(false);
  const closing = new AbortController();
  // Blocks that anvil makes by itself during a reorganisation can leave logs of transactions whose effects are lost.
  let changing: Promise<unknown> = Promise.resolve();
  const change = (method: string, params: readonly unknown[]) => {
    const changed = changing.then(() => testClient.request({ method: method as never, params: params as never }));
    changing = changed.catch(() => {});
    return changed;
  };
  const mining = (async () => {
    while (!closing.signal.aborted) {
      await wait(BLOCK_EVERY_MS);
      // The chain can be paused for longer than a call waits.
      await change("evm_mine", []).catch(() => {});
    }
  })();
  const launched = launchServer({ RPC_URL: rpcUrl }, BUNDLER);
  const bundler = await untilServing(launched, { untilReady: false });
  const signals = { anvil: signal, bundler: bundler.signal };
  return {
    environment: {
      PURSER_RPC_URLS: `${NETWORK} ${rpcUrl}`,
      PURSER_RPC_TIMEOUT_MS: "1000",
      PURSER_SYNC_WAIT_MS: "1500",
      PURSER_PROVIDER_TIMEOUT_MS: "1000",
      // It then shows why a bundler has refused an operation.
      PURSER_LOG_LEVEL: "warn",
      PIMLICO_API_URL: bundler.url,
      PIMLICO_API_KEY: "sandbox-campaign",
      ...LOCAL_OPERATOR_KEYS,
    },
    mint: async (address, micros) => {
      const args = [address, micros] as const;
      await walletClient.writeContract({ address: usdc, abi: TOKEN_ABI, functionName: "mint", args, chain });
    },
    balances: (addresses) =>
      publicClient.multicall({
        ...{ multicallAddress: MULTICALL3, allowFailure: false },
        contracts: addresses.map((owner) => ({
          ...({ address: usdc, abi: TOKEN_ABI, functionName: "balanceOf" } as const),
          args: [owner] as const,
        })),
      }),
    isFrozen: async (address) => {
      if ((await publicClient.getCode({ address })) === undefined) return false;
      return await publicClient.readContract({ address, abi: agentAccountAbi, functionName: "frozen" });
    },
    blockNumber: () => publicClient.getBlockNumber({ cacheTime: 0 }),
    reorganize: async (depth) => void (await change("anvil_reorg", [depth, []])),
    passSeconds: (seconds) => testClient.increaseTime({ seconds }).then(() => {}),
    pause: async (victim, forMs) => {
      signals[victim]("SIGSTOP");
      await wait(forMs);
      signals[victim]("SIGCONT");
    },
    close: async () => {
      closing.abort();
      await mining;
      await bundler.kill();
      await stop();
    },
  };
}
