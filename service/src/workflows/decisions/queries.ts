import { sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Tx } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import type { PolicyDecisionId, PolicyId, TenantId } from "../../foundation/ids.ts";
import type {
  AgentStatus,
  Mode,
  PolicyOperation,
  PolicyOutcome,
} from "../../foundation/vocabulary.ts";

/** Whose operation is decided. */
export interface DecisionQuery {
  readonly mode: Mode;
  /** A UUID in lowercase. */
  readonly agentId: string;
  /** Null without a wallet. */
  readonly walletId: string | null;
  /** Null without a project. */
  readonly projectId: string | null;
  /** Selects what is used of the limits. */
  readonly at: Date;
}

/** The result of `purser_decision_facts`, in the migration `0020_policy_limits.sql`. Null if the agent does not exist. */
export interface DecisionFacts {
  /** The agent, its parent, and so on. */
  readonly members: readonly {
    readonly agentId: string;
    readonly status: AgentStatus;
    readonly expiresAt: string | null;
  }[];
  readonly kyb: {
    readonly status: Row<"developers">["kybStatus"];
    readonly expiresAt: string | null;
  };
  readonly hasProvenKey: boolean;
  readonly attestedBy: string | null;
  readonly attestedUntil: string | null;
  /** Whether the policies are too large to decide. They are then not returned. */
  readonly isTooLarge: boolean;
  /** The policies that apply to a member, to the wallet or to the project, and the starter policy. */
  readonly policies: readonly PolicyRow[];
  /** What is used of each limit, by the id of its budget. */
  readonly used: Readonly<
    Record<string, { readonly amount: string; readonly resetsAt: string | null }>
  >;
  readonly revision: string;
}

export interface PolicyRow {
  readonly policyId: PolicyId;
  readonly version: number;
  readonly isStarter: boolean;
  /** The members to which the policy applies. */
  readonly members: readonly string[];
  /** Whether the policy applies to the wallet or to the project. */
  readonly namesSubject: boolean;
  /** JSON text, which is parsed once for each version. */
  readonly rules: string;
  readonly approvals: string;
}

/** Returns the expression of a query that has the facts of a decision, in the tenant's transaction. */
export function decisionFacts({
  mode,
  agentId,
  walletId,
  projectId,
  at,
}: Omit<DecisionQuery, "agentId"> & { readonly agentId: string | null }) {
  return sql<DecisionFacts | null>`purser_decision_facts(${mode}, ${agentId}::uuid, ${walletId}, ${projectId}, ${at})`;
}

export const selectDecisionFacts = compileOnce((tx, query: DecisionQuery) =>
  tx.selectNoFrom(decisionFacts(query).as("facts")),
);

/** Lets no policy change until the transaction ends. */
export async function lockPolicyRevision(
  tx: Tx,
  { tenantId, mode }: { readonly tenantId: TenantId; readonly mode: Mode },
): Promise<void> {
  await tx
    .selectFrom("policyRevisions")
    .select("revision")
    .where("tenantId", "=", tenantId)
    .where("mode", "=", mode)
    .forShare()
    .execute();
}

/** A row of `policy_decisions`. */
export interface DecisionRow {
  readonly tenantId: TenantId;
  readonly decisionId: PolicyDecisionId;
  readonly mode: Mode;
  readonly agentId: string;
  readonly operation: PolicyOperation;
  /** JSON text. */
  readonly facts: string;
  readonly outcome: PolicyOutcome;
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string | null;
  readonly decidedAt: Date;
}

export async function insertDecision(tx: Tx, row: DecisionRow): Promise<void> {
  await tx.insertInto("policyDecisions").values(row).execute();
}
