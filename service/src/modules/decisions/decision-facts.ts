import { LRUCache } from "lru-cache";
import type { Db } from "../../db/database.ts";
import type { PolicyId, TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { type CompiledPolicyRules, compilePolicy } from "../policies/rules/compiled-policy.ts";
import {
  type DecisionQuery,
  type PolicyRow,
  readStoredFacts,
  readVersions,
  type StoredDecisionFacts,
} from "./queries.ts";

/** What a decision about an operation needs. */
export interface DecisionFacts extends Omit<StoredDecisionFacts, "policies"> {
  readonly policies: readonly (PolicyRow & { readonly rules: CompiledPolicyRules })[];
}

/** Reads the facts of a decision in one statement, or in two if this process has not compiled all policies yet. */
export async function readDecisionFacts(db: Db, query: DecisionQuery): Promise<DecisionFacts> {
  return withRules(db, query.tenantId, await readStoredFacts(db, query));
}

/** Compiled versions of policies, which never change. The size of an entry is the length of its text. */
const compiledVersions = new LRUCache<string, CompiledPolicyRules>({ maxSize: 16 * 1024 * 1024 });

type Version = Pick<PolicyRow, "policyId" | "version">;

/** Adds the rules of the policies. Needs a statement only for versions that this process has not compiled yet. */
export async function withRules(db: Db, tenantId: TenantId, facts: StoredDecisionFacts): Promise<DecisionFacts> {
  const known = facts.policies.map((policy) => compiledVersions.get(keyOf(policy)));
  const missing = facts.policies.filter((_policy, index) => known[index] === undefined);
  // The cache may keep only some of these.
  const fresh = missing.length === 0 ? undefined : await compileVersions(db, tenantId, missing);
  const policies = facts.policies.map((policy, index) => {
    const rules = known[index] ?? fresh?.get(policy.policyId);
    invariant(rules !== undefined, "every version of a policy is stored");
    return { ...policy, rules };
  });
  return { ...facts, policies };
}

async function compileVersions(
  db: Db,
  tenantId: TenantId,
  missing: readonly Version[],
): Promise<ReadonlyMap<PolicyId, CompiledPolicyRules>> {
  const rows = await readVersions(db, tenantId, missing);
  return new Map(
    rows.map(({ rules, approvals, ...version }) => {
      const compiled = compilePolicy({
        rules: JSON.parse(rules),
        approvals: JSON.parse(approvals),
      });
      compiledVersions.set(keyOf(version), compiled, { size: rules.length + approvals.length });
      return [version.policyId, compiled];
    }),
  );
}

function keyOf({ policyId, version }: Version): string {
  return `${policyId} ${version}`;
}
