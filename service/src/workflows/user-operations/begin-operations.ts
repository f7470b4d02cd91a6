import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId } from "../../foundation/ids.ts";
import { cancelWaitingPayment } from "../../modules/payments/end-waiting-payments.ts";
import type { Payment } from "../../modules/payments/queries.ts";
import { settlePayment } from "../../modules/payments/settle-payment.ts";
import { listOpenOperations, userOperationRows } from "../../modules/user-operations/queries.ts";
import { type Wallet, walletRows } from "../../modules/wallets/queries.ts";
import { isBlocked, lockNextSubject } from "./operation-subject.ts";

/** A wallet has as many operations in flight. */
const LANES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Begins operations for the oldest queued payments and off-ramps of a wallet, as many as it has free lanes. */
export async function beginOperations(app: App, { tenantId, walletId }: Wallet): Promise<void> {
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
