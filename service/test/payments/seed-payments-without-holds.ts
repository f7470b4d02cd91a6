import type { App } from "../../src/app.ts";
import { withTransaction } from "../../src/db/transaction.ts";
import { newId, type PaymentId, type TenantId, type WalletId } from "../../src/foundation/ids.ts";
import type { PaymentStatus } from "../../src/foundation/vocabulary.ts";
import { randomAddress } from "../wallets/seed-wallet.ts";

export interface PaymentSeed {
  readonly tenantId: TenantId;
  readonly walletId: WalletId;
  readonly agentId: string;
  readonly status: PaymentStatus;
  readonly expiresAt: Date | null;
}

/** Inserts payments of one base unit of USDC in test mode, without holds in the ledger. Returns their ids. */
export async function seedPaymentsWithoutHolds(
  { db, clock }: Pick<App, "db" | "clock">,
  { count, ...seed }: PaymentSeed & { readonly count: number },
): Promise<readonly PaymentId[]> {
  const { tenantId, walletId, agentId, status, expiresAt } = seed;
  const at = clock.now();
  const address = randomAddress();
  const rows = Array.from({ length: count }, () => ({
    ...{ tenantId, paymentId: newId("pay"), walletId, agentId, status, expiresAt },
    mode: "test" as const,
    network: "base" as const,
    asset: "usdc" as const,
    baseUnits: 1n,
    payee: JSON.stringify({ type: "address", value: address }),
    payeeAddress: address,
    payeeWalletId: null,
    payeeAgentId: null,
    debitAccountId: newId("lac"),
    creditAccountId: newId("lac"),
    projectId: null,
    execution: "auto" as const,
    purpose: null,
    reference: null,
    maxFeeBaseUnits: null,
    decision: "{}",
    metadata: "{}",
    reservationId: null,
    approvalId: null,
    createdAt: at,
    updatedAt: at,
  }));
  await withTransaction(db, tenantId, async (tx) => {
    await tx.insertInto("payments").values(rows).execute();
  });
  return rows.map(({ paymentId }) => paymentId);
}
