import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  decodeErrorResult,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseAbi,
  parseEther,
  parseGwei,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from "viem";
import { entryPoint08Abi, entryPoint08Address, toPackedUserOperation } from "viem/account-abstraction";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { agentAccountAbi } from "../abi/agent-account.ts";
import { agentAccountFactoryAbi } from "../abi/agent-account-factory.ts";
import { agentGuardianAbi } from "../abi/agent-guardian.ts";
import { nonceKeyOf, type Operation, type Signer, signOperation, sponsorOperation } from "../chain/agent-account.ts";
import { DEPLOYMENTS } from "../chain/deployments.ts";
import { startLocalChain } from "../chain/local-chain.ts";
import { type CompiledContract, compileSolidity } from "./compile-solidity.ts";

/** A wallet of an agent, deployed or not. */
export interface TestWallet {
  readonly address: Address;
  readonly signer: LocalAccount;
  readonly factory: Address;
  readonly factoryData: Hex;
}

interface OperationOptions {
  readonly lane?: bigint;
  /** Signs instead of the wallet's signer. */
  readonly signer?: Signer;
  /** The number of the session whose key signs. */
  readonly session?: number;
}

type LocalChain = Awaited<ReturnType<typeof startLocalChain>>;
type Role = Exclude<keyof typeof DEPLOYMENTS.local, "adminDelaySeconds">;

/** What a new wallet owns of the token, and what it may spend of it in a day. In base units. */
export const BALANCE = 1_000_000_000n;

/** The end of all signatures in seconds since 1970: 2100-01-01 UTC. */
export const VALID_UNTIL = 4_102_444_800;

const CHAIN_ID = foundry.id;
const ENTRY_POINT = { address: entryPoint08Address, abi: entryPoint08Abi } as const;
const MINT_ABI = parseAbi(["function mint(address account, uint256 amount)"]);

/**
 * Starts a local chain on which wallets can spend a token and the paymaster pays for them. `anvilArguments` are added to
 * the command line of anvil.
 */
export async function startWalletChain({
  viaIr = false,
  anvilArguments = [] as readonly string[],
} = {}): Promise<WalletChain> {
  const chain = new WalletChain(await startLocalChain(anvilArguments));
  await chain.prepare(viaIr);
  return chain;
}

export class WalletChain {
  readonly local: LocalChain;
  /** Sends transactions for an account without a role. */
  readonly bundler;
  readonly guardian;
  readonly factory;
  token: Address = zeroAddress;
  #keys = 0;

  constructor(local: LocalChain) {
    this.local = local;
    this.bundler = clientOf(local, local.walletClient.account.address);
    const { agentGuardian, agentAccountFactory } = local.addresses;
    this.guardian = { address: agentGuardian, abi: agentGuardianAbi } as const;
    this.factory = { address: agentAccountFactory, abi: agentAccountFactoryAbi } as const;
  }

  async prepare(viaIr: boolean): Promise<void> {
    const compiled = compileSolidity("test/support/MockToken.sol", viaIr);
    this.token = await this.deploy(compiled("MockToken"));
    const { guardian, token } = this;
    const policyManager = this.as("policyManager");
    await policyManager.writeContractSync({ ...guardian, functionName: "addToken", args: [token] });
    await policyManager.writeContractSync({ ...guardian, functionName: "setDefaultLimit", args: [token, BALANCE] });
    await this.deposit(this.local.addresses.verifyingPaymaster, parseEther("10"));
  }

  /** Returns a client that sends transactions of a role. */
  as(role: Role) {
    return clientOf(this.local, DEPLOYMENTS.local[role]);
  }

  async deploy({ abi, bytecode }: Pick<CompiledContract, "abi" | "bytecode">, args: readonly unknown[] = []) {
    const data = encodeDeployData({ abi, bytecode, args });
    const { contractAddress, transactionHash } = await this.bundler.sendTransactionSync({ data });
    if (!contractAddress) throw new Error(`The transaction ${transactionHash} created no contract.`);
    return contractAddress;
  }

