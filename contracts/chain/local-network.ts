import {
  type Address,
  type Chain,
  createTestClient,
  createWalletClient,
  http,
  type PublicClient,
  parseAbi,
  parseEther,
} from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import { foundry } from "viem/chains";
import { ADDRESSES } from "../abi/addresses.ts";
import { agentGuardianAbi } from "../abi/agent-guardian.ts";
import { LOCAL_CODES } from "../abi/local-codes.ts";
import { DEPLOYMENTS } from "./deployments.ts";
import { createLocalClient, createLocalWallet, deployLocalContracts } from "./local-chain.ts";

/** The same on every network (https://www.multicall3.com). */
const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";
const MINT_ABI = parseAbi(["function mint(address account, uint256 amount)"]);

/** What an account can spend in a UTC day: 10,000 USDC. */
const DAILY_LIMIT_MICROS = 10_000_000_000n;
const PAYMASTER_DEPOSIT = parseEther("1000");

/** A network whose chain is an anvil on this machine. */
export interface LocalNetworkChain {
  readonly rpcUrl: string;
  readonly chain: Chain;
  /** The address of USDC on the real network. */
  readonly usdc: Address;
}

/** Returns the chain of a network for clients of viem. */
export function localChainOf(name: string, id: number): Chain {
  return { ...foundry, id, name };
}

/**
 * Puts the contracts that Purser needs on a local network: the EntryPoint and our contracts, USDC and Multicall3 at their
 * real addresses, a daily limit for USDC, and a deposit of the paymaster. Does nothing if they are there.
 */
export async function prepareLocalNetwork({ rpcUrl, chain, usdc }: LocalNetworkChain): Promise<void> {
  // A chain that was saved by an earlier version lacks the contracts that are new.
  await deployLocalContracts(rpcUrl, chain);
  if (await isPrepared(createLocalClient(rpcUrl, chain))) return;
  const options = { chain, transport: http(rpcUrl), pollingInterval: 20 };
  const test = createTestClient({ ...options, mode: "anvil" });
  await test.setCode({ address: MULTICALL3, bytecode: LOCAL_CODES.multicall3 });
  await test.setCode({ address: usdc, bytecode: LOCAL_CODES.mockToken });

  const policyManager = createWalletClient({ ...options, account: DEPLOYMENTS.local.policyManager });
  const guardian = { address: ADDRESSES.local.agentGuardian, abi: agentGuardianAbi } as const;
  const hashes = [
    await policyManager.writeContract({ ...guardian, functionName: "addToken", args: [usdc] }),
    await policyManager.writeContract({
      ...guardian,
      functionName: "setDefaultLimit",
      args: [usdc, DAILY_LIMIT_MICROS],
    }),
    await createWalletClient({ ...options, account: DEPLOYMENTS.local.paymasterOwner }).writeContract({
      ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: "depositTo" },
      args: [ADDRESSES.local.verifyingPaymaster],
      value: PAYMASTER_DEPOSIT,
    }),
  ];
  for (const hash of hashes) await requireSuccess(rpcUrl, chain, hash);
}

/** The deposit is made last. */
async function isPrepared(client: PublicClient): Promise<boolean> {
  const deposit = await client.readContract({
    ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: "balanceOf" },
    args: [ADDRESSES.local.verifyingPaymaster],
  });
  return deposit > 0n;
}

export interface Mint {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
}

/** Creates USDC for an address. Returns the transaction that did so. */
export async function mintUsdc(
  { rpcUrl, chain, usdc }: LocalNetworkChain,
  { address, amountMicros }: { readonly address: Address; readonly amountMicros: bigint },
): Promise<Mint> {
  const wallet = await createLocalWallet(rpcUrl, chain);
  const hash = await wallet.writeContract({
    ...{ chain, address: usdc, abi: MINT_ABI, functionName: "mint" },
    args: [address, amountMicros],
  });
  return { transactionHash: hash, blockNumber: await requireSuccess(rpcUrl, chain, hash) };
}

async function requireSuccess(rpcUrl: string, chain: Chain, hash: `0x${string}`): Promise<bigint> {
  const { status, blockNumber } = await createLocalClient(rpcUrl, chain).waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`The transaction ${hash} on ${chain.name} failed.`);
  return blockNumber;
}
