import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import {
  epochNumberOf,
  keyOfNonce,
  nonceKeyOf,
  type Operation,
  operationFromJson,
  operationToJson,
} from "../../crypto/user-operation.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure, PaymentOnchain } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { usdcOf } from "../../foundation/blockchain-networks.ts";
import { AppError } from "../../foundation/errors.ts";
import type { UserOperationOutcome } from "../../foundation/vocabulary.ts";
import { networkCursorRows } from "../../modules/networks/queries.ts";
import type { Payment } from "../../modules/payments/queries.ts";
import { settlePayment } from "../../modules/payments/settle-payment.ts";
import { type AccountState, readNonce } from "../../modules/user-operations/account-state.ts";
import {
  buildOperation,
  maxCostOf,
  type OperationPlan,
  preVerificationGasOf,
  type SignedBytes,
  signOperation,
  sponsorOperation,
} from "../../modules/user-operations/build-operation.ts";
import {
  type AskedOperation,
  isAsked,
  isSigned,
  listOpenOperations,
  type SignedOperation,
  type UserOperation,
  userOperationRows,
} from "../../modules/user-operations/queries.ts";
import { limitFailure, rehearseOperation } from "../../modules/user-operations/rehearse-operation.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import type { Bundler } from "../../ports/bundler.ts";
import type { EvmNetwork, GasPrice } from "../../ports/evm-network.ts";
import { isFailure, VendorError } from "../../ports/vendor-error.ts";
import { endOperation } from "./end-operation.ts";
import { isBlocked, lockSubject, transferOf } from "./operation-subject.ts";

const SECOND_MS = 1_000;
/** How long an operation is valid after the newest block. */
const VALID_SECONDS = 600;
const NO_SIGNER: PaymentFailure = {
  code: "provider_not_configured",
  detail: "There are no keys any more for the service that holds the wallet's key.",
};
const SIGNER_REFUSED: PaymentFailure = {
  code: "signer_refused",
  detail: "The service that holds the wallet's key has refused to sign.",
};

/** What the operations of a wallet are sent with. */
export interface Sender {
  readonly wallet: Wallet;
  readonly chain: EvmNetwork;
  readonly bundler: Bundler;
  readonly gasPrice: GasPrice;
  readonly account: AccountState;
  /** When the newest block was made, in seconds since 1970. */
  readonly headSeconds: number;
}

/** An operation that only the wallet's signature is missing from. */
interface Planned {
  readonly plan: OperationPlan;
  readonly sponsored: Operation;
}

/** Why an operation ends that no one has received. */
class NotSent extends Error {
  readonly failure: PaymentFailure | undefined;
  readonly outcome: UserOperationOutcome;

  constructor(failure?: PaymentFailure, outcome: UserOperationOutcome = "not_sent") {
    super("the operation is not sent");
    this.failure = failure;
    this.outcome = outcome;
  }
}

/**
 * Signs an operation and stores its bytes. Returns it, or undefined if it has ended, if another process has signed it or if there
 * is no signature yet. After a crash before the bytes are stored, it is signed again: no one has received what was signed before.
 */
export async function signBegun(
  app: App,
  sender: Sender,
  operation: UserOperation,
): Promise<SignedOperation | undefined> {
  try {
    const planned = isAsked(operation)
      ? await planAgain(app, sender, operation)
      : await planNew(app, sender, operation);
    if (planned === undefined) return undefined;
    const requestedAt = await requestSignature(app, operation, planned);
    const bytes = requestedAt && (await signIfPossible(app, planned, requestedAt));
    if (bytes === undefined) return undefined;
    const failure = await rehearseOperation(sender.chain, bytes, sender.wallet.owner);
    if (failure !== undefined) throw new NotSent(failure);
    return await storeSigned(app, operation, planned.plan, bytes);
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    await endUnsent(app, operation, error);
    return undefined;
  }
}

/** Ends an operation that no one has received. If its wallet was frozen meanwhile, this is why, whatever failed because of it. */
export function endUnsent(
  app: App,
  operation: UserOperation,
  { failure, outcome = "not_sent" }: Partial<Pick<NotSent, "failure" | "outcome">> = {},
): Promise<void> {
  return withTransaction(app.db, operation.tenantId, async (tx) => {
    const { freezeMode, epoch } = await walletRows.get(tx, operation);
    const isFrozen = freezeMode !== null || epoch !== operation.walletEpoch;
    const ended = { operation, outcome, event: null, ...(failure && !isFrozen && { failure }) };
    await endOperation(tx, app, ended);
  });
}

