import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ProjectId, ServiceId, TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { listSubjectsOfRunning } from "../../../operations/queries.ts";
import { deleteBilling, findBilling } from "../billing/queries.ts";
import { revokeLinksOfProject } from "../links/revoke-link.ts";
import { ADD_SERVICE } from "../operation-types.ts";
import {
  getProjectOverview,
  lockProject,
  type Project,
  type ProjectKey,
  updateProjectRow,
} from "../queries.ts";
import { recordProjectChange } from "../record-project-change.ts";
import { listServicesInPlace, lockServiceById } from "../services/queries.ts";
import { beginRemoval, type Removal, removalOf } from "../services/remove-steps.ts";
import { countVariables, deleteAllVariableValues } from "../variables/queries.ts";

type Clocked = Pick<App, "clock">;

/** What is left of the project's services. */
export interface ServicesLeft {
  /** Those that can be removed now. */
  readonly removals: readonly Removal[];
  /** How many are still being added: their sagas end first. */
  readonly beingAdded: number;
}

/** What a deletion knows of its project. */
export interface Deletion {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly projectId: ProjectId;
  /** The customer at the payment processor, once the services are gone and where there is one. */
  readonly customerId: string | null;
}

type Place = Pick<Deletion, "tenantId" | "mode" | "projectId">;

export async function listServicesLeft(tx: Tx, place: Place): Promise<ServicesLeft> {
  const project = await lockDeleted(tx, place);
  const services = await listServicesInPlace(tx, project);
  const beingAdded = await listSubjectsOfRunning(tx, { ...place, type: ADD_SERVICE });
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
  actor: Actor,
  { serviceId, ...place }: Place & { readonly serviceId: ServiceId },
): Promise<void> {
  await lockDeleted(tx, place);
  const service = await lockServiceById(tx, { tenantId: place.tenantId, serviceId });
  if (service.status === "removing" || service.status === "removed") return;
  await beginRemoval(tx, app, { actor, service });
}

/** The project's customer at the payment processor, which goes once all services are gone. */
export async function findCustomer(tx: Tx, place: Place): Promise<string | null> {
  const project = await lockDeleted(tx, place);
  const billing = await findBilling(tx, project);
  return billing?.customerId ?? null;
}

/** Everything else of the project goes in one transaction. */
export async function completeDeletion(
  tx: Tx,
  app: Clocked,
  actor: Actor,
  place: Place,
): Promise<void> {
  await eraseProject(tx, app, actor, await lockDeleted(tx, place));
}

/** A deletion that cannot go on by itself. The project says so, and can be deleted again. */
export async function failDeletion(tx: Tx, app: Clocked, place: Place): Promise<void> {
  const project = await lockDeleted(tx, place);
  await updateProjectRow(tx, project, { status: "delete_failed", updatedAt: app.clock.now() });
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

function lockDeleted(tx: Tx, { tenantId, mode, projectId }: Place): Promise<Project> {
  return lockProject(tx, { tenantId, mode, projectId, agentIds: [], projectIds: [] });
}
