import { setTimeout } from "node:timers/promises";
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  isAddressEqual,
  numberToHex,
  type PublicClient,
} from "viem";
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from "viem/account-abstraction";
import { operationReceiptOf } from "./operation-receipt.ts";
import { preVerificationGasOf, RpcError } from "./operations.ts";

const ENTRY_POINT = { address: entryPoint08Address, abi: entryPoint08Abi } as const;
const BUNDLE_MAX = 50;
const BUNDLE_GAS = 100_000n;
/** The most gas that a transaction can have (EIP-7825). */
const BUNDLE_GAS_MAX = 2n ** 24n;
const POLL_MS = 20;
const MINED_WITHIN_POLLS = 1_500;
/** Another operation with the same nonce must pay a tenth more. */
const REPLACEMENT_PERCENT = 110n;

type Operation = UserOperation<"0.8">;

interface Pooled {
  readonly hash: Hex;
  readonly operation: Operation;
}

interface Failure {
  readonly index: number;
  readonly reason: string;
  /** What the account or the paymaster reverted with. */
  readonly revert: Hex | undefined;
}

/** A bundler of one chain. Its pool is in memory, and lost when the process ends. */
export class ChainBundler {
  readonly #chainId: number;
  readonly #rpcUrl: string;
  readonly #client: PublicClient;
  readonly #pool = new Map<Hex, Pooled>();
  /** The transaction with the bundle of each operation. */
  readonly #sent = new Map<Hex, Hex>();
  /** The account that pays for the transactions. */
  #executor: Address | undefined;
  #sending: readonly Pooled[] = [];
  #isClosed = false;
  #bundling: Promise<void> | undefined;

  constructor(chainId: number, rpcUrl: string) {
    this.#chainId = chainId;
    this.#rpcUrl = rpcUrl;
    this.#client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });
  }

  /** Ends the work in the background. What is pooled is lost. */
  close(): void {
    this.#isClosed = true;
    this.#pool.clear();
  }

  /** Puts an operation in the pool, and bundles it in the background. Throws an error of ERC-7769 if it would be refused. */
  async add(operation: Operation): Promise<Hex> {
    const hash = getUserOperationHash({
      ...{ chainId: this.#chainId, entryPointAddress: entryPoint08Address, entryPointVersion: "0.8" },
      userOperation: operation,
    });
    // An operation whose block was replaced can be sent again.
    if (this.#pool.has(hash) || (await this.receiptOf(hash)) !== null) throw new RpcError(-32602, "Already known");
    if (operation.preVerificationGas < preVerificationGasOf(operation)) {
      throw new RpcError(-32602, `preVerificationGas is not enough, required: ${preVerificationGasOf(operation)}`);
    }
    if (bundleGasOf([operation]) > BUNDLE_GAS_MAX) {
      throw new RpcError(-32602, `the gas limits exceed the gas of a bundle, ${BUNDLE_GAS_MAX}`);
    }
    await this.#validate(operation);
    this.#replaceRival(hash, operation);
    this.#pool.set(hash, { hash, operation });
    this.#bundle();
    return hash;
  }

  async receiptOf(hash: Hex): Promise<object | null> {
    const transactionHash = this.#sent.get(hash);
    const receipt = transactionHash && (await this.#transactionReceipt(transactionHash));
    return receipt ? operationReceiptOf(hash, receipt) : null;
  }

  async gasPrices(): Promise<object> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.#client.estimateFeesPerGas();
    const price = {
      maxFeePerGas: numberToHex(maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
    };
    return { slow: price, standard: price, fast: price };
  }

  /** Simulates the operation in a bundle of its own. */
  async #validate(operation: Operation): Promise<void> {
    const failure = await this.#failureOf([operation]);
    if (failure !== undefined) throw new RpcError(codeOf(failure.reason), failure.reason, failure.revert);
  }

  /**
   * Removes the pooled operation with the same nonce, if this one pays enough to replace it. It is called after the
   * validation, during which operations can have come and gone. The refusals are those of Pimlico's bundler.
   */
  #replaceRival(hash: Hex, operation: Operation): void {
    if (this.#pool.has(hash)) throw new RpcError(-32602, "Already known");
    const rival = [...this.#pool.values()].find(
      ({ operation: { sender, nonce } }) => nonce === operation.nonce && isAddressEqual(sender, operation.sender),
    );
    if (rival === undefined) return;
    if (this.#sending.includes(rival)) {
      throw new RpcError(
        -32602,
        "AA25 invalid account nonce: User operation is already in mempool and getting processed with same nonce and sender",
      );
    }
    if (!replaces(operation, rival.operation)) {
      throw new RpcError(
        -32602,
        "AA25 invalid account nonce: User operation already present in mempool, bump the gas price by minimum 10%",
      );
    }
    this.#pool.delete(rival.hash);
  }

  async #transactionReceipt(hash: Hex) {
    return await this.#client.request({ method: "eth_getTransactionReceipt", params: [hash] });
  }

  async #findExecutor(): Promise<Address> {
    if (this.#executor !== undefined) return this.#executor;
    const accounts = await this.#client.request({ method: "eth_accounts" } as never);
    // The last one mints.
    this.#executor = (accounts as unknown as Address[]).at(-2);
    if (this.#executor === undefined) throw new RpcError(-32603, "the chain has no account for the bundler");
    return this.#executor;
  }

  async #failureOf(operations: readonly Operation[]): Promise<Failure | undefined> {
    const account = await this.#findExecutor();
    const args = [operations.map((operation) => toPackedUserOperation(operation)), account] as const;
    try {
      // The latest block of a quiet local chain is old, so its time says nothing about what has expired.
      const { timestamp: time } = await this.#client.getBlock({ blockTag: "pending" });
      const options = { account, gas: bundleGasOf(operations), blockOverrides: { time } };
      await this.#client.simulateContract({ ...ENTRY_POINT, functionName: "handleOps", args, ...options });
      return undefined;
    } catch (error) {
      const reverted =
        error instanceof BaseError && error.walk((each) => each instanceof ContractFunctionRevertedError);
      const data = reverted instanceof ContractFunctionRevertedError ? reverted.data : undefined;
      if (data?.errorName !== "FailedOp" && data?.errorName !== "FailedOpWithRevert") throw error;
      const [index, reason, revert] = data.args as readonly [bigint, string, Hex?];
      return { index: Number(index), reason, revert };
    }
  }

  /** Bundles until the pool is empty. A chain that does not answer loses the pool. */
  #bundle(): void {
    this.#bundling ??= (async () => {
      while (this.#pool.size > 0) await this.#sendBundle(bundleOf([...this.#pool.values()]));
    })()
      .catch(() => this.#pool.clear())
      .finally(() => {
        this.#bundling = undefined;
      });
  }

