import type { Json } from "../../foundation/canonical-json.ts";
import type { PolicyDecisionId, PolicyId } from "../../foundation/ids.ts";
import type { PolicyOperation, PolicyOutcome } from "../../foundation/vocabulary.ts";
import type { ChangingOfMode, CreatedOfTenant, JsonColumn, OfMode, Optional } from "./columns.ts";

export interface PolicyTables {
  readonly policies: ChangingOfMode & {
    readonly policyId: PolicyId;
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
    readonly deletedAt: Optional<Date | null>;
  };
  readonly policyVersions: CreatedOfTenant & {
    readonly policyId: PolicyId;
    readonly version: number;
    readonly content: JsonColumn<NonNullable<Json>>;
  };
  readonly policyRevisions: OfMode & {
    readonly revision: bigint;
  };
  readonly policyDecisions: OfMode & {
    readonly decisionId: PolicyDecisionId;
    readonly agentId: string;
    readonly operation: PolicyOperation;
    readonly facts: JsonColumn<NonNullable<Json>>;
    readonly outcome: PolicyOutcome;
    readonly policyId: PolicyId | null;
    readonly policyVersion: number | null;
    readonly ruleId: string | null;
    readonly decidedAt: Date;
  };
}
