import type { ColumnType } from "kysely";
import type { Json } from "../foundation/canonical-json.ts";
import type { PolicyId } from "../foundation/ids.ts";
import type {
  ConversionStatus,
  FreezeReason,
  FreezeSource,
  KyaLevel,
  PayeeType,
  PolicyOutcome,
} from "../foundation/vocabulary.ts";
import type { Decision, NextAction } from "../foundation/wire/problem.ts";

/**
 * A JSON column. It is read as a value and written as JSON text, because the driver would write arrays as SQL arrays.
 */
export type JsonColumn<Value> = ColumnType<Value, string, string>;

export type JsonData = NonNullable<Json>;

export type JsonFields = Readonly<Record<string, Json>>;

/** Encrypted bytes (see `crypto/envelope.ts`). */
export type Sealed = Buffer;

/**
 * The version of the data key with which a value is encrypted. Each encrypted column has a second column of this type,
 * whose name has the suffix `Under`. The database computes the version from the encrypted bytes.
 */
export type SealedUnder = ColumnType<number | null, never, never>;

/** What an agent runs, as the developer describes it. */
export interface AgentSoftware {
  readonly name?: string;
  readonly version?: string;
  readonly model?: string;
}

/** A rule that asked for an approval. After the approval it counts as satisfied. */
export interface ApprovalRule {
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string;
}

/** What a person is shown before deciding. */
export interface ApprovalSummary {
  readonly title: string;
  /** A decimal amount. Null if the subject costs nothing. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly payee: string | null;
  /** The reason that the caller gave. */
  readonly reason: string | null;
  readonly lineItems: readonly { readonly description: string; readonly amount: string }[];
  readonly riskFlags: readonly string[];
}

export interface ApprovalVote {
  readonly decision: "approved" | "denied";
  readonly by: Pick<AuditActor, "type" | "id">;
  readonly via: "api" | "dashboard" | "email_link";
  /** An RFC 3339 timestamp. */
  readonly at: string;
  readonly note: string | null;
}

export interface AuditActor {
  readonly type: "developer" | "agent" | "admin" | "system";
  readonly id: string;
  readonly key_id: string | null;
  readonly ip: string | null;
}

export interface AuditSubject {
  readonly type: string;
  readonly id: string;
}

/** Why an operation failed: an API error code, a sentence for the caller, and what `AppError` adds to a refusal. */
export interface OperationError {
  readonly code: string;
  readonly detail: string;
  readonly decision?: Decision | undefined;
  readonly nextAction?: NextAction | undefined;
}

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

/** The operation of a live payment, as responses show it. */
export interface PaymentOnchain {
  readonly user_op_hash: string;
  readonly tx_hash: string | null;
  readonly nonce_key: string;
  readonly block_number: number | null;
  readonly confirmations: number;
}

/** How a freeze is lifted once the account is unfrozen on its chain. */
export interface UnfreezeRequest {
  readonly liftedBy: FreezeSource;
  readonly reason: FreezeReason | null;
  readonly note: string | null;
  readonly reviewReference: string | null;
  /** The request's Idempotency-Key. A repeated request does not lift a later freeze. */
  readonly idempotencyKey: string | null;
}

/** The payment method fields that responses contain. */
export interface PaymentMethodSummary {
  readonly id: string;
  readonly type: string;
  readonly brand?: string;
  readonly last4?: string;
  readonly exp_month?: number;
  readonly exp_year?: number;
}

/** Where the dollars of an on-ramp must be sent, and the reference by which the vendor recognizes them. */
export interface DepositInstructions {
  readonly bankName: string | null;
  readonly accountNumber: string | null;
  readonly routingNumber: string | null;
  readonly reference: string | null;
}

/** How a conversion can be found at banks and on the chain. */
export interface ConversionTrace {
  readonly txHash: string | null;
  readonly achTraceNumber: string | null;
  readonly imad: string | null;
}

/** A status that a conversion has had. */
export interface TimelineEntry {
  readonly status: ConversionStatus;
  /** An RFC 3339 timestamp. */
  readonly at: string;
}
