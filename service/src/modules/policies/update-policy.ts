import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { throwIfAsksLess } from "./bind-policy.ts";
import { findVersion, lockPolicy, type Policy, type PolicyContent, type PolicyKey, replaceContent } from "./queries.ts";
import { raisePolicyRevision } from "./raise-policy-revision.ts";
import { recordPolicyChange } from "./record-policy-change.ts";
import { canonicalRules } from "./rules/parse-rules.ts";

/** An undefined field is left unchanged. */
export type PolicyChange = {
  readonly [Field in keyof PolicyContent]: PolicyContent[Field] | undefined;
};

export interface UpdatePolicy {
  readonly actor: Actor;
  readonly key: PolicyKey;
  readonly change: PolicyChange;
  /** Whether the caller may decide approvals. */
  readonly mayDecide: boolean;
  /** The current version. Undefined: the version is not checked. */
  readonly expectedVersion: number | undefined;
}

/** The fields' names in requests and audit entries. */
const FIELD_NAMES = {
  name: "name",
  agentIds: "applies_to.agent_ids",
  walletIds: "applies_to.wallet_ids",
  projectIds: "applies_to.project_ids",
  rules: "rules",
  approvals: "approvals",
} as const satisfies Record<keyof PolicyContent, string>;

/**
 * Changes a policy, which makes a new version. If no value changes, there is no new version, audit entry or event.
 * Throws `version_conflict` if `expectedVersion` is not the current version.
 */
export async function updatePolicy(
  app: Pick<App, "db" | "clock">,
  { actor, key, change, mayDecide, expectedVersion }: UpdatePolicy,
  saveResponse: SaveResponse<Policy>,
): Promise<Policy> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const before = await lockPolicy(tx, key);
    throwIfOtherVersion(before, expectedVersion);
    const after = applyChange(before, change);
    const fields = changedFields(before, after);
    if (fields.length === 0) {
      await saveResponse(tx, before);
      return before;
    }

    await raisePolicyRevision(tx, key);
    throwIfReplacedByLess({ mayDecide, before, after });
    const policy = await replaceContent(tx, before, after, app.clock.now());
    const facts = { fields: fields.map((field) => FIELD_NAMES[field]) };
    await recordPolicyChange(tx, actor, { action: "policy.updated", policy, facts });
    await saveResponse(tx, policy);
    return policy;
  });
}

/** Throws `insufficient_scope` if the new version, or its subjects, would be asked less, unless the caller may decide. */
function throwIfReplacedByLess({
  mayDecide,
  before,
  after,
}: {
  readonly mayDecide: boolean;
  readonly before: Policy;
  readonly after: PolicyContent;
}): void {
  throwIfAsksLess({ mayDecide, from: before, to: after });
  const names = (policy: PolicyContent, other: PolicyContent) =>
    subjectsOf(policy).some((id) => !subjectsOf(other).includes(id));
  if (names(before, after)) throwIfAsksLess({ mayDecide, from: before, to: undefined });
}

function subjectsOf({ agentIds, walletIds, projectIds }: PolicyContent): string[] {
  return [...agentIds, ...walletIds, ...projectIds];
}

function throwIfOtherVersion({ version }: Policy, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new AppError("version_conflict", {
    detail: `The policy has version ${version}. Read it and repeat the change.`,
  });
}

function applyChange(before: Policy, change: PolicyChange): PolicyContent {
  return {
    name: change.name ?? before.name,
    agentIds: change.agentIds ?? before.agentIds,
    walletIds: change.walletIds ?? before.walletIds,
    projectIds: change.projectIds ?? before.projectIds,
    rules: change.rules ?? before.rules,
    approvals: change.approvals ?? before.approvals,
  };
}

function changedFields(before: PolicyContent, after: PolicyContent): (keyof PolicyContent)[] {
  const fields = Object.keys(FIELD_NAMES) as (keyof PolicyContent)[];
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

export interface RollBackPolicy {
  readonly actor: Actor;
  readonly key: PolicyKey;
  readonly version: number;
  /** Whether the caller may decide approvals. */
  readonly mayDecide: boolean;
}

/** Makes a new version with the content of an existing one. Throws `validation_error` if there is no such version. */
export async function rollBackPolicy(
  app: Pick<App, "db" | "clock">,
  { actor, key, version, mayDecide }: RollBackPolicy,
  saveResponse: SaveResponse<Policy>,
): Promise<Policy> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const before = await lockPolicy(tx, key);
    const content = await findVersion(tx, before, version);
    if (content === undefined) {
      throw invalidField("/body/version", "unknown", "is not a version of this policy");
    }
    // An older process may have stored texts in another form.
    const restored = { ...content, rules: canonicalRules(content.rules) };
    await raisePolicyRevision(tx, key);
    throwIfReplacedByLess({ mayDecide, before, after: restored });
    const policy = await replaceContent(tx, before, restored, app.clock.now());
    const facts = { restored_version: version };
    await recordPolicyChange(tx, actor, { action: "policy.rolled_back", policy, facts });
    await saveResponse(tx, policy);
    return policy;
  });
}