/** Builds an operation that the network would execute. */
async function planNew(
  app: App,
  { wallet, chain, bundler, gasPrice, account, headSeconds }: Sender,
  operation: UserOperation,
): Promise<Planned> {
  const { epochId } = account;
  const [nonce, transfer] = await Promise.all([
    readNonce(chain, wallet.address, nonceKeyOf(epochId, operation.lane)),
    transferOf(app.db, operation),
  ]);
  requireOwner(app, wallet, account);
  const overLimit = limitFailure(transfer?.amount ?? 0n, account.remaining);
  if (overLimit !== undefined) throw new NotSent(overLimit);
  const planned: OperationPlan = {
    ...{ wallet, account, nonce, gasPrice, validUntil: headSeconds + VALID_SECONDS },
    transfer: transfer && { epochId, token: usdcOf(wallet.network), ...transfer },
  };
  const built = buildOperation(app, planned);
  const estimate = await bundler.estimatePreVerificationGas(operationToJson(built));
  const priced = { ...built, preVerificationGas: preVerificationGasOf(estimate) };
  requireDeposit(app, { wallet, gasPrice, account }, priced);
  return { plan: planned, sponsored: sponsorOperation(app, planned, priced) };
}

/** Ends the operations that a vendor was asked to sign, and has not signed until a final block was later than their last second. */
export async function endExpired(app: App, chain: EvmNetwork, wallet: Wallet): Promise<void> {
  const asked = (await listOpenOperations(app.db, wallet)).filter((each) => isAsked(each) && !isSigned(each));
  if (asked.length === 0) return;
  const { finalNumber } = await networkCursorRows.get(app.db, wallet);
  const seconds = await readBlockSeconds(chain, finalNumber);
  for (const operation of asked) {
    if (isOver(operation, seconds)) await endUnsent(app, operation, { outcome: "expired" });
  }
}

function isOver({ validUntil }: UserOperation, timeSeconds: number): boolean {
  return validUntil !== null && validUntil.getTime() < timeSeconds * SECOND_MS;
}

/**
 * Restores what a vendor was asked to sign. Undefined if it is too late for that. Ends the operation if the account has begun
 * another epoch.
 */
async function planAgain(
  app: App,
  { wallet, gasPrice, account, headSeconds }: Sender,
  operation: AskedOperation,
): Promise<Planned | undefined> {
  if (isOver(operation, headSeconds)) return undefined;
  const validUntil = operation.validUntil.getTime() / SECOND_MS;
  const { epochId } = account;
  if (operation.chainEpoch !== epochNumberOf(epochId)) throw new NotSent(undefined, "frozen");
  requireOwner(app, wallet, account);
  const transfer = await transferOf(app.db, operation);
  const planned: OperationPlan = {
    ...{ wallet, account, gasPrice, validUntil, nonce: operation.nonce },
    transfer: transfer && { epochId, token: usdcOf(wallet.network), ...transfer },
  };
  return { plan: planned, sponsored: operationFromJson(operation.unsignedOperation) };
}

/** Returns when a block was made, in seconds since 1970. */
export async function readBlockSeconds(chain: EvmNetwork, number: bigint | "latest"): Promise<number> {
  const block = await chain.readBlock(number);
  if (block === null) throw new VendorError("unavailable", { vendor: chain.network, operation: "readBlock" });
  return block.timeSeconds;
}

function requireOwner(
  { log }: Pick<App, "log">,
  { tenantId, walletId, owner }: Wallet,
  { signer }: AccountState,
): void {
  if (signer.toLowerCase() === owner.toLowerCase()) return;
  log.error({ tenantId, walletId }, "the account of a wallet has another signer: operator action required");
  throw new NotSent({
    ...{ code: "account_changed", detail: "The wallet's account has another signer than the wallet's key." },
  });
}

/** Throws if the paymaster could not pay for an operation: the payments stay queued. */
export function requireDeposit(
  app: App,
  { wallet, gasPrice, account }: Pick<Sender, "wallet" | "gasPrice" | "account">,
  operation?: Operation,
): void {
  const plan = { wallet, account, nonce: 0n, gasPrice, validUntil: 0, transfer: null };
  if (account.paymasterDeposit >= maxCostOf(operation ?? buildOperation(app, plan))) return;
  const { network } = wallet;
  app.log.error({ network }, "the paymaster's deposit is too small for an operation: operator action required");
  throw new VendorError("unavailable", { vendor: network, operation: "paymasterDeposit" });
}

