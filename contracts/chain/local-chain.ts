import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import {
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  type TestClient,
  type WaitForTransactionReceiptParameters,
} from "viem";
import { waitForTransactionReceipt } from "viem/actions";
import { foundry } from "viem/chains";
import { ADDRESSES } from "../abi/addresses.ts";
import { CREATION_CODES } from "../abi/creation-codes.ts";
import { deployContracts, type Wallet } from "./deploy-contracts.ts";
import { DEPLOYMENTS } from "./deployments.ts";
import { foundryBinary } from "./foundry-binary.ts";
import { grantRoles, missingRoles } from "./guardian-roles.ts";
import { planContracts, planEntryPoint } from "./plan-contracts.ts";

/**
 * Starts a local chain on a free port of this machine, with the EntryPoint and the contracts of the deployment `local`.
 * `anvilArguments` are added to the command line, for example `--block-time 1`.
 */
export async function startLocalChain(anvilArguments: readonly string[] = [], chain: Chain = foundry) {
  const address = ["--host", "127.0.0.1", "--port", "0", "--chain-id", String(chain.id)];
  const anvil = spawn(foundryBinary("anvil"), [...address, ...anvilArguments], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => anvil.kill("SIGKILL");
  process.once("exit", kill);
  const exited = once(anvil, "close").finally(() => process.off("exit", kill));
  const signal = (name: NodeJS.Signals) => void anvil.kill(name);
  const stop = async () => {
    signal("SIGTERM");
    await exited;
  };

  try {
    const rpcUrl = await rpcUrlOf(anvil, exited);
    const publicClient = createLocalClient(rpcUrl, chain);
    const walletClient = await createLocalWallet(rpcUrl, chain);
    const testClient = createTestClient({ mode: "anvil", chain, transport: http(rpcUrl) });
    await deployLocalContracts(rpcUrl, chain);
    const snapshot = async () => await snapshotOf(testClient);
    const clients = { publicClient, walletClient, testClient };
    return { rpcUrl, ...clients, addresses: ADDRESSES.local, snapshot, signal, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates the EntryPoint and the contracts of the deployment `local` on a local chain, and grants the roles. */
export async function deployLocalContracts(rpcUrl: string, chain: Chain = foundry): Promise<void> {
  const client = createLocalClient(rpcUrl, chain);
  const plan = [planEntryPoint(), ...planContracts(DEPLOYMENTS.local, CREATION_CODES)];
  await deployContracts(client, await createLocalWallet(rpcUrl, chain), plan);
  const { agentGuardian } = ADDRESSES.local;
  const missing = await missingRoles(client, agentGuardian, DEPLOYMENTS.local);
  if (missing.length > 0) await grantRoles(client, createLocalAdmin(rpcUrl, chain), agentGuardian, missing);
}

/** Returns a function that takes the chain back to its present state. */
async function snapshotOf(testClient: TestClient): Promise<() => Promise<void>> {
  const id = await testClient.snapshot();
  return async () => {
    // Anvil removes a mined transaction from its pool a moment after its receipt can be read. A new transaction of the
    // same sender and nonce would be removed in its place.
    while ((await testClient.getTxpoolStatus()).pending > 0) await setTimeout(5);
    await testClient.revert({ id });
  };
}

export function createLocalClient(rpcUrl: string, chain: Chain = foundry) {
  // Anvil creates a block for each transaction at once, and no other. While viem looks for a replacement of the
  // transaction, it can miss that block, and would then wait for the next one for ever.
  return createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 20 }).extend((client) => ({
    waitForTransactionReceipt: async (parameters: WaitForTransactionReceiptParameters) =>
      await waitForTransactionReceipt(client, { ...parameters, checkReplacement: false }),
  }));
}

/** Returns a wallet with the last of anvil's own accounts, which has no role in the contracts. Anvil signs for it. */
export async function createLocalWallet(rpcUrl: string, chain: Chain = foundry): Promise<Wallet> {
  const options = { chain, transport: http(rpcUrl) };
  const account = (await createWalletClient(options).getAddresses()).at(-1);
  if (account === undefined) throw new Error(`The chain at ${rpcUrl} has no accounts of its own.`);
  return createWalletClient({ ...options, account });
}

/** Returns a wallet with the admin of the deployment `local`, which is one of anvil's own accounts. */
export function createLocalAdmin(rpcUrl: string, chain: Chain = foundry): Wallet {
  return createWalletClient({ chain, transport: http(rpcUrl), account: DEPLOYMENTS.local.admin });
}

async function rpcUrlOf(anvil: ChildProcess, exited: Promise<unknown>): Promise<string> {
  const errors: string[] = [];
  anvil.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  if (anvil.stdout === null) throw new Error("anvil has no standard output");
  for await (const line of createInterface({ input: anvil.stdout })) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    // Anvil logs each call, and would stop if no one read its log.
    anvil.stdout.resume();
    return `http://${address}`;
  }
  // The end of its standard error can arrive later than that of its standard output.
  await exited;
  throw new Error(`anvil ended while starting: ${errors.join("")}`);
}
