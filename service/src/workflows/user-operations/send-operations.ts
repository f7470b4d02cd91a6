import { setTimeout } from "node:timers/promises";
import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { DueWork } from "../../due-work/due-work.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type TenantId, type WalletId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { hasUnsent } from "../../modules/fiat/conversions/queries.ts";
import { finalBelow, requireSendingNetwork } from "../../modules/networks/networks.ts";
import { networkCursorRows } from "../../modules/networks/queries.ts";
import { cancelWaitingPayment } from "../../modules/payments/end-waiting-payments.ts";
import type { Payment } from "../../modules/payments/queries.ts";
import { settlePayment } from "../../modules/payments/settle-payment.ts";
import { readAccountState } from "../../modules/user-operations/account-state.ts";
import { openBundler } from "../../modules/user-operations/bundler-access.ts";
import {
  hasQueuedPayments,
  isSigned,
  listOpenOperations,
  type SignedOperation,
  type UserOperation,
  userOperationRows,
} from "../../modules/user-operations/queries.ts";
import { SEND_OPERATIONS, scheduleSending } from "../../modules/user-operations/schedule-sending.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import type { Bundler } from "../../ports/bundler.ts";
import type { EvmNetwork, GasPrice } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { watchNetwork } from "../networks/watch-network.ts";
import { isBlocked, lockNextSubject, lockSubject } from "./operation-subject.ts";
import { endExpired, endUnsent, readBlockSeconds, requireDeposit, type Sender, signBegun } from "./sign-operation.ts";

const SECOND_MS = 1_000;
/** How long after a call of the bundler the same operation is sent again if it is in no block. */
const SEND_AGAIN_MS = 15 * SECOND_MS;
/** On a network whose newest block is final, the block of what was sent is awaited. */
const WAIT_FOR_BLOCK_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = 10;
const NO_BUNDLER: PaymentFailure = {
  code: "provider_not_configured",
  detail: "There are no keys for a bundler of the wallet's network any more.",
};
/** How much of the network's own price the bundler can ask for. */
const PRICE_FACTOR_MAX = 10n;

/** Sends the queued payments and off-ramps of a wallet, and sends again what is in no block. */
export const sendOperations: DueWork = {
  ...{ ...SEND_OPERATIONS, everyMs: SECOND_MS, idleEveryMs: 2 * SECOND_MS, leaseMs: 60 * SECOND_MS },
  retryMs: { first: 2 * SECOND_MS, max: 30 * SECOND_MS },
  stopsAtFailure: false,
  isParallel: true,
  run: async (app, { tenantId, subject }) => {
    const walletId = subject as WalletId;
    await sendOperationsOf(app, { tenantId, walletId });
    const key = { tenantId, walletId };
    const isOpen = (await listOpenOperations(app.db, key)).length > 0;
    // A payment that another transaction has locked for a moment was not begun.
    if (!isOpen && !(await hasQueuedPayments(app.db, key)) && !(await hasUnsent(app.db, key))) return undefined;
    return (tx) => scheduleSending(tx, { tenantId, walletId }, new Date(app.clock.now().getTime() + SEND_AGAIN_MS));
  },
};

/**
 * Begins operations for the queued payments of a wallet while it has free lanes, and sends all of its operations that are in no
 * block. Any number of processes can do so at the same time. Throws before anything is begun if the network or the bundler does
 * not answer: the payments stay queued.
 */
