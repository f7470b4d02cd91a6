import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import type { UserOperationOutcome } from "../../foundation/vocabulary.ts";
import { ADVANCE_CONVERSION } from "../../modules/fiat/conversions/advance-work.ts";
import type { Conversion } from "../../modules/fiat/conversions/queries.ts";
import { postHold, settleConversion } from "../../modules/fiat/conversions/settle-conversion.ts";
import type { Payment } from "../../modules/payments/queries.ts";
import { type PaymentChange, settlePayment } from "../../modules/payments/settle-payment.ts";
import {
  hasQueuedPayments,
  isSigned,
  type UserOperation,
  userOperationRows,
} from "../../modules/user-operations/queries.ts";
import { scheduleSending } from "../../modules/user-operations/schedule-sending.ts";
import { walletRows } from "../../modules/wallets/queries.ts";
import { getChangedWallet, recordWalletChange } from "../../modules/wallets/wallets.ts";
import type { OperationEvent } from "../../ports/evm-network.ts";
import { lockSubject } from "./operation-subject.ts";

const FAILURES: Readonly<Record<Exclude<UserOperationOutcome, "confirmed">, PaymentFailure>> = {
  reverted: { code: "reverted", detail: "The network executed the payment, and it failed. The payee was not paid." },
  expired: { code: "expired", detail: "The network did not execute the payment in time, and cannot any more." },
  frozen: { code: "frozen", detail: "The wallet was frozen on its network before the payment was executed." },
  replaced: { code: "replaced", detail: "The wallet's account has executed another operation instead." },
  not_sent: { code: "frozen", detail: "The wallet was frozen or stopped before the payment was sent." },
};

interface EndOperation {
  readonly operation: UserOperation;
  readonly outcome: UserOperationOutcome;
  /** The event in a final block. Null if the operation is in none. */
  readonly event: OperationEvent | null;
  /** Why an operation would have failed that was not sent. */
  readonly failure?: PaymentFailure;
}

/**
 * Ends an operation, with its payment or the deployment of the account. Its lane is free then. Does nothing if another process
 * has ended it, or has signed one that was not signed.
 */
export async function endOperation(
  tx: Tx,
  app: Pick<App, "settings" | "signer" | "clock">,
  { operation, outcome, event, failure }: EndOperation,
): Promise<void> {
  const at = app.clock.now();
  const { payment, conversion } = await lockSubject(tx, operation);
  const stored = await userOperationRows.lockAndGet(tx, operation);
  // What another process has signed meanwhile may have been sent.
  if (stored.endedAt !== null || (isSigned(stored) && !isSigned(operation))) return;
  const block = { blockNumber: event?.blockNumber ?? null, transactionHash: event?.transactionHash ?? null };
  await userOperationRows.update(tx, operation, { ...block, outcome, endedAt: at });
  if (payment !== null) {
    const change = changeOf({ payment, outcome, event, at, ...(failure && { failure }) });
    await settlePayment(tx, app, systemActor(payment), payment, change);
  }
  if (conversion !== null)
    await endOffRamp(tx, conversion, { outcome, event, failure: failureOf(outcome, failure), at });
  await endDeployment(tx, operation, { outcome, event, at });
  if (await hasQueuedPayments(tx, operation)) await scheduleSending(tx, operation, at);
}

function failureOf(outcome: UserOperationOutcome, failure?: PaymentFailure): PaymentFailure | null {
  return failure ?? (outcome === "confirmed" ? null : FAILURES[outcome]);
}

function changeOf({
  payment,
  outcome,
  event,
  failure,
  at,
}: Omit<EndOperation, "operation"> & { payment: Payment; at: Date }): PaymentChange {
  const values = { onchain: onchainOf(payment, event) };
  if (outcome === "confirmed") {
    const to = payment.execution === "auto" ? "confirmed" : "captured";
    return { to, amount: { ...payment, baseUnits: payment.capturedBaseUnits ?? payment.baseUnits }, values, at };
  }
  const isFailed = outcome === "reverted" || failure !== undefined;
  return { to: isFailed ? "failed" : "dropped", failure: failure ?? FAILURES[outcome], values, at };
}

/** Returns the block in which the operation has ended. */
function onchainOf({ onchain }: Payment, event: OperationEvent | null): string | null {
  if (onchain === null) return null;
  const none = { tx_hash: null, block_number: null, confirmations: 0 };
  const block = event && { tx_hash: event.transactionHash, block_number: Number(event.blockNumber) };
  return JSON.stringify({ ...onchain, ...(block ?? none) });
}

/**
 * Notes whether an operation has deployed the account: one in a block has, also if what it then does has failed. The next one tries
 * again.
 */
async function endDeployment(
  tx: Tx,
  { tenantId, walletId }: UserOperation,
  { outcome, event, at }: Pick<EndOperation, "outcome" | "event"> & { readonly at: Date },
): Promise<void> {
  const { deploymentStatus: before } = await walletRows.lockAndGet(tx, { tenantId, walletId });
  if (before !== "deploying") return;
  const undeployed = outcome === "not_sent" ? "counterfactual" : "failed";
  const deploymentStatus = event === null ? undeployed : "deployed";
  const deploymentTx = event?.transactionHash ?? null;
  await walletRows.update(tx, { tenantId, walletId }, { deploymentStatus, deploymentTx, updatedAt: at });
  if (deploymentStatus === "counterfactual") return;
  const wallet = await getChangedWallet(tx, { tenantId, mode: "live", walletId });
  await recordWalletChange(tx, systemActor({ tenantId, mode: "live" }), {
    ...{ action: event === null ? "wallet.deployment_failed" : "wallet.deployed", wallet, occurredAt: at },
    facts: { network: wallet.network, address: wallet.address, transaction_hash: deploymentTx },
  });
}

interface EndOffRamp {
  readonly outcome: UserOperationOutcome;
  /** The event in a final block. Null if the operation is in none. */
  readonly event: OperationEvent | null;
  /** Why the tokens were not sent. Null if they were. */
  readonly failure: PaymentFailure | null;
  readonly at: Date;
}

/**
 * Posts the hold of an off-ramp whose tokens were sent. Ends one whose tokens can never be: it has failed, or was canceled by a freeze.
 * Lets the ramp vendor be asked at once, which also deletes the transfer of one that has ended. The caller has locked the conversion.
 */
async function endOffRamp(tx: Tx, conversion: Conversion, { outcome, event, failure, at }: EndOffRamp): Promise<void> {
  const { tenantId, conversionId, status } = conversion;
  if (outcome === "confirmed" && event !== null) {
    const posted = await postHold(tx, conversion, at, { ignoresFreeze: true });
    const trace = { achTraceNumber: null, imad: null, ...conversion.trace, txHash: event.transactionHash };
    await settleConversion(tx, conversion, { to: status, at, columns: { ...posted, trace } });
  } else {
    const isStopped = outcome === "not_sent" && failure?.code === "frozen";
    await settleConversion(tx, conversion, { to: isStopped ? "canceled" : "failed", failure, at });
  }
  await scheduleWork(tx, ADVANCE_CONVERSION, { tenantId, subject: conversionId, dueAt: at });
}
