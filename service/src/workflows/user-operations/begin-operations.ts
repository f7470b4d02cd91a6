import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId } from "../../foundation/ids.ts";
import { cancelWaitingPayment, WALLET_FROZEN } from "../../modules/payments/end-waiting-payments.ts";
import { listAccountStates, lockNextQueued, type Payment } from "../../modules/payments/queries.ts";
import { settlePayment } from "../../modules/payments/settle-payment.ts";
import { listOpenOperations, userOperationRows } from "../../modules/user-operations/queries.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";

/** A wallet has as many operations in flight. */
const LANES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const AGENT_STOPPED: PaymentFailure = {
  code: "agent_suspended",
  detail: "The agent was stopped before the payee was paid.",
};

/** Begins operations for the oldest queued payments of a wallet, as many as it has free lanes. */
export async function beginOperations(app: App, { tenantId, walletId }: Wallet): Promise<void> {
  for (;;) {
    const next = await withTransaction(app.db, tenantId, (tx) => beginNextOperation(tx, app, { tenantId, walletId }));
    if (next === undefined) return;
    const { payment, blocked } = next;
    // In a transaction of its own, because it locks accounts, which come before the wallet in the order of locks.
    if (blocked === undefined) continue;
    await withTransaction(app.db, tenantId, (tx) =>
      cancelWaitingPayment(tx, app, systemActor(payment), payment, blocked),
    );
  }
}

/** A payment that was begun, or why it cannot be. */
interface NextPayment {
  readonly payment: Payment;
  readonly blocked?: PaymentFailure;
}

/**
 * Begins an operation for the oldest queued payment, which becomes `signing`. Does not if its wallet is frozen or its agent
 * stopped. Returns undefined if no payment is queued or no lane is free.
 *
 * Locks the payment, then the wallet. A freeze locks the wallet, so nothing enters `signing` after its commit.
 */
async function beginNextOperation(
  tx: Tx,
  app: App,
  key: Pick<Wallet, "tenantId" | "walletId">,
): Promise<NextPayment | undefined> {
  const payment = await lockNextQueued(tx, key);
  if (payment === undefined) return undefined;
  const wallet = await walletRows.lockAndGet(tx, key);
  const blocked = await isBlocked(tx, wallet, payment);
  if (blocked !== undefined) return { payment, blocked };
  const used = new Set((await listOpenOperations(tx, key)).map(({ lane }) => lane));
  // A second operation that deploys the account would fail.
  const lanes = wallet.deploymentStatus === "deployed" ? LANES : LANES.slice(0, 1);
  const lane = lanes.find((each) => !used.has(each));
  if (lane === undefined) return undefined;
  const at = app.clock.now();
  await userOperationRows.insert(tx, {
    ...key,
    ...{ operationId: newId("uop"), network: wallet.network, paymentId: payment.paymentId, lane },
    ...{ walletEpoch: wallet.epoch, createdAt: at },
  });
  if (wallet.deploymentStatus !== "deployed") {
    await walletRows.update(tx, wallet, { deploymentStatus: "deploying", updatedAt: at });
  }
  await settlePayment(tx, app, systemActor(payment), payment, { to: "signing", at });
  return { payment };
}

/** Returns why nothing can be sent for a wallet now, or undefined. The caller has locked the wallet. */
export async function isBlocked(
  tx: Tx,
  wallet: Wallet,
  payment: Pick<Payment, "tenantId" | "debitAccountId"> | null,
): Promise<PaymentFailure | undefined> {
  if (wallet.freezeMode !== null) return WALLET_FROZEN;
  if (payment === null) return undefined;
  const { tenantId, debitAccountId } = payment;
  const [account] = await listAccountStates(tx, { tenantId, accountIds: [debitAccountId] });
  return account?.stopped === true ? AGENT_STOPPED : undefined;
}
