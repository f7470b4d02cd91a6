import type { ColumnType } from "kysely";
import type { ApprovalId, PolicyId } from "../../foundation/ids.ts";
import type { ApprovalStatus } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { ChangingOfMode, JsonColumn, Optional } from "./columns.ts";

/** A rule that asked for an approval. After the approval it counts as satisfied. */
export interface AskingRule {
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

export interface ApprovalTables {
  readonly approvals: ChangingOfMode & {
    readonly approvalId: ApprovalId;
    readonly status: ApprovalStatus;
    readonly subjectType: string;
    readonly subjectId: string;
    readonly agentId: string | null;
    readonly summary: JsonColumn<ApprovalSummary>;
    readonly rules: JsonColumn<readonly AskingRule[]>;
    readonly requestedBy: JsonColumn<AuditActor>;
    readonly approvers: readonly string[];
    readonly votes: ColumnType<readonly ApprovalVote[], string | undefined, string>;
    /** SHA-256 of the token in the emailed URL. */
    readonly tokenHash: string;
    /** Whether the developer got an email about this approval alone. */
    readonly isEmailed: Optional<boolean>;
    readonly expiresAt: Date;
    readonly decidedAt: Optional<Date | null>;
  };
}
