import { sql } from "kysely";
import { compileOnce } from "../../../db/compile-once.ts";
import type { Tx } from "../../../db/database.ts";
import { WITH_NEXT } from "../../../db/round-trips.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import type {
  LedgerAccountId,
  PolicyDecisionId,
  PolicyId,
  ProjectId,
  TenantId,
  WalletId,
} from "../../../foundation/ids.ts";
import type { Asset } from "../../../foundation/money.ts";
import type { CapBehavior, FreezeMode, Mode, PolicyOutcome } from "../../../foundation/vocabulary.ts";
import { moneyStatements } from "../../../idempotency/money/queries.ts";
import type { StoredDecisionFacts } from "../../decisions/queries.ts";
import { SEND_OPERATIONS } from "../../user-operations/schedule-sending.ts";
import type { Payment } from "../queries.ts";

/** The parameters of `purser_read_payment_facts`, in the migration `0014_payments.sql`. */
export interface PaymentQuery {
  readonly payerTenantId: TenantId;
  readonly payerMode: Mode;
  /** A UUID in lowercase. */
  readonly payerAgentId: string;
  readonly payerWalletId: string | null;
  readonly payerNetwork: BlockchainNetwork | null;
  readonly payerAsset: Asset;
  readonly payeeType: "address" | "agent" | "wallet";
  /** An address or an agent's id is in lowercase. */
  readonly payeeValue: string;
  readonly namedProjectId: string | null;
  readonly decidedAt: Date;
}

interface WalletFacts {
  readonly walletId: WalletId;
  readonly network: BlockchainNetwork;
  readonly address: string;
  readonly freezeMode: FreezeMode | null;
  readonly accountId: LedgerAccountId;
}

/**
 * The result of `purser_read_payment_facts`. Processes keep it, so whatever changes a fact must raise `payment_revisions`. The
 * triggers in the migration `0014_payments.sql` do so.
 */
export interface PaymentFacts {
  /** How many wallets of the agent match. */
  readonly walletCount: number;
  readonly wallet: (WalletFacts & { readonly stopped: boolean }) | null;
  /** The payee's wallet, if it is one of the tenant's. */
  readonly payee: (WalletFacts & { readonly agentId: string }) | null;
  readonly externalAccountId: LedgerAccountId | null;
  /** How many projects of the agent match. */
  readonly projectCount: number;
  readonly project: {
    readonly projectId: ProjectId;
    readonly status: string;
    readonly capBehavior: CapBehavior;
  } | null;
  readonly namedProjectExists: boolean;
  readonly payeeIsNew: boolean;
  readonly decision: StoredDecisionFacts;
}

export interface StoredPaymentFacts {
  readonly facts: PaymentFacts;
  /** The facts are current as long as the number in `payment_revisions` is the same. */
  readonly revision: bigint;
}

/** A payment, and the decision about it. The JSON columns are texts. */
export interface PaymentRow
  extends Omit<Payment, "tenantId" | "mode" | "payee" | "metadata" | "decision" | "failure" | "onchain"> {
  readonly payeeText: string;
  readonly metadataText: string;
  readonly verdictText: string;
  /** Whether the payee is paid, so that the agent has paid it before from now on. */
  readonly isPaid: boolean;
  /** Null if no policy decided. The other columns of the decision are then null as well. */
  readonly decisionId: PolicyDecisionId | null;
  readonly decidedFacts: string | null;
  readonly outcome: PolicyOutcome | null;
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string | null;
}

