import type { ColumnType } from "kysely";
import type {
  ApprovalId,
  LedgerAccountId,
  LedgerTransferId,
  PaymentId,
  PolicyId,
  ProjectId,
  WalletId,
} from "../../foundation/ids.ts";
import type { Asset } from "../../foundation/money/assets.ts";
import type { BlockchainNetwork } from "../../foundation/money/blockchain-networks.ts";
import type {
  KyaLevel,
  PayeeType,
  PaymentExecution,
  PaymentStatus,
  PolicyOutcome,
} from "../../foundation/vocabulary.ts";
import type { ChangingOfMode, JsonColumn, OfMode, Optional } from "./columns.ts";

/** The payee as the caller named it. */
export interface PaymentPayee {
  readonly type: PayeeType;
  readonly value: string;
}

/** What the agent's policies decided. */
export interface PaymentDecision {
  readonly outcome: PolicyOutcome;
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string | null;
  readonly kyaLevel: KyaLevel;
}

/** The error that ended a payment. */
export interface PaymentFailure {
  readonly code: string;
  readonly detail: string;
}

export interface PaymentTables {
  readonly payments: ChangingOfMode & {
    readonly paymentId: PaymentId;
    /** A UUID in lowercase. */
    readonly agentId: string;
    readonly walletId: WalletId;
    readonly network: BlockchainNetwork;
    readonly asset: Asset;
    /** What the payee gets. */
    readonly baseUnits: bigint;
    readonly payee: JsonColumn<PaymentPayee>;
    /** With the checksum of EIP-55. */
    readonly payeeAddress: string;
    /** The wallet of the same tenant that is paid, if it is one. */
    readonly payeeWalletId: WalletId | null;
    readonly payeeAgentId: string | null;
    readonly debitAccountId: LedgerAccountId;
    readonly creditAccountId: LedgerAccountId;
    readonly projectId: ProjectId | null;
    readonly status: PaymentStatus;
    readonly execution: PaymentExecution;
    readonly purpose: string | null;
    readonly reference: string | null;
    readonly maxFeeBaseUnits: bigint | null;
    readonly metadata: JsonColumn<Readonly<Record<string, string>>>;
    readonly decision: JsonColumn<PaymentDecision>;
    readonly reservationId: string | null;
    /** The transfer that paid, or the hold. */
    readonly transferId: LedgerTransferId | null;
    /** Less than `baseUnits` if less was captured. Null until the payee is paid. */
    readonly paidBaseUnits: bigint | null;
    readonly refundedBaseUnits: Optional<bigint>;
    /** When the payment expires while it waits for an approval or a capture. */
    readonly expiresAt: Date | null;
    /** When the caller wants it to expire. */
    readonly requestedExpiresAt: Date | null;
    readonly approvalId: ApprovalId | null;
    readonly failure: ColumnType<PaymentFailure | null, string | null | undefined, string | null>;
    readonly settledAt: Date | null;
  };
  readonly paidPayees: OfMode & {
    readonly agentId: string;
    /** In lowercase. */
    readonly payeeAddress: string;
  };
  /** Only triggers write it. */
  readonly paymentRevisions: OfMode & {
    readonly revision: bigint;
  };
}
