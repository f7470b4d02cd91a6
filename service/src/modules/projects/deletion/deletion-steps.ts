import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { OperationError } from "../../../db/schema.ts";
import type { ServiceId } from "../../../foundation/ids.ts";
import {
  getOperationById,
  listServicesBeingAdded,
  type OperationKey,
} from "../../../operations/queries.ts";
import {
  actorOfOperation,
  leaveToOperator,
  passStep,
  succeedOperation,
} from "../../../operations/track-operation.ts";
import { deleteBilling, findBilling } from "../billing/queries.ts";
import { revokeLinksOfProject } from "../links/revoke-link.ts";
import {
  countVariables,
  deleteAllVariableValues,
  getProjectOverview,
  lockProject,
  type Project,
  type ProjectKey,
  updateProjectRow,
} from "../queries.ts";
import { recordProjectChange } from "../record-project-change.ts";
import { listServicesInPlace, lockServiceById } from "../services/queries.ts";
import { beginRemoval, finishRemoval, type Removal, removalOf } from "../services/remove-steps.ts";

type Clocked = Pick<App, "clock">;

/** What is left of the project's services. */
export interface ServicesLeft {
  /** Those that can be removed now. */
  readonly removals: readonly Removal[];
  /** How many are still being added: their sagas end first. */
  readonly beingAdded: number;
}

export async function listServicesLeft(tx: Tx, key: OperationKey): Promise<ServicesLeft> {
  const project = await lockDeleted(tx, key);
  const services = await listServicesInPlace(tx, project);
  const beingAdded = await listServicesBeingAdded(tx, project);
  const removable = services.filter(({ serviceId }) => !beingAdded.has(serviceId));
  return {
    removals: removable.map(removalOf),
    beingAdded: services.length - removable.length,
  };
}

/** A service of the project is about to go at its provider. */
export async function beginCascade(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  serviceId: ServiceId,
): Promise<null> {
  await lockDeleted(tx, key);
  const service = await lockServiceById(tx, { tenantId: key.tenantId, serviceId });
  if (service.status === "removing" || service.status === "removed") return null;
  const actor = await actorOfOperation(tx, key);
  await beginRemoval(tx, app, { actor, service });
  return null;
}

/** It is gone there, and goes here. */
export async function finishCascade(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  serviceId: ServiceId,
): Promise<null> {
  const actor = await actorOfOperation(tx, key);
  await finishRemoval(tx, app, actor, { tenantId: key.tenantId, serviceId });
  return null;
}

/** All services are gone. Gives the customer at the payment processor that goes next, or null. */
export async function passServices(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
): Promise<{ readonly customerId: string | null; readonly mode: Project["mode"] }> {
  const project = await lockDeleted(tx, key);
  await passStep(tx, app, key, { step: "services", next: "payment_customer" });
  const billing = await findBilling(tx, project);
  return { customerId: billing?.customerId ?? null, mode: project.mode };
}

/** Everything else of the project goes in one transaction. */
export async function completeDeletion(tx: Tx, app: Clocked, key: OperationKey): Promise<null> {
  const project = await lockDeleted(tx, key);
  await passStep(tx, app, key, { step: "payment_customer", next: "project_record" });
  await eraseProject(tx, app, await actorOfOperation(tx, key), project);
  await succeedOperation(tx, app, key, "project_record");
  return null;
}

/** A deletion that cannot go on by itself. The project says so, and can be deleted again. */
export async function failDeletion(
  tx: Tx,
  app: Clocked,
  key: OperationKey,
  error: OperationError,
): Promise<null> {
  const project = await lockDeleted(tx, key);
  await updateProjectRow(tx, project, { status: "delete_failed", updatedAt: app.clock.now() });
  return leaveToOperator(tx, app, key, error);
}

/**
 * Destroys what a project without services holds. From the commit on it is absent and its name is free; the row stays, since
 * charges and the audit trail tell of it. The caller holds it locked.
 */
export async function eraseProject(
  tx: Tx,
  { clock }: Clocked,
  actor: Actor,
  project: Project,
): Promise<Project> {
  const at = clock.now();
  const overview = await getProjectOverview(tx, keyOf(project), at);
  const variableCount = await countVariables(tx, project);
  await deleteAllVariableValues(tx, project);
  await revokeLinksOfProject(tx, actor, { project, at });
  const billing = await findBilling(tx, project);
  await deleteBilling(tx, project);
  const change = { status: "deleted" as const, deletedAt: at, updatedAt: at };
  const deleted = await updateProjectRow(tx, project, change);
  await recordProjectChange(tx, actor, {
    action: "project.deleted",
    project: { ...overview, ...deleted },
    facts: {
      name: deleted.name,
      variables_destroyed: variableCount,
      payment_customer_destroyed: billing?.customerId ?? null,
    },
    occurredAt: at,
  });
  return deleted;
}

function keyOf({ tenantId, mode, projectId }: Project): ProjectKey {
  return { tenantId, mode, projectId, agentIds: [], projectIds: [] };
}

async function lockDeleted(tx: Tx, key: OperationKey): Promise<Project> {
  const { mode, projectId } = await getOperationById(tx, key);
  return lockProject(tx, { tenantId: key.tenantId, mode, projectId, agentIds: [], projectIds: [] });
}