/** The statements of `POST /payments/send`. */
export const sendStatements = moneyStatements<PaymentQuery, StoredPaymentFacts, PaymentRow>({
  facts: (db, query) => ({
    compile: () =>
      sql<StoredPaymentFacts>`select purser_read_payment_facts(${query.payerTenantId}, ${query.payerMode},
        ${query.payerAgentId}::uuid, ${query.payerWalletId}, ${query.payerNetwork}, ${query.payerAsset},
        ${query.payeeType}, ${query.payeeValue}, ${query.namedProjectId}, ${query.decidedAt}) as facts,
        coalesce((
          select revision from payment_revisions
          where tenant_id = ${query.payerTenantId} and mode = ${query.payerMode}
        ), 0) as revision`.compile(db),
  }),
  rows: (db, row) => ({
    payment: db.insertInto("payments").values({
      tenantId: row.tenantId,
      paymentId: row.paymentId,
      mode: row.mode,
      agentId: row.agentId,
      walletId: row.walletId,
      network: row.network,
      asset: row.asset,
      baseUnits: row.baseUnits,
      payee: row.payeeText,
      payeeAddress: row.payeeAddress,
      payeeWalletId: row.payeeWalletId,
      payeeAgentId: row.payeeAgentId,
      debitAccountId: row.debitAccountId,
      creditAccountId: row.creditAccountId,
      projectId: row.projectId,
      status: row.status,
      execution: row.execution,
      purpose: row.purpose,
      reference: row.reference,
      maxFeeBaseUnits: row.maxFeeBaseUnits,
      metadata: row.metadataText,
      decision: row.verdictText,
      reservationId: row.reservationId,
      transferId: row.transferId,
      paidBaseUnits: row.paidBaseUnits,
      refundedBaseUnits: row.refundedBaseUnits,
      expiresAt: row.expiresAt,
      requestedExpiresAt: row.requestedExpiresAt,
      approvalId: row.approvalId,
      createdAt: row.createdAt,
      settledAt: row.settledAt,
      updatedAt: row.updatedAt,
    }),
    sending: sql`insert into due_work (tenant_id, kind, subject, due_at, first_due_at, attempts)
      select ${row.tenantId}, ${SEND_OPERATIONS.kind}, ${row.walletId}, ${row.createdAt}::timestamptz,
        ${row.createdAt}::timestamptz, 0
      where ${row.status} = 'queued'
      on conflict (tenant_id, kind, subject)
        do update set due_at = excluded.due_at, first_due_at = excluded.first_due_at, attempts = 0`,
    payee: sql`insert into paid_payees (tenant_id, mode, agent_id, payee_address)
      select ${row.tenantId}, ${row.mode}, ${row.agentId}::uuid, lower(${row.payeeAddress})
      where ${row.isPaid}::boolean
      on conflict do nothing`,
    decision: sql`insert into policy_decisions (tenant_id, decision_id, mode, agent_id, operation, facts, outcome,
        policy_id, policy_version, rule_id, decided_at)
      select ${row.tenantId}, ${row.decisionId}, ${row.mode}, ${row.agentId}::uuid, 'payment', ${row.decidedFacts}::jsonb,
        ${row.outcome}, ${row.policyId}, ${row.policyVersion}::integer, ${row.ruleId}, ${row.createdAt}::timestamptz
      where ${row.decisionId}::text is not null`,
  }),
});

/** The facts with which a payment to an address was decided, and that were not read in its transaction. */
export interface KnownFacts {
  readonly mode: Mode;
  readonly revision: bigint;
  readonly agentId: string;
  readonly network: BlockchainNetwork;
  readonly payeeAddress: string;
  readonly payeeIsNew: boolean;
}

/**
 * Checks facts with the transaction's next statement, which fails with an error for which `hasOutdatedFacts` returns
 * true unless they are current.
 */
export const requireFactsWithNext = compileOnce(
  (tx, known: KnownFacts) =>
    tx.selectNoFrom(
      sql`purser_require_payment_facts(${known.mode}, ${known.revision}::bigint, ${known.agentId}::uuid,
        ${known.network}, lower(${known.payeeAddress}), ${known.payeeIsNew})`.as("required"),
    ),
  { marker: WITH_NEXT },
);

/** A wallet from which an amount is to be held, and the time of its authorization. */
export interface NewAuthorization {
  readonly walletId: WalletId;
  readonly at: Date;
}

/** Returns whether the wallet has fewer open authorizations than the maximum. Concurrent authorizations of it wait. */
export async function canAuthorize(tx: Tx, { walletId, at }: NewAuthorization, max: number): Promise<boolean> {
  const { rows } = await sql<{ readonly fits: boolean }>`
    select purser_can_authorize(${walletId}, ${at}, ${max}) as fits`.execute(tx);
  return rows[0]?.fits === true;
}

/**
 * Does the check of `canAuthorize` with the transaction's next statement, which fails with an error for which
 * `needsMoreStatements` returns true if the wallet has too many open authorizations.
 */
export const requireAuthorizableWithNext = compileOnce(
  (tx, { walletId, at, max }: NewAuthorization & { readonly max: number }) =>
    tx.selectNoFrom(sql`purser_require_authorizable(${walletId}, ${at}, ${max})`.as("required")),
  { marker: WITH_NEXT },
);
