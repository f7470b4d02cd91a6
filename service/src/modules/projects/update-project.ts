import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatDecimal } from "../../foundation/money.ts";
import type { CapBehavior } from "../../foundation/vocabulary.ts";
import { changedFields, mergedMap, mergedMetadata } from "../../foundation/wire/apply-change.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { bindPolicy, throwIfBoundToLess } from "../policies/bind-policy.ts";
import { setCaps } from "./caps.ts";
import { nameKeyOf, recordProjectChange, slugOf, throwIfNameTaken } from "./projects.ts";
import {
  getProjectOverview,
  getProjectRow,
  lockProject,
  type Project,
  type ProjectKey,
  type ProjectOverview,
  projectRows,
} from "./queries.ts";

/**
 * An undefined field is left unchanged; null clears a field. `providerCaps` and `metadata` are merged with the stored
 * maps: a null value removes its key.
 */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly monthlyCapCents?: bigint | undefined;
  readonly capBehavior?: CapBehavior | undefined;
  /** Cents by provider ID. */
  readonly providerCaps?: Readonly<Record<string, bigint | null>> | null | undefined;
  /** UUIDs in lowercase. */
  readonly agentIds?: readonly string[] | null | undefined;
  readonly policyId?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  /** Lifts a suspension. */
  readonly status?: "active" | undefined;
}

export interface UpdateProject {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly change: ProjectChange;
  /** Whether the caller may decide approvals. */
  readonly mayDecide: boolean;
}

/**
 * Changes a project. A new monthly cap may be lower than the amount already spent this month. New charges are then
 * rejected. If no value changes, the project keeps its `updatedAt`, and no audit entry or event is written. Throws
 * `already_exists` if another project has the name, `validation_error` if there is no such policy, `conflict` if the
 * project's status does not allow the change, and `insufficient_scope` as `throwIfBoundToLess` does.
 */
export async function updateProject(
  app: Pick<App, "db" | "clock">,
  { actor, key, change, mayDecide }: UpdateProject,
  saveResponse: SaveResponse<ProjectOverview>,
): Promise<ProjectOverview> {
  const at = app.clock.now();
  return throwIfNameTaken(() =>
    withTransaction(app.db, key.tenantId, async (tx) => {
      const before = await lockForChange(tx, { actor, key, change, mayDecide });
      const after = applyChange(before, change);
      const fields = changedFields(before, after, FIELD_NAMES);
      if (fields.length > 0) {
        const updated = await projectRows.updateAndGet(tx, before, { ...columnsOf(after), updatedAt: at });
        await setCaps(tx, actor, { before, project: updated, at });
      }

      const project = await getProjectOverview(tx, key, at);
      if (fields.length > 0) {
        await recordProjectChange(tx, actor, {
          action: "project.updated",
          project,
          facts: factsOf(before, project, fields),
          occurredAt: at,
        });
      }
      await saveResponse(tx, project);
      return project;
    }),
  );
}

/** Locks the project. Throws `conflict` if its status does not allow the change. */
async function lockForChange(tx: Tx, { actor, key, change, mayDecide }: UpdateProject): Promise<Project> {
  if (change.status !== undefined || change.agentIds !== undefined) {
    await assertNotRevoked(tx, actor, { projectIds: [key.projectId] });
  }
  // This locks the policy revision, which every transaction locks before a project.
  if (changesDecisions(change)) {
    await bindPolicy(tx, key, change.policyId ?? null);
    await throwIfAskedLess(tx, { key, change, mayDecide });
  }
  const project = await lockProject(tx, key);
  throwIfNotChangeable(project, change);
  return project;
}

async function throwIfAskedLess(
  tx: Tx,
  { key, change, mayDecide }: Pick<UpdateProject, "key" | "change" | "mayDecide">,
): Promise<void> {
  const { policyId: from, agentIds } = await getProjectRow(tx, key);
  const kept = change.agentIds === undefined ? agentIds : (change.agentIds ?? []);
  // Agents that leave the project are no longer asked by its policy.
  const isLeft = agentIds.some((agentId) => !kept.includes(agentId));
  const to = change.policyId === undefined ? from : change.policyId;
  await throwIfBoundToLess(tx, key, { mayDecide, from, to: isLeft ? null : to });
}

/** Returns true for a change that can alter which policies apply. */
function changesDecisions({ policyId, agentIds, status }: ProjectChange): boolean {
  return policyId !== undefined || agentIds !== undefined || status !== undefined;
}

/** The agents of a suspended project stay the same, so that a kill switch finds all of them. */
function throwIfNotChangeable({ status }: Project, change: ProjectChange): void {
  const isLifted = change.status === "active";
  if (isLifted && status !== "active" && status !== "suspended") {
    throw new AppError("conflict", { detail: `The project is ${status}.` });
  }
  if (status === "suspended" && !isLifted && change.agentIds !== undefined) {
    throw new AppError("conflict", {
      detail: "The project is suspended. Its agents can be changed when it is active again.",
    });
  }
}

/** The fields' names in requests and audit entries. */
const FIELD_NAMES = {
  name: "name",
  description: "description",
  monthlyCapCents: "monthly_cap",
  capBehavior: "cap_behavior",
  providerCaps: "provider_caps",
  agentIds: "agent_ids",
  policyId: "policy_id",
  metadata: "metadata",
  status: "status",
} as const satisfies Partial<Record<keyof Project, string>>;

type Changeable = Pick<Project, keyof typeof FIELD_NAMES>;

function applyChange(before: Project, change: ProjectChange): Changeable {
  return {
    name: change.name ?? before.name,
    description: changedValue(before.description, change.description),
    monthlyCapCents: change.monthlyCapCents ?? before.monthlyCapCents,
    capBehavior: change.capBehavior ?? before.capBehavior,
    providerCaps: mergedMap(before.providerCaps, change.providerCaps && capTexts(change.providerCaps)),
    agentIds: changedValue(before.agentIds, change.agentIds) ?? [],
    policyId: changedValue(before.policyId, change.policyId),
    metadata: mergedMetadata(before.metadata, change.metadata),
    status: change.status ?? before.status,
  };
}

function changedValue<Value>(before: Value, change: Value | null | undefined): Value | null {
  return change === undefined ? before : change;
}

function capTexts(caps: Readonly<Record<string, bigint | null>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(caps).map(([provider, cents]) => [provider, cents === null ? null : `${cents}`]),
  );
}

function columnsOf({ providerCaps, metadata, name, ...fields }: Changeable) {
  return {
    ...fields,
    name,
    nameKey: nameKeyOf(name),
    slug: slugOf(name),
    providerCaps: JSON.stringify(providerCaps),
    metadata: JSON.stringify(metadata),
  };
}

function factsOf(before: Project, after: Project, fields: readonly (keyof Changeable)[]) {
  const facts: Record<string, Json> = { fields: fields.map((field) => FIELD_NAMES[field]) };
  if (!fields.includes("monthlyCapCents")) return facts;
  return {
    ...facts,
    monthly_cap: formatDecimal(after.monthlyCapCents, 2),
    previous_monthly_cap: formatDecimal(before.monthlyCapCents, 2),
  };
}
