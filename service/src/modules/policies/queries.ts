import { type ExpressionBuilder, sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type ListedPage, type Page, readNewest } from "../../db/pages.ts";
import { WITH_NEXT } from "../../db/round-trips.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, rowsWhere, selectWhere } from "../../db/where.ts";
import { AppError } from "../../foundation/errors.ts";
import type { PolicyId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { PolicyApprovals, PolicyRule } from "./rules/rule-schema.ts";

export type PolicyOwner = Pick<TenantScope, "tenantId" | "mode">;

/** What a new version of a policy replaces. */
export interface PolicyContent {
  readonly name: string;
  /** UUIDs in lowercase. */
  readonly agentIds: readonly string[];
  readonly walletIds: readonly string[];
  readonly projectIds: readonly string[];
  /** As in the API. */
  readonly rules: readonly PolicyRule[];
  /** As in the API. */
  readonly approvals: PolicyApprovals;
}

/** The policies, including deleted ones, by their keys. */
export const policyRows = tableOf("policies", ["tenantId", "policyId"]);
export const policyVersionRows = tableOf("policyVersions", ["tenantId", "policyId", "version"]);

/** The revisions of policies. There is none before the first change. */
export const policyRevisionRows = tableOf("policyRevisions", ["tenantId", "mode"]);

export interface Policy extends Omit<Row<"policies">, keyof PolicyContent>, PolicyContent {}

/** A policy ID, and the scope that the policy must belong to. */
export interface PolicyKey extends Omit<TenantScope, "projectIds"> {
  readonly policyId: PolicyId;
}

type PolicyScope = Omit<TenantScope, "projectIds">;
type OnPolicies = ExpressionBuilder<Schema, "policies">;

/** An agent's policies are those that name it, those that it names, and the starter policy. */
function inScope({ tenantId, mode, agentIds }: PolicyScope) {
  return (eb: OnPolicies) =>
    eb.and([
      eb("policies.tenantId", "=", tenantId),
      eb("policies.mode", "=", mode),
      eb("policies.deletedAt", "is", null),
      sql<boolean>`(${agentIds}::text[] = '{}' or policies.is_starter or policies.agent_ids && ${agentIds}::text[]
        or policies.policy_id in (select policy_id from agents where agents.tenant_id = policies.tenant_id
          and agents.mode = policies.mode and agents.agent_id = any(${agentIds}::uuid[]) and deleted_at is null))`,
    ]);
}

function selectPolicies(db: Db, scope: PolicyScope) {
  return db.selectFrom("policies").selectAll("policies").where(inScope(scope)).$castTo<Policy>();
}

/** Returns the policy. Throws `policy_not_found`, including for a policy that does not apply to the agents of the API key. */
export async function getPolicy(db: Db, key: PolicyKey): Promise<Policy> {
  return (await findPolicyRow(db, key)) ?? policyNotFound(key);
}

/** Returns the policy as it was in this version. Throws `policy_not_found`, including for an unknown version. */
export async function getPolicyVersion(db: Db, key: PolicyKey, version: number): Promise<Policy> {
  const policy = await getPolicy(db, key);
  const stored = await policyVersionRows.find(db, { ...policy, version });
  if (stored === undefined) return policyNotFound(key);
  return { ...policy, ...(stored.content as unknown as PolicyContent), version, updatedAt: stored.createdAt };
}

export async function findPolicyRow(db: Db, key: PolicyKey): Promise<Policy | undefined> {
  return selectPolicies(db, key).where("policyId", "=", key.policyId).executeTakeFirst();
}

/** Returns the policy and locks its row until the transaction ends. Throws `policy_not_found`. */
export async function lockPolicy(tx: Tx, key: PolicyKey): Promise<Policy> {
  const policies = selectPolicies(tx, key).where("policyId", "=", key.policyId);
  return (await policies.forNoKeyUpdate().executeTakeFirst()) ?? policyNotFound(key);
}

function policyNotFound({ tenantId, mode, policyId }: PolicyKey): never {
  throw new AppError("policy_not_found", {
    internal: `the caller cannot access policy ${policyId} of ${tenantId} in ${mode} mode`,
  });
}

export async function listPolicies(
  db: Db,
  scope: PolicyScope,
  { after, limit }: Page<string>,
): Promise<ListedPage<Policy>> {
  const policies = selectPolicies(db, scope);
  return readNewest(policies, { tenantId: scope.tenantId, table: "policies", column: "policyId" }, { after, limit });
}

/** Returns the names of these policies, by their ids. */
export async function readPolicyNames(
  db: Db,
  { tenantId }: Pick<PolicyOwner, "tenantId">,
  policyIds: readonly PolicyId[],
): Promise<ReadonlyMap<PolicyId, string>> {
  if (policyIds.length === 0) return new Map();
  const rows = await selectWhere(db, "policies", { tenantId })
    .select(["policyId", "name"])
    .where("policyId", "in", policyIds)
    .execute();
  return new Map(rows.map(({ policyId, name }) => [policyId, name]));
}

export async function countPolicies(db: Db, { tenantId, mode }: PolicyOwner): Promise<number> {
  return countRows(rowsWhere(db, "policies", { tenantId, mode }).where("deletedAt", "is", null));
}

export async function findStarterPolicyId(db: Db, { tenantId, mode }: PolicyOwner): Promise<PolicyId | undefined> {
  const starter = await selectWhere(db, "policies", { tenantId, mode, isStarter: true })
    .select("policyId")
    .executeTakeFirst();
  return starter?.policyId;
}

/** Returns the new policy, and stores its first version. */
export async function insertPolicy(
  tx: Tx,
  policy: Omit<Policy, "version" | "updatedAt" | "deletedAt">,
): Promise<Policy> {
  const inserted = await policyRows.insertAndGet(tx, {
    ...policy,
    ...columnsOf(policy),
    version: 1,
    updatedAt: policy.createdAt,
  });
  return storeVersion(tx, inserted as Policy);
}

/** Replaces the content of a policy that the caller has locked, and stores the content as the next version. */
export async function replaceContent(tx: Tx, policy: Policy, content: PolicyContent, updatedAt: Date): Promise<Policy> {
  const change = { ...columnsOf(content), version: policy.version + 1, updatedAt };
  return storeVersion(tx, (await policyRows.updateAndGet(tx, policy, change)) as Policy);
}

function columnsOf({ name, agentIds, walletIds, projectIds, rules, approvals }: PolicyContent) {
  const json = { rules: JSON.stringify(rules), approvals: JSON.stringify(approvals) };
  return { name, agentIds, walletIds, projectIds, ...json };
}

async function storeVersion(tx: Tx, policy: Policy): Promise<Policy> {
  const { tenantId, policyId, version, updatedAt: createdAt } = policy;
  const { name, agentIds, walletIds, projectIds, rules, approvals } = policy;
  const content = { name, agentIds, walletIds, projectIds, rules, approvals } satisfies PolicyContent;
  await policyVersionRows.insert(tx, { tenantId, policyId, version, content: JSON.stringify(content), createdAt });
  return policy;
}

/** Returns true if an agent, a wallet or a project names the policy. */
export async function isPolicyNamed(
  db: Db,
  { tenantId, policyId }: Pick<Policy, "tenantId" | "policyId">,
): Promise<boolean> {
  const { isNamed } = await db
    .selectNoFrom(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom("agents")
            .select("agentId")
            .where("tenantId", "=", tenantId)
            .where("policyId", "=", policyId)
            .where("deletedAt", "is", null),
        ),
        exists(
          selectFrom("wallets").select("walletId").where("tenantId", "=", tenantId).where("policyId", "=", policyId),
        ),
        exists(
          selectFrom("projects")
            .select("projectId")
            .where("tenantId", "=", tenantId)
            .where("policyId", "=", policyId)
            .where("deletedAt", "is", null),
        ),
      ]).as("isNamed"),
    )
    .executeTakeFirstOrThrow();
  return Boolean(isNamed);
}

/**
 * Makes earlier decisions about spendings of the tenant and mode invalid. Call it in the transaction of every change
 * that can alter such a decision: of a policy, an agent, or of what names a policy.
 *
 * Locks the revision until the transaction ends. A transaction that lets an object name a policy calls this before it
 * checks that the policy exists, so that the policy cannot be deleted meanwhile.
 */
export async function raisePolicyRevision(tx: Tx, { tenantId, mode }: PolicyOwner): Promise<void> {
  await tx
    .insertInto("policyRevisions")
    .values({ tenantId, mode, revision: 1n })
    .onConflict((conflict) =>
      conflict
        .columns(["tenantId", "mode"])
        .doUpdateSet(({ eb }) => ({ revision: eb("policyRevisions.revision", "+", 1n) })),
    )
    .execute();
}

/**
 * Compares the revision of the policies that decided with the transaction's next statement, which fails with an error for
 * which `needsMoreStatements` returns true if policies have changed.
 */
export const requireRevisionWithNext = compileOnce(
  (tx, { mode, revision }: { readonly mode: Mode; readonly revision: bigint }) =>
    tx.selectNoFrom(sql`purser_require_policy_revision(${mode}, ${revision}::bigint)`.as("required")),
  { marker: WITH_NEXT },
);