export async function sendOperationsOf(
  app: App,
  key: { readonly tenantId: TenantId; readonly walletId: WalletId },
): Promise<void> {
  const wallet = await walletRows.get(app.db, key);
  await endBlocked(app, wallet);
  const chain = await requireSendingNetwork(app, wallet.network);
  await endExpired(app, chain, wallet);
  const bundler = await openBundlerOrEnd(app, wallet);
  const [gasPrice, account, headSeconds] = await Promise.all([
    gasPriceOf(bundler, chain),
    readAccountState(app, chain, wallet),
    readBlockSeconds(chain, "latest"),
  ]);
  const sender = { wallet, chain, bundler, gasPrice, account, headSeconds };
  requireDeposit(app, sender);
  await beginOperations(app, wallet);
  const open = await listOpenOperations(app.db, key);
  const results = await Promise.allSettled(open.map((operation) => sendOrSendAgain(app, sender, operation)));
  await awaitFinalBlock(app, chain, key);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Ends the operations of a wallet that is frozen or stopped, and that no one has received. Asks no vendor. */
async function endBlocked(app: App, wallet: Wallet): Promise<void> {
  for (const operation of await listOpenOperations(app.db, wallet)) {
    if (isSigned(operation)) continue;
    const isStopped = await withTransaction(app.db, wallet.tenantId, async (tx) => {
      const subject = await lockSubject(tx, operation);
      const current = await walletRows.lockAndGet(tx, wallet);
      return current.epoch !== operation.walletEpoch || (await isBlocked(tx, app, current, subject)) !== undefined;
    });
    if (isStopped) await endUnsent(app, operation);
  }
}

/** Opens the bundler. Without keys, what no one has received ends. */
async function openBundlerOrEnd(app: App, wallet: Wallet): Promise<Bundler> {
  const { tenantId, network } = wallet;
  return await openBundler(app, tenantId, network).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "provider_not_configured") throw error;
    const unsigned = (await listOpenOperations(app.db, wallet)).filter((operation) => !isSigned(operation));
    await tryEach(unsigned, (operation) => endUnsent(app, operation, { failure: NO_BUNDLER }));
    throw error;
  });
}

/** Returns the bundler's price of gas, but not much more than the network's: the operator pays it. */
async function gasPriceOf(bundler: Bundler, chain: EvmNetwork): Promise<GasPrice> {
  const [asked, own] = await Promise.all([bundler.readGasPrice(), chain.readGasPrice()]);
  if (asked === null) return own;
  const most = PRICE_FACTOR_MAX * own.maxFeePerGas;
  const limited = (fee: bigint) => (fee < most ? fee : most);
  return {
    maxFeePerGas: limited(asked.maxFeePerGas),
    maxPriorityFeePerGas: limited(asked.maxPriorityFeePerGas),
  };
}

/** Without it, a payment on a local network would be confirmed only at the watcher's next look. */
async function awaitFinalBlock(app: App, chain: EvmNetwork, key: Parameters<typeof listOpenOperations>[1]) {
  const { network } = chain;
  if (finalBelow(app, network, 1n) !== 1n) return;
  const endMs = performance.now() + WAIT_FOR_BLOCK_MS;
  while (performance.now() < endMs && (await listOpenOperations(app.db, key)).some(isSigned)) {
    const { blockNumber } = await networkCursorRows.get(app.db, { network });
    while (performance.now() < endMs && (await chain.readBlock(blockNumber + 1n)) === null) {
      await setTimeout(LOOK_EVERY_MS);
    }
    await watchNetwork(app, network);
  }
}

async function sendOrSendAgain(app: App, sender: Sender, operation: UserOperation): Promise<void> {
  if (!isSigned(operation)) return signAndSend(app, sender, operation);
  const isDue = app.clock.now().getTime() - operation.sentAt.getTime() >= SEND_AGAIN_MS;
  if (!isDue) return;
  const { blockNumber: newest } = await networkCursorRows.get(app.db, operation);
  // After a network was resumed, a block that it had is gone.
  if (operation.blockNumber !== null && operation.blockNumber <= newest) return;
  if (await markSentAgain(app, operation)) await send(app, sender, operation);
}

/** Returns false if the wallet was frozen or stopped since the operation was begun. It is not sent then, and expires. */
async function markSentAgain(app: App, operation: SignedOperation): Promise<boolean> {
  return withTransaction(app.db, operation.tenantId, async (tx) => {
    const subject = await lockSubject(tx, operation);
    const { endedAt, walletEpoch } = await userOperationRows.lockAndGet(tx, operation);
    const wallet = await walletRows.lockAndGet(tx, operation);
    const isStopped = (await isBlocked(tx, app, wallet, subject)) !== undefined;
    if (endedAt !== null || isStopped || wallet.epoch !== walletEpoch) return false;
    await userOperationRows.update(tx, operation, { sentAt: app.clock.now() });
    return true;
  });
}