  async #sendBundle(bundle: readonly Pooled[]): Promise<void> {
    this.#sending = bundle;
    const operations = bundle.map(({ operation }) => operation);
    const failure = await this.#failureOf(operations);
    if (failure !== undefined) {
      const failed = bundle[failure.index];
      if (failed !== undefined) this.#pool.delete(failed.hash);
      return;
    }
    const account = await this.#findExecutor();
    const wallet = createWalletClient({ account, transport: http(this.#rpcUrl, { retryCount: 0 }) });
    const args = [operations.map((operation) => toPackedUserOperation(operation)), account] as const;
    const gas = bundleGasOf(operations);
    const hash = await wallet.writeContract({ ...ENTRY_POINT, functionName: "handleOps", args, gas, chain: null });
    for (const { hash: pooled } of bundle) this.#sent.set(pooled, hash);
    await this.#untilMined(hash);
    for (const { hash: pooled } of bundle) this.#pool.delete(pooled);
  }

  async #untilMined(hash: Hex): Promise<void> {
    for (let polls = 0; polls < MINED_WITHIN_POLLS && !this.#isClosed; polls += 1) {
      if ((await this.#transactionReceipt(hash)) !== null) return;
      await setTimeout(POLL_MS, undefined, { ref: false });
    }
    throw new Error(`The transaction ${hash} was not mined.`);
  }
}

/** Returns the oldest operations, as many as have room in a transaction. */
function bundleOf(pooled: readonly Pooled[]): readonly Pooled[] {
  const operations = pooled.slice(0, BUNDLE_MAX).map(({ operation }) => operation);
  while (bundleGasOf(operations) > BUNDLE_GAS_MAX) operations.pop();
  return pooled.slice(0, operations.length);
}

function bundleGasOf(operations: readonly Operation[]): bigint {
  return operations.reduce((total, operation) => total + gasOf(operation), BUNDLE_GAS);
}

function replaces(operation: Operation, rival: Operation): boolean {
  const fees = ["maxFeePerGas", "maxPriorityFeePerGas"] as const;
  return fees.every((fee) => 100n * operation[fee] >= REPLACEMENT_PERCENT * rival[fee]);
}

function gasOf(operation: Operation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = operation;
  const limits = callGasLimit + verificationGasLimit + paymasterVerificationGasLimit + paymasterPostOpGasLimit;
  return limits + preVerificationGas;
}

/** The codes of ERC-7769 for the reasons of the EntryPoint. */
const CODES: Readonly<Record<string, number>> = {
  AA24: -32507,
  AA22: -32503,
  AA32: -32503,
  AA31: -32508,
};

function codeOf(reason: string): number {
  return CODES[reason.slice(0, 4)] ?? (reason.startsWith("AA3") ? -32501 : -32500);
}
