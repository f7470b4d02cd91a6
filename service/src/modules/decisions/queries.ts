import { sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { isAfter, type Page } from "../../db/pages.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { selectWhere } from "../../db/where.ts";
import type { PolicyDecisionId, PolicyId, TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { AgentStatus, Mode, PolicyOperation, PolicyOutcome } from "../../foundation/vocabulary.ts";
import type { PolicyOwner } from "../policies/queries.ts";
import type { StoredFacts } from "../policies/rules/facts.ts";

export const policyDecisionRows = tableOf("policyDecisions", ["tenantId", "decisionId"]);

/** Whose operation is decided. */
export interface DecisionQuery {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** A UUID in lowercase. Null without an agent. */
  readonly agentId: string | null;
  /** Null without a wallet. */
  readonly walletId: string | null;
  /** Null without a project. */
  readonly projectId: string | null;
  /** Selects what is used of the limits. */
  readonly at: Date;
}

/** The result of `purser_read_decision_facts`, in the migration `0011_policies.sql`. */
export interface StoredDecisionFacts {
  /** The agent, its parent, and so on. */
  readonly members: readonly {
    /** Null without an agent. */
    readonly agentId: string | null;
    /** Null if the agent does not exist. */
    readonly status: AgentStatus | null;
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
  readonly used: Readonly<Record<string, { readonly amount: string; readonly resetsAt: string | null }>>;
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
}

/** The rules of a version of a policy, as JSON texts. */
export interface VersionRow extends Pick<PolicyRow, "policyId" | "version"> {
  readonly rules: string;
  readonly approvals: string;
}

/** Returns the expression of a query that has the facts of a decision. */
export function decisionFacts({ tenantId, mode, agentId, walletId, projectId, at }: DecisionQuery) {
  return sql<StoredDecisionFacts>`purser_read_decision_facts(${tenantId}, ${mode}, ${agentId}::uuid, ${walletId}, ${projectId}, ${at})`;
}

export async function readStoredFacts(db: Db, query: DecisionQuery): Promise<StoredDecisionFacts> {
  const [row] = await selectDecisionFacts(db, query);
  invariant(row !== undefined, "a function returns a row");
  return row.facts;
}

const selectDecisionFacts = compileOnce((db, query: DecisionQuery) =>
  db.selectNoFrom(decisionFacts(query).as("facts")),
);

/** Returns the rules of versions of policies. */
export async function readVersions(
  db: Db,
  tenantId: TenantId,
  policies: readonly Pick<PolicyRow, "policyId" | "version">[],
): Promise<VersionRow[]> {
  const policyIds = policies.map(({ policyId }) => policyId);
  const versions = policies.map(({ version }) => version);
  return selectVersions(db, { tenantId, policyIds, versions });
}

const selectVersions = compileOnce(
  (
    db,
    parameters: {
      readonly tenantId: TenantId;
      readonly policyIds: readonly PolicyId[];
      readonly versions: readonly number[];
    },
  ) =>
    selectWhere(db, "policyVersions", { tenantId: parameters.tenantId })
      .select(["policyId", "version"])
      .select([
        sql<string>`(content -> 'rules')::text`.as("rules"),
        sql<string>`(content -> 'approvals')::text`.as("approvals"),
      ])
      .where(
        sql<boolean>`(policy_id, version) in
          (select * from unnest(${parameters.policyIds}::text[], ${parameters.versions}::integer[]))`,
      ),
);

/** Lets no policy change until the transaction ends. */
export async function lockPolicyRevision(
  tx: Tx,
  { tenantId, mode }: Pick<DecisionQuery, "tenantId" | "mode">,
): Promise<void> {
  await selectWhere(tx, "policyRevisions", { tenantId, mode }).select("revision").forShare().execute();
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

export interface StoredDecision
  extends Pick<Row<"policyDecisions">, "decisionId" | "operation" | "outcome" | "decidedAt"> {
  readonly facts: StoredFacts;
}

/** Returns decisions about the agent since `from`, oldest first. */
export async function listDecisions(
  db: Db,
  {
    tenantId,
    mode,
    agentId,
    from,
    after,
    limit,
  }: PolicyOwner & Page<StoredDecision> & { readonly agentId: string; readonly from: Date },
): Promise<StoredDecision[]> {
  return selectWhere(db, "policyDecisions", { tenantId, mode, agentId })
    .select(["decisionId", "operation", "facts", "outcome", "decidedAt"])
    .where("decidedAt", ">=", from)
    .where(isAfter(after, ["decidedAt", "decisionId"]))
    .orderBy("decidedAt")
    .orderBy("decisionId")
    .limit(limit)
    .$castTo<StoredDecision>()
    .execute();
}

/**
 * Returns true if no other back-test of the tenant and mode is running. Other calls return false until the transaction
 * ends.
 */
export async function tryLockBacktest(tx: Tx, { tenantId, mode }: PolicyOwner): Promise<boolean> {
  const name = `backtest ${tenantId} ${mode}`;
  const { rows } = await sql<{
    readonly locked: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

/** A wallet or a project of an agent that a policy is about. The other one is null. */
export type PolicySubject = Pick<DecisionQuery, "walletId" | "projectId">;

/**
 * Returns the agent's wallets and projects that name a policy or that a policy names, at most `max` of each, the newest
 * first. `projectIds`: only these projects. Empty: all.
 */
export async function listPolicySubjects(
  db: Db,
  {
    tenantId,
    mode,
    agentId,
    projectIds,
    max,
  }: PolicyOwner & { readonly agentId: string; readonly projectIds: readonly string[]; readonly max: number },
): Promise<PolicySubject[]> {
  const { rows } = await sql<PolicySubject>`
    (select wallet_id, null as project_id from wallets
      where tenant_id = ${tenantId} and mode = ${mode} and agent_id = ${agentId}::uuid
        and (policy_id is not null or exists (select from policies as policy where policy.tenant_id = ${tenantId}
          and policy.mode = ${mode} and policy.deleted_at is null and wallets.wallet_id = any(policy.wallet_ids)))
      order by created_at desc, wallet_id desc limit ${max})
    union all
    (select null, project_id from projects
      where tenant_id = ${tenantId} and mode = ${mode} and deleted_at is null and agent_ids @> array[${agentId}::text]
        and (${projectIds}::text[] = '{}' or project_id = any(${projectIds}::text[]))
        and (policy_id is not null or exists (select from policies as policy where policy.tenant_id = ${tenantId}
          and policy.mode = ${mode} and policy.deleted_at is null and projects.project_id = any(policy.project_ids)))
      order by created_at desc, project_id desc limit ${max})`.execute(db);
  return rows;
}

/** Returns what is reserved and not spent of each of these budgets, by its id. Budgets without a reservation are missing. */
export async function readReserved(
  db: Db,
  {
    tenantId,
    budgetIds,
    at,
  }: { readonly tenantId: TenantId; readonly budgetIds: readonly string[]; readonly at: Date },
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ readonly budgetId: string; readonly reserved: string }>`
    select budget.budget_id, sum(part.held_micros)::text as reserved
    from budgets as budget
    cross join lateral purser_budget_bucket(budget.period, ${at}) as bucket_start
    join budget_periods as part on part.tenant_id = ${tenantId} and part.budget_id = budget.budget_id
      and part.period_start >= bucket_start - purser_budget_window_length(budget.period)
      and (part.period_start = bucket_start or budget.period like 'rolling_%')
    where budget.tenant_id = ${tenantId} and budget.budget_id = any(${budgetIds}::text[])
    group by budget.budget_id`.execute(db);
  return new Map(rows.map(({ budgetId, reserved }) => [budgetId, BigInt(reserved)]));
}