async function signAndSend(app: App, sender: Sender, operation: UserOperation): Promise<void> {
  const signed = await signBegun(app, sender, operation);
  if (signed !== undefined) await send(app, sender, signed);
}

/** Calls the bundler. What it answers does not matter: the network shows what becomes of the operation. */
async function send({ log }: App, { bundler, wallet }: Sender, { signedOperation, userOpHash }: SignedOperation) {
  const { network } = wallet;
  try {
    const hash = await bundler.sendOperation(signedOperation);
    if (hash !== userOpHash) log.error({ network, userOpHash, hash }, "a bundler has answered for another operation");
  } catch (error) {
    if (!(error instanceof VendorError) && !(error instanceof AppError)) throw error;
    const vendorMessage = error instanceof VendorError ? error.vendorMessage : error.message;
    log.warn({ network, userOpHash, vendorMessage }, "a bundler has not accepted an operation");
  }
}

/** A wallet has as many operations in flight. */
const LANES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Begins operations for the oldest queued payments and off-ramps of a wallet, as many as it has free lanes. */
async function beginOperations(app: App, { tenantId, walletId }: Wallet): Promise<void> {
  for (;;) {
    const next = await withTransaction(app.db, tenantId, (tx) => beginNextOperation(tx, app, { tenantId, walletId }));
    if (next === undefined) return;
    if (next.blocked === undefined) continue;
    const { payment, blocked } = next;
    // In a transaction of its own, because it locks accounts, which come before the wallet in the order of locks.
    await withTransaction(app.db, tenantId, (tx) =>
      cancelWaitingPayment(tx, app, systemActor(payment), payment, blocked),
    );
  }
}

/** What was begun, or a payment that cannot be, and why. */
type Next = { readonly blocked?: undefined } | { readonly payment: Payment; readonly blocked: PaymentFailure };

/**
 * Begins an operation for the oldest queued payment, which becomes `signing`, else for the oldest off-ramp. Does not if its wallet is
 * frozen or its agent stopped. Returns undefined if nothing waits or no lane is free.
 *
 * Locks the payment or the off-ramp, then the wallet. A freeze locks the wallet, so nothing enters `signing` after its commit.
 */
async function beginNextOperation(
  tx: Tx,
  app: App,
  key: Pick<Wallet, "tenantId" | "walletId">,
): Promise<Next | undefined> {
  const subject = await lockNextSubject(tx, key);
  if (subject === undefined) return undefined;
  const { payment, conversion } = subject;
  const wallet = await walletRows.lockAndGet(tx, key);
  const blocked = await isBlocked(tx, app, wallet, subject);
  // A job ends the off-ramps of frozen wallets.
  if (blocked !== undefined) return payment === null ? undefined : { payment, blocked };
  const used = new Set((await listOpenOperations(tx, key)).map(({ lane }) => lane));
  // A second operation that deploys the account would fail.
  const lanes = wallet.deploymentStatus === "deployed" ? LANES : LANES.slice(0, 1);
  const lane = lanes.find((each) => !used.has(each));
  if (lane === undefined) return undefined;
  const at = app.clock.now();
  await userOperationRows.insert(tx, {
    ...key,
    ...{ operationId: newId("uop"), network: wallet.network, lane },
    ...{ paymentId: payment?.paymentId ?? null, conversionId: conversion?.conversionId ?? null },
    ...{ walletEpoch: wallet.epoch, createdAt: at },
  });
  if (wallet.deploymentStatus !== "deployed") {
    await walletRows.update(tx, wallet, { deploymentStatus: "deploying", updatedAt: at });
  }
  if (payment !== null) await settlePayment(tx, app, systemActor(payment), payment, { to: "signing", at });
  return {};
}
