import { localChainOf, type Mint, mintUsdc, prepareLocalNetwork } from "@purser/contracts/chain/local-network.ts";
import { type BlockchainNetwork, networkFactsOf } from "@purser/service/foundation/blockchain-networks.ts";
import { invariant } from "@purser/service/foundation/invariant.ts";
import { request } from "undici";
import { type Address, type Chain, getAddress } from "viem";
import { type Anvil, anvilFilesOf, findAnvil, startAnvil } from "./anvil.ts";
import { createStateSaver, type StateSaver } from "./save-state.ts";

/** A block as old as this is followed by an empty one when the newest block is asked for. */
const IDLE_MS = 10_000;
const FORWARD_TIMEOUT_MS = 30_000;

/** Calls that can make a block or change the chain in another way. */
const CHANGING = /^(?:eth_send|evm_|anvil_|hardhat_)/;

/** A call of JSON-RPC, as far as it matters here. */
export interface RpcRequest {
  readonly method?: unknown;
  readonly params?: unknown;
}

export interface LocalNetworkOptions {
  readonly network: BlockchainNetwork;
  /** Contains the states of all networks. */
  readonly folder: string;
  /** Receives a message for the user. */
  readonly note: (text: string) => void;
}

interface RunningChain {
  readonly anvil: Anvil;
  readonly saver: StateSaver;
  /** When its newest block was made or seen, in milliseconds. */
  blockSeenAtMs: number;
  mining: Promise<void> | undefined;
}

/** An EVM network on this machine. Its chain starts with the first call and keeps its state. */
export class LocalNetwork {
  readonly #options: LocalNetworkOptions;
  readonly #chain: Chain;
  readonly #usdc: Address;
  #starting: Promise<RunningChain> | undefined;
  #running: RunningChain | undefined;
  #minting: Promise<unknown> = Promise.resolve();

  constructor(options: LocalNetworkOptions) {
    const { evmChainId, contracts } = networkFactsOf(options.network);
    invariant(evmChainId !== undefined && contracts.usdc !== undefined, "an EVM network has a chain id and USDC");
    this.#options = options;
    this.#chain = localChainOf(options.network, evmChainId);
    this.#usdc = getAddress(contracts.usdc);
  }

  get name(): BlockchainNetwork {
    return this.#options.network;
  }

  /** The URL of its chain for readers, or undefined if it has not been started. */
  get rpcUrl(): string | undefined {
    return this.#running?.anvil.rpcUrl;
  }

  /** Sends the body of a JSON-RPC request to the chain, and returns that of the response. Throws if the chain is down. */
  async forward(body: string, requests: readonly RpcRequest[]): Promise<string> {
    return await this.#withChain(async (chain) => {
      if (requests.some(asksForLatest)) await mineIfIdle(chain);
      const timeouts = { headersTimeout: FORWARD_TIMEOUT_MS, bodyTimeout: FORWARD_TIMEOUT_MS };
      const headers = { "content-type": "application/json" };
      const response = await request(chain.anvil.rpcUrl, { method: "POST", headers, body, ...timeouts });
      const text = await response.body.text();
      if (requests.some(({ method }) => CHANGING.test(String(method)))) markChanged(chain);
      return text;
    });
  }

  /** Creates USDC for an address. */
  async mint(address: Address, amountMicros: bigint): Promise<Mint> {
    return await this.#withChain(async (chain) => {
      const mint = () => mintUsdc(this.#contractsOf(chain.anvil), { address, amountMicros });
      // All are sent by one account of anvil, which gives two at the same time the same nonce.
      const minted = this.#minting.then(mint);
      this.#minting = minted.catch(() => {});
      return await minted.finally(() => markChanged(chain));
    });
  }

  /** Saves the state and ends the chain, also one that an earlier start has left running. */
  async close(): Promise<void> {
    const chain = await this.#starting?.catch(() => undefined);
    await chain?.saver.close();
    const anvil = chain?.anvil ?? (await findAnvil(this.#files).catch(() => undefined));
    await anvil?.stop();
  }

  get #files() {
    return anvilFilesOf(this.#options.folder, this.#options.network);
  }

  #contractsOf({ rpcUrl }: Anvil) {
    return { rpcUrl, chain: this.#chain, usdc: this.#usdc };
  }

  #start(): Promise<RunningChain> {
    this.#starting ??= this.#startChain().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async #startChain(): Promise<RunningChain> {
    const files = this.#files;
    const anvil = (await findAnvil(files)) ?? (await startAnvil(files, this.#chain.id));
    const saver = createStateSaver(anvil, files.state, this.#options.note);
    const chain: RunningChain = { anvil, saver, blockSeenAtMs: 0, mining: undefined };
    try {
      await prepareLocalNetwork(this.#contractsOf(anvil));
      markChanged(chain);
    } catch (error) {
      await anvil.stop();
      throw error;
    }
    this.#running = chain;
    return chain;
  }

  /** Calls the chain. If it has ended, the next call starts it again from its last saved state. */
  async #withChain<Result>(call: (chain: RunningChain) => Promise<Result>): Promise<Result> {
    const chain = await this.#start();
    try {
      return await call(chain);
    } catch (error) {
      if (chain.anvil.hasEnded() && this.#running === chain) {
        this.#starting = undefined;
        this.#running = undefined;
      }
      throw error;
    }
  }
}

function asksForLatest({ method, params }: RpcRequest): boolean {
  return method === "eth_blockNumber" || (method === "eth_getBlockByNumber" && Object(params)[0] === "latest");
}

/**
 * Makes an empty block if the newest one is old. Nothing else makes blocks while no transaction is sent, and what expires or
 * becomes final waits for them.
 */
async function mineIfIdle(chain: RunningChain): Promise<void> {
  if (Date.now() - chain.blockSeenAtMs < IDLE_MS) return;
  chain.mining ??= mineUnlessNew(chain).finally(() => {
    chain.mining = undefined;
  });
  await chain.mining;
}

async function mineUnlessNew(chain: RunningChain): Promise<void> {
  const { call } = chain.anvil;
  const block = Object(await call("eth_getBlockByNumber", ["latest", false]));
  if (Date.now() - Number(block.timestamp) * 1000 >= IDLE_MS) await call("evm_mine");
  markChanged(chain);
}

function markChanged(chain: RunningChain): void {
  chain.blockSeenAtMs = Date.now();
  chain.saver.changed();
}
