import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import {
  entryPoint08Abi,
  entryPoint08Address,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from "viem/account-abstraction";
import { preVerificationGasOf, RpcError } from "./operations.ts";

const ENTRY_POINT = { address: entryPoint08Address, abi: entryPoint08Abi } as const;
const BUNDLE_MAX = 50;
const BUNDLE_GAS = 100_000n;
/** Another operation with the same nonce must pay a tenth more. */
const REPLACEMENT_PERCENT = 110n;

type Operation = UserOperation<"0.8">;

interface Pooled {
  readonly hash: Hex;
  readonly operation: Operation;
}

/** A bundler of one chain. Its pool is in memory, and lost when the process ends. */
export class ChainBundler {
  readonly #chainId: number;
  readonly #rpcUrl: string;
  readonly #client: PublicClient;
  readonly #pool = new Map<Hex, Pooled>();
  readonly #mined = new Map<Hex, Hex>();
  #bundling: Promise<void> | undefined;

  constructor(chainId: number, rpcUrl: string) {
    this.#chainId = chainId;
    this.#rpcUrl = rpcUrl;
    this.#client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), pollingInterval: 20 });
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
    await this.#validate(operation);
    for (const { hash: other, operation: pooled } of this.#pool.values()) {
      if (pooled.sender !== operation.sender || pooled.nonce !== operation.nonce) continue;
      if (100n * operation.maxFeePerGas < REPLACEMENT_PERCENT * pooled.maxFeePerGas) {
        throw new RpcError(-32602, "replacement underpriced");
      }
      this.#pool.delete(other);
    }
    this.#pool.set(hash, { hash, operation });
    this.#bundle();
    return hash;
  }

  async receiptOf(hash: Hex): Promise<object | null> {
    const transactionHash = this.#mined.get(hash);
    if (transactionHash === undefined) return null;
    const receipt = await this.#client.getTransactionReceipt({ hash: transactionHash }).catch(() => null);
    const event = receipt && eventsOf(receipt).find(({ args }) => args.userOpHash === hash);
    if (receipt === null || event == null) return null;
    const { sender, nonce, paymaster, success, actualGasCost, actualGasUsed } = event.args;
    return toHex({
      ...{ userOpHash: hash, entryPoint: entryPoint08Address, sender, nonce, paymaster, success },
      ...{ actualGasCost, actualGasUsed, logs: receipt.logs, receipt },
    });
  }

  async gasPrices(): Promise<object> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.#client.estimateFeesPerGas();
    const price = toHex({ maxFeePerGas, maxPriorityFeePerGas });
    return { slow: price, standard: price, fast: price };
  }

  /** Simulates the operation in a bundle of its own. */
  async #validate(operation: Operation): Promise<void> {
    const failure = await this.#failureOf([operation]);
    if (failure !== undefined) throw new RpcError(codeOf(failure.reason), failure.reason);
  }

  async #executor(): Promise<Address> {
    const accounts = await this.#client.request({ method: "eth_accounts" } as never);
    // The last one mints.
    const executor = (accounts as unknown as Address[]).at(-2);
    if (executor === undefined) throw new RpcError(-32603, "the chain has no account for the bundler");
    return executor;
  }

  async #failureOf(operations: readonly Operation[]): Promise<{ index: number; reason: string } | undefined> {
    const account = await this.#executor();
    const args = [operations.map((operation) => toPackedUserOperation(operation)), account] as const;
    try {
      await this.#client.simulateContract({ ...ENTRY_POINT, functionName: "handleOps", args, account });
      return undefined;
    } catch (error) {
      const revert = error instanceof BaseError && error.walk((each) => each instanceof ContractFunctionRevertedError);
      const data = revert instanceof ContractFunctionRevertedError ? revert.data : undefined;
      if (data?.errorName !== "FailedOp" && data?.errorName !== "FailedOpWithRevert") throw error;
      return { index: Number(data.args?.[0]), reason: String(data.args?.[1]) };
    }
  }

  /** Bundles until the pool is empty. A chain that does not answer loses the pool. */
  #bundle(): void {
    this.#bundling ??= (async () => {
      while (this.#pool.size > 0) await this.#sendBundle([...this.#pool.values()].slice(0, BUNDLE_MAX));
    })()
      .catch(() => this.#pool.clear())
      .finally(() => {
        this.#bundling = undefined;
      });
  }

  async #sendBundle(bundle: readonly Pooled[]): Promise<void> {
    const operations = bundle.map(({ operation }) => operation);
    const failure = await this.#failureOf(operations);
    if (failure !== undefined) {
      const failed = bundle[failure.index];
      if (failed !== undefined) this.#pool.delete(failed.hash);
      return;
    }
    const account = await this.#executor();
    const wallet = createWalletClient({ account, transport: http(this.#rpcUrl, { retryCount: 0 }) });
    const args = [operations.map((operation) => toPackedUserOperation(operation)), account] as const;
    const gas = operations.reduce((total, operation) => total + gasOf(operation), BUNDLE_GAS);
    const hash = await wallet.writeContract({ ...ENTRY_POINT, functionName: "handleOps", args, gas, chain: null });
    const receipt = await this.#client.waitForTransactionReceipt({ hash, checkReplacement: false, timeout: 30_000 });
    for (const { args: event } of eventsOf(receipt)) this.#mined.set(event.userOpHash, hash);
    for (const { hash: pooled } of bundle) this.#pool.delete(pooled);
  }
}

function eventsOf({ logs }: TransactionReceipt) {
  return parseEventLogs({ abi: entryPoint08Abi, eventName: "UserOperationEvent", logs });
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

/** Returns a value with all its numbers as hex. */
function toHex(value: object): object {
  const replace = (_key: string, each: unknown) => (typeof each === "bigint" ? numberToHex(each) : each);
  return JSON.parse(JSON.stringify(value, replace));
}
