import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import type { App } from "../../app.ts";
import {
  addressOfKey,
  decodeTransaction,
  encodeDeployAndFreeze,
  encodeFreeze,
  encodeUnfreeze,
  higherPrice,
  signTransaction,
} from "../../crypto/guardian-transaction.ts";
import type { HexText } from "../../crypto/user-operation.ts";
import { withTransaction } from "../../db/transaction.ts";
import { evmChainIdOf } from "../../foundation/blockchain-networks.ts";
import { AppError } from "../../foundation/errors.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { GuardianAction } from "../../foundation/vocabulary.ts";
import {
  hasFreezeInFlight,
  isSigned,
  type OperatorTransaction,
  operatorTransactionRows,
  readNewestBlock,
  reserveNonce,
  type SignedTransaction,
} from "../../modules/operator-transactions/queries.ts";
import {
  type AccountState,
  frozenCallOf,
  numberOf,
  readAccountState,
} from "../../modules/user-operations/account-state.ts";
import { showChainFreeze } from "../../modules/wallets/freezes/chain-freezes.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import type { EvmNetwork } from "../../ports/evm-network.ts";
import { dropTransaction, endUnfreeze, isWanted } from "./record-receipt.ts";

/** How often the first fee a transaction pays at most. */
const FEE_LIMIT_FACTOR = 10n;
/** Much more than a freeze that deploys the account uses on any network. */
const GAS_MAX = 3_000_000n;
/** After this time in no block, a freeze has failed. */
export const FAILED_AFTER_MS = 10 * 60_000;
/** How many of the newest bytes are looked for. Nodes keep only the newest. */
const HASHES_MAX = 50;

/**
 * Signs a transaction, and stores its bytes before they are sent. Returns undefined if it has to wait for another one, if it is no
 * longer needed, or if another process has signed it. Throws `network_unavailable` if this server has no key for it, or if it would
 * revert.
 */
export async function signTransactionOf(
  app: App,
  chain: EvmNetwork,
  transaction: OperatorTransaction,
): Promise<SignedTransaction | undefined> {
  const wallet = await walletRows.get(app.db, transaction);
  const [account, price] = await Promise.all([readAccountState(app, chain, wallet), chain.readGasPrice()]);
  if (!(await isNeeded(app, chain, { transaction, wallet, account }))) return undefined;
  const { action, tenantId, network } = transaction;
  const { key, sender } = requireKey(app, action);
  const to = ADDRESSES[app.settings.contractsDeployment].agentGuardian;
  const data = callOf(transaction, wallet, account);
  const [gas, from] = await Promise.all([
    chain.estimateGas({ from: sender, to, data }),
    chain.readTransactionCount(sender, "latest"),
  ]);
  const gasLimit = gasLimitOf(gas);
  if (gasLimit === undefined) {
    throw new AppError("network_unavailable", { internal: `the ${action} of ${wallet.walletId} would revert` });
  }
  const call = { chainId: evmChainIdOf(chain.network), to, data, gasLimit, ...price };
  return await withTransaction(app.db, tenantId, async (tx) => {
    const isStillWanted = isWanted(transaction, await walletRows.lockAndGet(tx, wallet));
    const current = await operatorTransactionRows.lock(tx, transaction);
    if (!isStillWanted || current === undefined || current.endedAt !== null || isSigned(current)) return undefined;
    const nonce = await reserveNonce(tx, { network, sender, from, at: app.clock.now() });
    const { signed, hash } = signTransaction({ ...call, nonce }, key);
    await showChainFreeze(tx, wallet, hash);
    const stored = await operatorTransactionRows.updateAndGet(tx, transaction, {
      ...{ sender, nonce, signedTransaction: signed, hashes: [hash], signedAt: app.clock.now(), sentAt: null },
      feeLimit: FEE_LIMIT_FACTOR * price.maxFeePerGas,
    });
    return isSigned(stored) ? stored : undefined;
  });
}

interface Planned {
  readonly transaction: OperatorTransaction;
  readonly wallet: Wallet;
  readonly account: AccountState;
}

