import type { App } from "../../app.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import type { LedgerAccountId } from "../../foundation/ids.ts";
import { openConversionAccounts, tokensOf } from "../../modules/fiat/conversions/authorize-conversion.ts";
import { isSettled } from "../../modules/fiat/conversions/conversion-status.ts";
import { type Conversion, conversionRows, lockNextUnsent } from "../../modules/fiat/conversions/queries.ts";
import { WALLET_FROZEN } from "../../modules/payments/end-waiting-payments.ts";
import { listAccountStates, lockNextQueued, type Payment, paymentRows } from "../../modules/payments/queries.ts";
import type { UserOperation } from "../../modules/user-operations/queries.ts";
import type { Wallet } from "../../modules/wallets/queries.ts";

const AGENT_STOPPED: PaymentFailure = {
  code: "agent_suspended",
  detail: "The agent was stopped before the payee was paid.",
};

const CONVERSION_ENDED: PaymentFailure = {
  code: "frozen",
  detail: "The conversion was stopped before its tokens were sent.",
};

/** What an operation is for: a payment, an off-ramp, or neither if it only deploys the account. */
export interface OperationSubject {
  readonly payment: Payment | null;
  readonly conversion: Conversion | null;
}

type SubjectIds = Pick<UserOperation, "tenantId" | "paymentId" | "conversionId">;

export async function lockSubject(
  tx: Tx,
  { tenantId, paymentId, conversionId }: SubjectIds,
): Promise<OperationSubject> {
  return {
    payment: paymentId === null ? null : await paymentRows.lockAndGet(tx, { tenantId, paymentId }),
    conversion: conversionId === null ? null : await conversionRows.lockAndGet(tx, { tenantId, conversionId }),
  };
}

/** Locks the wallet's oldest queued payment, else its oldest off-ramp whose tokens wait to be sent. Undefined if there is none. */
export async function lockNextSubject(
  tx: Tx,
  wallet: Pick<Wallet, "tenantId" | "walletId">,
): Promise<OperationSubject | undefined> {
  const payment = (await lockNextQueued(tx, wallet)) ?? null;
  const conversion = payment === null ? ((await lockNextUnsent(tx, wallet)) ?? null) : null;
  return payment === null && conversion === null ? undefined : { payment, conversion };
}

/** What an operation transfers, in the smallest unit of USDC. Null if it only deploys the account. */
export async function transferOf(
  db: Db,
  { tenantId, paymentId, conversionId }: SubjectIds,
): Promise<{ readonly recipient: string; readonly amount: bigint } | null> {
  if (paymentId !== null) {
    const { payeeAddress, capturedBaseUnits, baseUnits } = await paymentRows.get(db, { tenantId, paymentId });
    return { recipient: payeeAddress, amount: capturedBaseUnits ?? baseUnits };
  }
  if (conversionId === null) return null;
  const conversion = await conversionRows.get(db, { tenantId, conversionId });
  return {
    recipient: conversion.depositAddress ?? "",
    amount: tokensOf(conversion, conversion.sourceCents).baseUnits,
  };
}

/** Returns why nothing can be sent for a wallet now, or undefined. The caller has locked the wallet. */
export async function isBlocked(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  wallet: Wallet,
  { payment, conversion }: OperationSubject,
): Promise<PaymentFailure | undefined> {
  if (wallet.freezeMode !== null) return WALLET_FROZEN;
  if (conversion !== null && (conversion.haltedAt !== null || isSettled(conversion))) return CONVERSION_ENDED;
  let debitAccountId: LedgerAccountId | undefined = payment?.debitAccountId;
  if (conversion !== null) {
    debitAccountId = (await openConversionAccounts(tx, conversion, clock.now())).walletAccountId;
  }
  if (debitAccountId === undefined) return undefined;
  const { tenantId } = wallet;
  const [account] = await listAccountStates(tx, { tenantId, accountIds: [debitAccountId] });
  return account?.stopped === true ? AGENT_STOPPED : undefined;
}