  /** Returns a new key. It is the same in each run, because the gas depends on the number of zeros in signatures. */
  newKey(): LocalAccount {
    this.#keys += 1;
    return privateKeyToAccount(keccak256(numberToHex(this.#keys, { size: 32 })));
  }

  /** Returns a wallet that owns the token but is not deployed. */
  async newWallet(): Promise<TestWallet> {
    const signer = this.newKey();
    const args = [signer.address, zeroAddress, zeroHash] as const;
    const address = await this.local.publicClient.readContract({
      ...this.factory,
      functionName: "accountOf",
      args,
    });
    await this.mint(address, BALANCE);
    return {
      address,
      signer,
      factory: this.factory.address,
      factoryData: encodeFunctionData({ ...this.factory, functionName: "createAccount", args }),
    };
  }

  /** Returns a deployed wallet that owns the token. */
  async createWallet(): Promise<TestWallet> {
    const wallet = await this.newWallet();
    await this.bundler.sendTransactionSync({
      to: wallet.factory,
      data: wallet.factoryData,
    });
    return wallet;
  }

  async mint(account: Address, amount: bigint): Promise<void> {
    await this.bundler.writeContractSync({
      address: this.token,
      abi: MINT_ABI,
      functionName: "mint",
      args: [account, amount],
    });
  }

  /** Pays for operations of an account or a paymaster in advance. */
  async deposit(payer: Address, value: bigint): Promise<void> {
    await this.bundler.writeContractSync({
      ...ENTRY_POINT,
      functionName: "depositTo",
      args: [payer],
      value,
    });
  }

  async balanceOf(account: Address): Promise<bigint> {
    return this.local.publicClient.readContract({
      address: this.token,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [account],
    });
  }

  async isDeployed({ address }: Pick<TestWallet, "address">): Promise<boolean> {
    return (await this.local.publicClient.getCode({ address })) !== undefined;
  }

  async epochIdOf(wallet: TestWallet): Promise<bigint> {
    if (!(await this.isDeployed(wallet))) return 0n;
    return this.local.publicClient.readContract({
      address: wallet.address,
      abi: agentAccountAbi,
      functionName: "epochId",
    });
  }

  /**
   * Returns an operation of the wallet, sponsored and signed. It deploys the wallet if it is not deployed. `encodeCall`
   * gets the id of the wallet's epoch, which each call names.
   */
  async operationOf(
    wallet: TestWallet,
    encodeCall: (epochId: bigint) => Hex,
    { lane = 0n, signer = wallet.signer, session = 0 }: OperationOptions = {},
  ): Promise<Operation> {
    const epochId = await this.epochIdOf(wallet);
    const operation = await this.unsignedOperation(wallet, encodeCall(epochId), nonceKeyOf(epochId, lane));
    const terms = { chainId: CHAIN_ID, validUntil: VALID_UNTIL, epochId, session };
    return signOperation(await this.sponsor(operation), signer, terms);
  }

  /** Returns an operation of any account, which deploys the account if it is not deployed. */
  async unsignedOperation(
    account: Pick<TestWallet, "address" | "factory" | "factoryData">,
    callData: Hex,
    nonceKey = 0n,
  ): Promise<Operation> {
    const { address, factory, factoryData } = account;
    const nonce = await this.local.publicClient.readContract({
      ...ENTRY_POINT,
      functionName: "getNonce",
      args: [address, nonceKey],
    });
    return {
      ...((await this.isDeployed(account)) ? {} : { factory, factoryData }),
      sender: address,
      nonce,
      callData,
      callGasLimit: 200_000n,
      verificationGasLimit: 300_000n,
      preVerificationGas: 60_000n,
      maxFeePerGas: parseGwei("10"),
      maxPriorityFeePerGas: parseGwei("1"),
      signature: "0x",
    };
  }

  async sponsor(operation: Operation): Promise<Operation> {
    return sponsorOperation(
      operation,
      SPONSOR,
      { address: this.local.addresses.verifyingPaymaster, chainId: CHAIN_ID },
      { validAfter: 0, validUntil: VALID_UNTIL },
    );
  }

  /** Sends a bundle to the EntryPoint, even if it will be refused. */
  async handleOps(...operations: Operation[]): Promise<TransactionReceipt> {
    const call = handleOpsCall(operations, this.bundler.account.address);
    return this.bundler.writeContractSync({ ...call, gas: 5_000_000n });
  }

  /** Returns why the EntryPoint refuses a bundle, or undefined if it accepts it. */
  async refusalOf(...operations: Operation[]): Promise<string | undefined> {
    const { account } = this.bundler;
    try {
      await this.local.publicClient.simulateContract({
        ...handleOpsCall(operations, account.address),
        account,
      });
      return undefined;
    } catch (error) {
      return refusalIn(error);
    }
  }
}

/** Returns a client for an account whose key anvil has. Its `Sync` actions wait for the block. */
function clientOf({ rpcUrl }: LocalChain, account: Address) {
  return createWalletClient({
    account,
    chain: foundry,
    transport: http(rpcUrl),
    pollingInterval: 20,
  });
}

const SPONSOR = anvilAccount(DEPLOYMENTS.local.paymasterSigner);

/** Returns one of anvil's accounts with its key, which is public. */
function anvilAccount(address: Address): LocalAccount {
  const mnemonic = "test test test test test test test test test test test junk";
  for (let addressIndex = 0; addressIndex < 10; addressIndex += 1) {
    const account = mnemonicToAccount(mnemonic, { addressIndex });
    if (account.address === address) return account;
  }
  throw new Error(`${address} is not an account of anvil.`);
}

function handleOpsCall(operations: readonly Operation[], beneficiary: Address) {
  return {
    ...ENTRY_POINT,
    functionName: "handleOps",
    args: [operations.map((operation) => toPackedUserOperation(operation)), beneficiary],
  } as const;
}

/** Returns the EntryPoint's reason and the name of the account's error, for example `AA23 reverted: AccountFrozen`. */
function refusalIn(error: unknown): string {
  const reverted =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : undefined;
  if (!(reverted instanceof ContractFunctionRevertedError)) throw error;
  const [, reason, inner] = (reverted.data?.args ?? []) as [bigint, string, Hex?];
  if (inner === undefined) return reason;
  return `${reason}: ${decodeErrorResult({ abi: agentAccountAbi as Abi, data: inner }).errorName}`;
}
