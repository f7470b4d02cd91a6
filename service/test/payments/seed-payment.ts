import type { Insertable } from "kysely";
import type { App } from "../../src/app.ts";
import { systemActor } from "../../src/audit/actors.ts";
import type { Tx } from "../../src/db/database.ts";
import type { Schema } from "../../src/db/schema.ts";
import { withTransaction } from "../../src/db/transaction.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { type ApprovalId, newId, type PaymentId, type ProjectId, type TenantId } from "../../src/foundation/ids.ts";
import { invariant } from "../../src/foundation/invariant.ts";
import type { Mode, PaymentStatus } from "../../src/foundation/vocabulary.ts";
import { openAccounts } from "../../src/ledger/accounts.ts";
import { type Spend, spend } from "../../src/modules/payments/spend/spend.ts";
import { randomAddress, type SeededWallet } from "../wallets/seed-wallet.ts";

export interface WalletOfAgent extends SeededWallet {
  readonly agentId: string;
}

export interface PaymentSeed {
  readonly tenantId: TenantId;
  readonly mode?: Mode;
  readonly payer: WalletOfAgent;
  /** Null: an address that is no wallet of the tenant. */
  readonly payee: WalletOfAgent | null;
  readonly baseUnits?: bigint;
  /** `authorized` and `queued` hold the amount, `confirmed` pays it, and any other status moves nothing. */
  readonly status?: PaymentStatus;
  readonly projectId?: ProjectId;
  readonly approvalId?: ApprovalId;
  /** How long the authorization lasts. Default: seven days. */
  readonly seconds?: number;
  /** The limits of policies that count the payment. */
  readonly decision?: Spend["decision"];
}

const WEEK_SECONDS = 7 * 86_400;

/** Inserts a payment, with its reservation and its move in the ledger. */
export async function seedPayment(app: Pick<App, "db" | "clock">, seed: PaymentSeed): Promise<PaymentId> {
  const { tenantId } = seed;
  const paymentId = newId("pay");
  await withTransaction(app.db, tenantId, async (tx) => {
    const accounts = await accountsOf(tx, seed, app.clock.now());
    const spent = await spendFor(tx, app, seed, { ...accounts, paymentId });
    const row = { paymentId, ...accounts, ...spent };
    await tx
      .insertInto("payments")
      .values(rowOf(seed, row, app.clock.now()))
      .execute();
  });
  return paymentId;
}

type Accounts = Pick<Spend, "debitAccountId" | "creditAccountId">;

async function accountsOf(tx: Tx, { tenantId, mode = "test", payer, payee }: PaymentSeed, at: Date): Promise<Accounts> {
  const open = async (kind: "wallet" | "external", subjectId: string) => {
    const key = { tenantId, mode, kind, subjectType: kind, subjectId };
    const account = (await openAccounts(tx, key, at)).get("usdc");
    invariant(account !== undefined, "an account is opened for each token");
    return account;
  };
  const external = await open("external", tenantId);
  return {
    debitAccountId: await open("wallet", payer.walletId),
    creditAccountId: payee ? await open("wallet", payee.walletId) : external,
  };
}

const DOLLARS_10 = 10_000_000n;

async function spendFor(
  tx: Tx,
  app: Pick<App, "clock">,
  { tenantId, mode = "test", status = "authorized", decision, projectId, ...seed }: PaymentSeed,
  { paymentId, ...accounts }: Accounts & { readonly paymentId: PaymentId },
) {
  if (status !== "authorized" && status !== "queued" && status !== "confirmed") {
    return { reservationId: null, transferId: null };
  }
  const spent = await spend(tx, app, systemActor({ tenantId, mode }), {
    ...{ mode, ...accounts, decision, kind: status === "confirmed" ? "direct" : "hold" },
    cause: { type: "payment", id: paymentId },
    amount: { asset: "usdc", baseUnits: seed.baseUnits ?? DOLLARS_10 },
    project: projectId && { tenantId, mode, agentIds: [], projectIds: [], projectId },
  });
  if (spent instanceof AppError) throw spent;
  invariant(typeof spent !== "symbol", "policies do not change");
  return { reservationId: spent.reservationId ?? null, transferId: spent.transferId };
}

function rowOf(
  { tenantId, mode = "test", payer, payee, status = "authorized", ...seed }: PaymentSeed,
  moved: Accounts & Pick<Insertable<Schema["payments"]>, "paymentId" | "reservationId" | "transferId">,
  at: Date,
): Insertable<Schema["payments"]> {
  const { baseUnits = DOLLARS_10, seconds = WEEK_SECONDS, projectId, approvalId } = seed;
  const isPaid = status === "confirmed";
  const verdict = { outcome: "allow", policyId: null, policyVersion: null, ruleId: null };
  return {
    ...{ tenantId, mode, status, baseUnits, ...moved },
    ...{ agentId: payer.agentId, walletId: payer.walletId, network: "base", asset: "usdc" },
    ...payeeOf(payee),
    projectId: projectId ?? null,
    execution: isPaid ? "auto" : "authorize_only",
    purpose: null,
    reference: null,
    maxFeeBaseUnits: null,
    metadata: "{}",
    decision: JSON.stringify({ ...verdict, kyaLevel: "none" }),
    paidBaseUnits: isPaid ? baseUnits : null,
    expiresAt: isPaid || status === "queued" ? null : new Date(at.getTime() + seconds * 1_000),
    approvalId: approvalId ?? null,
    createdAt: at,
    settledAt: isPaid ? at : null,
    updatedAt: at,
  };
}

function payeeOf(payee: WalletOfAgent | null | undefined) {
  const payeeAddress = payee?.address ?? randomAddress();
  return {
    payee: JSON.stringify({ type: "address", value: payeeAddress }),
    payeeAddress,
    payeeWalletId: payee?.walletId ?? null,
    payeeAgentId: payee?.agentId ?? null,
  };
}
