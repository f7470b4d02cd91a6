import type { Json } from "../../foundation/canonical-json.ts";
import type { ApprovalId, PolicyId, TenantId } from "../../foundation/ids.ts";
import type { ApprovalStatus, Mode } from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type { JsonColumn, Optional } from "./columns.ts";

/** A rule that asked for an approval. After the approval it counts as satisfied. */
export interface AskingRule {
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string;
}

export interface ApprovalTable {
  readonly tenantId: TenantId;
  readonly approvalId: ApprovalId;
  readonly mode: Mode;
  readonly status: ApprovalStatus;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly agentId: string | null;
  /** As in the API. */
  readonly summary: JsonColumn<NonNullable<Json>>;
  readonly rules: JsonColumn<readonly AskingRule[]>;
  readonly requestedBy: JsonColumn<AuditActor>;
  readonly approvers: readonly string[];
  /** As in the API. */
  readonly votes: JsonColumn<NonNullable<Json>>;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
  readonly decidedAt: Optional<Date | null>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ApprovalTables {
  readonly approvals: ApprovalTable;
}
