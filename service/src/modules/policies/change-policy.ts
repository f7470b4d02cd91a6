import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { appendEvent, type EventEntry, recordEntryAndEvent } from "../../events/events.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { changedFields } from "../../foundation/wire/apply-change.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { throwIfAsksLess } from "./bind-policy.ts";
import { presentPolicy } from "./policy-resource.ts";
import {
  countPolicies,
  insertPolicy,
  isPolicyNamed,
  lockPolicy,
  type Policy,
  type PolicyContent,
  type PolicyKey,
  policyRows,
  policyVersionRows,
  raisePolicyRevision,
  replaceContent,
} from "./queries.ts";

const POLICIES_MAX = QUOTAS.policies.max;

/**
 * Creates a policy in the actor's tenant and mode. Throws `conflict` if the tenant has reached its maximum number of
 * policies.
 */
export async function createPolicy(
  app: Pick<App, "db" | "clock">,
  { actor, content }: { readonly actor: Actor; readonly content: PolicyContent },
  saveResponse: SaveResponse<Policy>,
): Promise<Policy> {
  const { tenantId, mode } = actor;
  return withTransaction(app.db, tenantId, async (tx) => {
    // This locks the revision, so concurrent calls are counted one after another.
    await raisePolicyRevision(tx, actor);
    if ((await countPolicies(tx, actor)) >= POLICIES_MAX) {
      const detail = `This account has reached its limit of ${POLICIES_MAX} ${mode} policies. Delete a policy first.`;
      throw new AppError("conflict", { detail });
    }
    const policy = await insertPolicy(tx, {
      ...content,
      tenantId,
      mode,
      policyId: newId("pol"),
      isStarter: false,
      createdAt: app.clock.now(),
    });
    const facts = { name: policy.name, rules: policy.rules.length };
    await recordPolicyChange(tx, actor, { action: "policy.created", policy, facts });
    await saveResponse(tx, policy);
    return policy;
  });
}

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
    const fields = changedFields(before, after, FIELD_NAMES);
    if (fields.length === 0) {
      await saveResponse(tx, before);
      return before;
    }

    const facts = { fields: fields.map((field) => FIELD_NAMES[field]) };
    const policy = await replacePolicy(tx, app, actor, { before, after, mayDecide, action: "policy.updated", facts });
    await saveResponse(tx, policy);
    return policy;
  });
}

/**
 * Stores the next version of a policy that the caller has locked, and records it. Throws `insufficient_scope` if the new
 * version, or its subjects, would be asked less, unless the caller may decide.
 */
async function replacePolicy(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  {
    before,
    after,
    mayDecide,
    action,
    facts,
  }: Pick<EventEntry, "action" | "facts"> & {
    readonly before: Policy;
    readonly after: PolicyContent;
    readonly mayDecide: boolean;
  },
): Promise<Policy> {
  await raisePolicyRevision(tx, before);
  throwIfAsksLess({ mayDecide, from: before, to: after });
  const names = (policy: PolicyContent, other: PolicyContent) =>
    subjectsOf(policy).some((id) => !subjectsOf(other).includes(id));
  if (names(before, after)) throwIfAsksLess({ mayDecide, from: before, to: undefined });
  const policy = await replaceContent(tx, before, after, clock.now());
  await recordPolicyChange(tx, actor, { action, policy, facts });
  return policy;
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
    const stored = await policyVersionRows.find(tx, { ...before, version });
    if (stored === undefined) {
      throw invalidField("/body/version", "unknown", "is not a version of this policy");
    }
    const after = stored.content as unknown as PolicyContent;
    const facts = { restored_version: version };
    const policy = await replacePolicy(tx, app, actor, {
      before,
      after,
      mayDecide,
      action: "policy.rolled_back",
      facts,
    });
    await saveResponse(tx, policy);
    return policy;
  });
}

/**
 * Deletes a policy. Throws `conflict` for the starter policy, and while the `policy_id` of an agent, a wallet or a
 * project is this policy.
 */
export async function deletePolicy(
  app: Pick<App, "db" | "clock">,
  { actor, key, mayDecide }: { readonly actor: Actor; readonly key: PolicyKey; readonly mayDecide: boolean },
): Promise<void> {
  await withTransaction(app.db, key.tenantId, async (tx) => {
    const policy = await lockPolicy(tx, key);
    // This locks the revision: whatever comes to name the policy is either seen by the check or finds no policy.
    await raisePolicyRevision(tx, key);
    await throwIfNeeded(tx, policy);
    throwIfAsksLess({ mayDecide, from: policy, to: undefined });
    const deletedAt = app.clock.now();
    const deleted = await policyRows.updateAndGet(tx, policy, { deletedAt, updatedAt: deletedAt });
    await recordDeletion(tx, actor, deleted as Policy);
  });
}

async function throwIfNeeded(tx: Tx, policy: Policy): Promise<void> {
  if (policy.isStarter) {
    throw new AppError("conflict", {
      detail: "The starter policy cannot be deleted. Change its rules instead.",
    });
  }
  if (await isPolicyNamed(tx, policy)) {
    throw new AppError("conflict", {
      detail:
        "The policy_id of an agent, a wallet or a project is this policy. Change or clear the policy_id of agents and projects first. The policy of a wallet cannot be deleted; change its rules instead.",
    });
  }
}

/** Deletions have no event type of their own. */
async function recordDeletion(tx: Tx, actor: Actor, policy: Policy): Promise<void> {
  const subject = { type: "policy", id: policy.policyId };
  const occurredAt = policy.updatedAt;
  const facts = { name: policy.name, version: policy.version };
  await appendAuditEntry(tx, actor, { action: "policy.deleted", subject, facts, occurredAt });
  const data = presentPolicy(policy) as Json;
  await appendEvent(tx, actor, { type: "policy.updated", subject, data, occurredAt });
}

export async function recordPolicyChange(
  tx: Tx,
  actor: Actor,
  { action, policy, facts }: Pick<EventEntry, "action" | "facts"> & { readonly policy: Policy },
): Promise<void> {
  const entry = {
    action,
    subject: { type: "policy", id: policy.policyId },
    facts: { version: policy.version, ...facts },
    occurredAt: policy.updatedAt,
  };
  await recordEntryAndEvent(tx, actor, entry, () => presentPolicy(policy) as Json);
}
