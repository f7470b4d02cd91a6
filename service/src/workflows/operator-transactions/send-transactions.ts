import { setTimeout } from "node:timers/promises";
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
import type { DueWork } from "../../due-work/due-work.ts";
import { type BlockchainNetwork, evmChainIdOf } from "../../foundation/blockchain-networks.ts";
import { AppError } from "../../foundation/errors.ts";
import type { WalletId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { GuardianAction } from "../../foundation/vocabulary.ts";
import { requireEvmNetwork } from "../../modules/networks/networks.ts";
import {
  hasFreezeInFlight,
  isSigned,
  listOpenTransactions,
  type OperatorTransaction,
  operatorTransactionRows,
  readNewestBlock,
  reserveNonce,
  type SignedTransaction,
  type TransactionsKey,
} from "../../modules/operator-transactions/queries.ts";
import { SEND_TRANSACTIONS, scheduleTransactions } from "../../modules/operator-transactions/queue-transaction.ts";
import {
  type AccountState,
  frozenCallOf,
  numberOf,
  readAccountState,
} from "../../modules/user-operations/account-state.ts";
import { failChainFreeze, showChainFreeze } from "../../modules/wallets/freezes/chain-freezes.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import type { EvmNetwork } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { dropTransaction, endUnfreeze, isWanted, recordReceipt } from "./record-receipt.ts";

const SECOND_MS = 1_000;
/** How long after a look at transactions that are in no block, or in one that is not final, the next one is due. */
const LOOK_AFTER_MS = 2 * SECOND_MS;
const LOOK_AFTER_MINED_MS = 10 * SECOND_MS;
/** A transaction that is in no block is signed again after this time, with a higher fee. */
const REPLACE_AFTER_MS = 30 * SECOND_MS;
/** The most transactions of a tenant on a network that are in no block. Nodes keep few of one address. */
const IN_FLIGHT_MAX = 16;
/** The most transactions that are looked at and sent at the same time. */
const CONCURRENT_MAX = 8;
/** The pauses of a request that waits. They double. */
const PAUSE_MS = { first: 5, max: 200 };

/** Sends the transactions that freeze and unfreeze the accounts of a tenant's wallets, until their blocks are final. */
export const sendOperatorTransactions: DueWork = {
  ...{ ...SEND_TRANSACTIONS, everyMs: SECOND_MS, idleEveryMs: 2 * SECOND_MS, leaseMs: 60 * SECOND_MS },
  retryMs: { first: 2 * SECOND_MS, max: 30 * SECOND_MS },
  stopsAtFailure: false,
  isParallel: true,
  run: async (app, { tenantId, subject }) => {
    const key = { tenantId, network: subject as BlockchainNetwork };
    await advanceTransactions(app, key);
    const open = await listOpenTransactions(app.db, key);
    if (open.length === 0) return undefined;
    const afterMs = open.every(isMined) ? LOOK_AFTER_MINED_MS : LOOK_AFTER_MS;
    return (tx) => scheduleTransactions(tx, key, new Date(app.clock.now().getTime() + afterMs));
  },
};

/** A tenant's transactions on a network, or only those of a wallet. */
interface AdvanceKey extends TransactionsKey {
  readonly walletId?: WalletId;
}

/**
 * Advances the transactions of a wallet until `isDone` returns true, for `PURSER_SYNC_WAIT_MS` at most, or until the network does not
 * answer. A job continues.
 */
export async function advanceUntil(
  app: App,
  key: AdvanceKey & { readonly walletId: WalletId },
  isDone: () => Promise<boolean>,
): Promise<void> {
  const endMs = performance.now() + app.settings.syncWaitMs;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
    const advanced = advanceTransactions(app, key).catch((error: unknown) => error);
    // A node that hangs does not delay the answer. What was begun goes on.
    const failure = await Promise.race([
      advanced,
      setTimeout(Math.max(0, endMs - performance.now()), undefined, { ref: false }),
    ]);
    if (await isDone()) return;
    const { tenantId, walletId, network } = key;
    const facts = { err: failure, tenantId, walletId, network };
    if (failure !== undefined) app.log.warn(facts, "an account could not be frozen or unfrozen yet");
    if (isUnreachable(failure) || performance.now() >= endMs) return;
    await setTimeout(pauseMs);
  }
}

function isUnreachable(failure: unknown): boolean {
  return failure instanceof VendorError || (failure instanceof AppError && failure.code === "network_unavailable");
}