/**
 * Stores what a vendor is asked to sign, before it is asked. Returns since when it is asked, or undefined if another process has
 * stored something else or ended the operation.
 */
async function requestSignature(
  app: App,
  begun: UserOperation,
  { plan, sponsored }: Planned,
): Promise<Date | undefined> {
  const at = app.clock.now();
  if (plan.wallet.signer === "local") return at;
  if (isAsked(begun)) return begun.signRequestedAt;
  return withTransaction(app.db, begun.tenantId, async (tx) => {
    const locked = await lockUnsigned(tx, app, begun, plan);
    if (locked === undefined || isAsked(locked.operation)) return undefined;
    await userOperationRows.update(tx, begun, {
      ...{ unsignedOperation: operationToJson(sponsored), signRequestedAt: at, ...columnsOf(plan) },
    });
    return at;
  });
}

/** Returns undefined if the vendor that holds the key has not signed yet: it is asked again until the operation has expired. */
async function signIfPossible(
  app: App,
  { plan, sponsored }: Planned,
  requestedAt: Date,
): Promise<SignedBytes | undefined> {
  const { network, walletId, signer } = plan.wallet;
  try {
    return await signOperation(app, plan, sponsored, requestedAt);
  } catch (error) {
    if (error instanceof AppError && error.code === "provider_not_configured") throw new NotSent(NO_SIGNER);
    if (isFailure(error, "refused")) throw new NotSent(SIGNER_REFUSED);
    if (!(error instanceof VendorError) || signer === "local") throw error;
    app.log.warn({ network, walletId, signer, vendorMessage: error.vendorMessage }, "an operation is not signed yet");
    return undefined;
  }
}

/** Stores the bytes of an operation before they are sent for the first time. */
async function storeSigned(
  app: App,
  begun: UserOperation,
  plan: OperationPlan,
  { json, userOpHash }: SignedBytes,
): Promise<SignedOperation | undefined> {
  return withTransaction(app.db, begun.tenantId, async (tx) => {
    const locked = await lockUnsigned(tx, app, begun, plan);
    if (locked === undefined) return undefined;
    const { finalNumber } = await networkCursorRows.get(tx, plan.wallet);
    const stored = await userOperationRows.updateAndGet(tx, begun, {
      ...{ ...columnsOf(plan), signedOperation: json, userOpHash, sentAt: app.clock.now() },
      searchedFrom: finalNumber + 1n,
    });
    if (locked.payment !== null) await submit(tx, app, locked.payment, { plan, userOpHash });
    return isSigned(stored) ? stored : undefined;
  });
}

/**
 * Locks an operation. Throws `NotSent` if the wallet was frozen or stopped since the operation was begun. Returns undefined if
 * another process has signed or ended it.
 */
async function lockUnsigned(tx: Tx, app: App, begun: UserOperation, { wallet: { tenantId, walletId } }: OperationPlan) {
  const subject = await lockSubject(tx, begun);
  const operation = await userOperationRows.lockAndGet(tx, begun);
  if (operation.endedAt !== null || isSigned(operation)) return undefined;
  const wallet = await walletRows.lockAndGet(tx, { tenantId, walletId });
  const isStopped = (await isBlocked(tx, app, wallet, subject)) !== undefined;
  if (isStopped || wallet.epoch !== operation.walletEpoch) throw new NotSent();
  return { operation, payment: subject.payment };
}

function columnsOf({ nonce, account, validUntil }: OperationPlan) {
  const chainEpoch = epochNumberOf(account.epochId);
  return { nonce, chainEpoch, validUntil: new Date(validUntil * SECOND_MS) };
}

async function submit(
  tx: Tx,
  app: App,
  payment: Payment,
  { plan, userOpHash }: { readonly plan: OperationPlan; readonly userOpHash: string },
): Promise<void> {
  const onchain: PaymentOnchain = {
    ...{ user_op_hash: userOpHash, tx_hash: null, block_number: null, confirmations: 0 },
    nonce_key: `0x${keyOfNonce(plan.nonce).toString(16)}`,
  };
  const values = { onchain: JSON.stringify(onchain) };
  await settlePayment(tx, app, systemActor(payment), payment, { to: "submitted", values, at: app.clock.now() });
}