/** Returns false if a transaction is not to be signed now. Ends it if it is not needed any more. */
async function isNeeded(app: App, chain: EvmNetwork, { transaction, wallet, account }: Planned): Promise<boolean> {
  if (!isWanted(transaction, wallet)) {
    await dropTransaction(app, transaction, account.isFrozen);
    return false;
  }
  if (transaction.action === "freeze") return true;
  // What was signed to freeze the account could be executed after the unfreezing.
  if (await hasFreezeInFlight(app.db, transaction)) return false;
  if (account.isFrozen) return true;
  if (await isNotFrozen(app, chain, wallet)) await endUnfreeze(app, transaction);
  return false;
}

/** Whether all nodes say that the account is not frozen, at a block that contains all that has frozen it. */
async function isNotFrozen(app: App, chain: EvmNetwork, wallet: Wallet): Promise<boolean> {
  const { lowest: block } = await chain.readHeads();
  if ((await readNewestBlock(app.db, wallet)) > block) return false;
  const results = await chain.readAgreedCalls([frozenCallOf(wallet.address)], block);
  return results !== null && numberOf(results[0]) === 0n;
}

function callOf({ action, salt }: OperatorTransaction, wallet: Wallet, account: AccountState): HexText {
  if (action === "unfreeze") return encodeUnfreeze(wallet, account.epochId, salt);
  return account.isDeployed ? encodeFreeze(wallet, salt) : encodeDeployAndFreeze(wallet, salt);
}

/** What a transaction needs can grow until it is executed. Undefined if it would revert, or if the estimate cannot be true. */
function gasLimitOf(estimate: bigint | null): bigint | undefined {
  return estimate === null || estimate > GAS_MAX ? undefined : (estimate * 3n) / 2n;
}

/**
 * Signs a transaction again under its nonce, for a quarter more of gas price than before, or for the present one if that is higher.
 * It pays at most ten times the first price. Once it has failed, it is as if it were new: the present price is the first.
 */
export async function replaceSigned(
  app: App,
  chain: EvmNetwork,
  transaction: SignedTransaction,
): Promise<SignedTransaction> {
  const { action, sender, createdAt } = transaction;
  const { key, sender: ownAddress } = requireKey(app, action);
  // The operator has another key since. What was signed is sent as it is.
  if (ownAddress !== sender) return transaction;
  const before = decodeTransaction(transaction.signedTransaction);
  const [present, gas] = await Promise.all([
    chain.readGasPrice(),
    chain.estimateGas({ from: sender, to: before.to, data: before.data }),
  ]);
  const at = app.clock.now();
  const hasFailed = at.getTime() - createdAt.getTime() >= FAILED_AFTER_MS;
  const newLimit = hasFailed ? FEE_LIMIT_FACTOR * present.maxFeePerGas : 0n;
  const feeLimit = newLimit > transaction.feeLimit ? newLimit : transaction.feeLimit;
  const price = higherPrice(before, present, feeLimit);
  const { signed, hash } = signTransaction({ ...before, gasLimit: gasLimitOf(gas) ?? before.gasLimit, ...price }, key);
  return await withTransaction(app.db, transaction.tenantId, async (tx) => {
    const wallet = await walletRows.lockAndGet(tx, transaction);
    const current = await operatorTransactionRows.lockAndGet(tx, transaction);
    // Another process has replaced it, or has found it in a block.
    const isSame = current.signedTransaction === transaction.signedTransaction && current.blockNumber === null;
    if (!isSame) return isSigned(current) ? current : transaction;
    const hashes = current.hashes.includes(hash) ? current.hashes : [...current.hashes, hash].slice(-HASHES_MAX);
    if (isWanted(current, wallet)) await showChainFreeze(tx, wallet, hash);
    const change = { signedTransaction: signed, hashes, feeLimit, signedAt: at, sentAt: null };
    const stored = await operatorTransactionRows.updateAndGet(tx, transaction, change);
    invariant(isSigned(stored), "it was signed");
    return stored;
  });
}

interface OperatorKey {
  readonly key: HexText;
  readonly sender: HexText;
}

function requireKey({ operatorKeys }: Pick<App, "operatorKeys">, action: GuardianAction): OperatorKey {
  const key = action === "freeze" ? operatorKeys.freezer : operatorKeys.unfreezer;
  const sender = key === null ? undefined : addressOfKey(key);
  if (key !== null && sender !== undefined) return { key, sender };
  throw new AppError("network_unavailable", { internal: `this server has no key to ${action} accounts` });
}
