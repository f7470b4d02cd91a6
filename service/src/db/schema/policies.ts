import type { Json } from "../../foundation/canonical-json.ts";
import type { PolicyDecisionId, PolicyId, TenantId } from "../../foundation/ids.ts";
import type { Mode, PolicyOperation, PolicyOutcome } from "../../foundation/vocabulary.ts";
import type { JsonColumn, Optional } from "./columns.ts";

export interface PolicyTable {
  readonly tenantId: TenantId;
  readonly policyId: PolicyId;
  readonly mode: Mode;
  readonly name: string;
  readonly version: number;
  readonly isStarter: Optional<boolean>;
  readonly agentIds: readonly string[];
  readonly walletIds: readonly string[];
  readonly projectIds: readonly string[];
  /** As in the API. */
  readonly rules: JsonColumn<NonNullable<Json>>;
  /** As in the API. */
  readonly approvals: JsonColumn<NonNullable<Json>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Optional<Date | null>;
}

interface PolicyVersionTable {
  readonly tenantId: TenantId;
  readonly policyId: PolicyId;
  readonly version: number;
  readonly content: JsonColumn<NonNullable<Json>>;
  readonly createdAt: Date;
}

interface PolicyRevisionTable {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly revision: bigint;
}

interface PolicyDecisionTable {
  readonly tenantId: TenantId;
  readonly decisionId: PolicyDecisionId;
  readonly mode: Mode;
  readonly agentId: string;
  readonly operation: PolicyOperation;
  readonly facts: JsonColumn<NonNullable<Json>>;
  readonly outcome: PolicyOutcome;
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string | null;
  readonly decidedAt: Date;
}

export interface PolicyTables {
  readonly policies: PolicyTable;
  readonly policyVersions: PolicyVersionTable;
  readonly policyRevisions: PolicyRevisionTable;
  readonly policyDecisions: PolicyDecisionTable;
}