/**
 * Looks what has become of a tenant's transactions on a network, signs and sends those that are new, and replaces those that are in
 * no block: the freezes first. Any number of processes can do so at the same time. Throws `VendorError` if the network does not
 * answer, and `network_unavailable` if it has no node or this server has no key.
 */
async function advanceTransactions(app: App, key: AdvanceKey): Promise<void> {
  const all = await listOpenTransactions(app.db, key);
  const chosen = all.filter(({ walletId }) => key.walletId === undefined || walletId === key.walletId);
  if (chosen.length === 0) return;
  await tryEach(chosen, (transaction) => reportDelay(app, transaction));
  const chain = requireEvmNetwork(app, key.network);
  const failures: unknown[] = [];
  for (const action of ["freeze", "unfreeze"] as const) {
    const flight = { count: all.filter((each) => each.action === action && isSigned(each) && !isMined(each)).length };
    const open = chosen.filter((each) => each.action === action);
    for (let start = 0; start < open.length; start += CONCURRENT_MAX) {
      const some = open.slice(start, start + CONCURRENT_MAX);
      const results = await Promise.allSettled(some.map((each) => advance(app, chain, each, flight)));
      failures.push(...results.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])));
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** `flight` counts the transactions that were signed and are in no block. */
async function advance(
  app: App,
  chain: EvmNetwork,
  transaction: OperatorTransaction,
  flight: { count: number },
): Promise<void> {
  if (isSigned(transaction)) {
    await recordReceipt(app, chain, transaction);
    const current = await operatorTransactionRows.find(app.db, transaction);
    if (current === undefined || current.endedAt !== null || isMined(current) || !isSigned(current)) return;
    return await sendAgain(app, chain, current);
  }
  if (flight.count >= IN_FLIGHT_MAX) return;
  flight.count += 1;
  const signed = await signTransactionOf(app, chain, transaction);
  if (signed === undefined) flight.count -= 1;
  else await send(app, chain, signed);
}

function isMined({ blockNumber }: OperatorTransaction): boolean {
  return blockNumber !== null;
}

/** Reports a transaction that is in no block after ten minutes: a freeze once, an unfreeze every ten minutes. It is still sent. */
async function reportDelay(app: App, transaction: OperatorTransaction): Promise<void> {
  const at = app.clock.now();
  const { tenantId, walletId, network, action, requestedAt } = transaction;
  if (isMined(transaction) || at.getTime() - requestedAt.getTime() < FAILED_AFTER_MS) return;
  const isReported = await withTransaction(app.db, tenantId, async (tx) => {
    if (action === "freeze") return failChainFreeze(tx, transaction, at);
    await operatorTransactionRows.update(tx, transaction, { requestedAt: at });
    return true;
  });
  if (!isReported) return;
  app.log.error({ walletId, network }, `could not ${action} an account on its network: operator action required`);
}

/** Sends what no node has taken yet, and what is in no block for long with a higher fee. */
async function sendAgain(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const isLate = app.clock.now().getTime() - transaction.signedAt.getTime() >= REPLACE_AFTER_MS;
  if (isLate) return await send(app, chain, await replaceSigned(app, chain, transaction));
  if (transaction.sentAt === null) await send(app, chain, transaction);
}

async function send(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<void> {
  const { tenantId, walletId, network, signedTransaction } = transaction;
  const refusal = await chain.sendTransaction(signedTransaction);
  if (refusal !== undefined && !/already known|already imported/i.test(refusal)) {
    app.log.warn({ walletId, network, refusal }, "a node has not taken a transaction of the operator");
    return;
  }
  await withTransaction(app.db, tenantId, (tx) =>
    operatorTransactionRows.update(tx, transaction, { sentAt: app.clock.now() }),
  );
}

/** How often the first fee a transaction pays at most. */
const FEE_LIMIT_FACTOR = 10n;
/** Much more than a freeze that deploys the account uses on any network. */
const GAS_MAX = 3_000_000n;
/** After this time in no block, a freeze has failed. */
const FAILED_AFTER_MS = 10 * 60_000;
/** How many of the newest bytes are looked for. Nodes keep only the newest. */
const HASHES_MAX = 50;

/**
 * Signs a transaction, and stores its bytes before they are sent. Returns undefined if it has to wait for another one, if it is no
 * longer needed, or if another process has signed it. Throws `network_unavailable` if this server has no key for it, or if it would
 * revert.
 */
async function signTransactionOf(
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
async function replaceSigned(app: App, chain: EvmNetwork, transaction: SignedTransaction): Promise<SignedTransaction> {
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
