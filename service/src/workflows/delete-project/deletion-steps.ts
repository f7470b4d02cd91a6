import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { closeBudgetsOfSubject } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import type { ProjectId, TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { billingRows } from "../../modules/charges/billing/queries.ts";
import { hasUnpaidCharges } from "../../modules/charges/invoices/queries.ts";
import { countVariables, projectVariableRows } from "../../modules/env/variables/queries.ts";
import { revokeLinksOfProject } from "../../modules/links/links.ts";
import { recordProjectChange } from "../../modules/projects/projects.ts";
import { getProjectOverview, type Project, projectRows, unscopedKey } from "../../modules/projects/queries.ts";
import { lockOwnProject } from "../../modules/services/provisioning/provisioning-context.ts";
import { listServicesInPlace, serviceRows } from "../../modules/services/queries.ts";
import { type Removal, removalOf, startRemoval } from "../../modules/services/remove-service.ts";
import { findChange } from "../../modules/services/services.ts";

type Clocked = Pick<App, "clock">;

/** The remaining services of a project that is being deleted. */
export interface ServicesLeft {
  /** The services that can be removed now. */
  readonly removals: readonly Removal[];
  /** Number of services that are being added or changed. They can be removed only after their sagas have ended. */
  readonly beingChanged: number;
}

/** The data that the deletion saga stores about its project. */
export interface Deletion {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly projectId: ProjectId;
  /**
   * The ID of the customer to delete at the payment processor. It is null until all services are removed. It remains
   * null if the project has no customer, or if the customer stays because it owes something.
   */
  readonly customerId: string | null;
}

type DeletionKey = Pick<Deletion, "tenantId" | "mode" | "projectId">;

export async function listServicesLeft(tx: Tx, key: DeletionKey): Promise<ServicesLeft> {
  const project = await lockOwnProject(tx, key);
  const services = await listServicesInPlace(tx, project);
  const removals: Removal[] = [];
  for (const service of services) {
    if ((await findChange(tx, service)) === undefined) removals.push(await removalOf(tx, service));
  }
  return { removals, beingChanged: services.length - removals.length };
}

/**
 * Sets a service to `removing`, before the provider is called, and returns true, also if it is `removing` already. Returns
 * false if it is being changed, or was changed or removed after it was listed.
 */
export async function startServiceRemoval(
  tx: Tx,
  app: Clocked,
  actor: Actor,
  { listed, ...key }: DeletionKey & { readonly listed: Removal },
): Promise<boolean> {
  await lockOwnProject(tx, key);
  const service = await serviceRows.lockAndGet(tx, listed);
  if (service.status === "removed" || !isDeepStrictEqual(await removalOf(tx, service), listed)) return false;
  if (service.status === "removing") return true;
  if ((await findChange(tx, service)) !== undefined) return false;
  await startRemoval(tx, app, { actor, service });
  return true;
}

/**
 * Returns the project's customer ID at the payment processor, or null. The customer is deleted after all services. A
 * customer that owes something stays until it is paid (`deletePaidCustomers`).
 */
export async function findCustomer(tx: Tx, key: DeletionKey): Promise<string | null> {
  const project = await lockOwnProject(tx, key);
  const billing = await billingRows.find(tx, project);
  if (billing === undefined || (await hasUnpaidCharges(tx, project))) return null;
  return billing.customerId;
}

/** Deletes the project. Its services must have been deleted already, and its customer unless it stays. */
export async function completeDeletion(tx: Tx, app: Clocked, actor: Actor, deletion: Deletion): Promise<void> {
  await eraseProject(tx, app, actor, await lockOwnProject(tx, deletion), deletion.customerId);
}

/**
 * Sets the project to `delete_failed` after a provider failed to delete a resource. The deletion can be requested
 * again.
 */
export async function failDeletion(tx: Tx, app: Clocked, key: DeletionKey): Promise<void> {
  const project = await lockOwnProject(tx, key);
  await projectRows.updateAndGet(tx, project, { status: "delete_failed", updatedAt: app.clock.now() });
}

/**
 * Deletes the data of a project that has no services. The billing row stays if the customer is not `deletedCustomerId`. After the transaction commits, requests for the project receive a
 * 404, and another project can take its name. The row remains, because charges and audit entries refer to it. The
 * caller must have locked the project.
 */
export async function eraseProject(
  tx: Tx,
  { clock }: Clocked,
  actor: Actor,
  project: Project,
  deletedCustomerId: string | null = null,
): Promise<Project> {
  const at = clock.now();
  const overview = await getProjectOverview(tx, unscopedKey(project), at);
  const variableCount = await countVariables(tx, project);
  await projectVariableRows.remove(tx, project);
  await revokeLinksOfProject(tx, actor, { project, at });
  const billing = await billingRows.find(tx, project);
  if (billing?.customerId === deletedCustomerId) await billingRows.remove(tx, project);
  await closeBudgetsOfSubject(tx, { ...project, subjectId: project.projectId });
  const change = { status: "deleted" as const, deletedAt: at, updatedAt: at };
  const deleted = await projectRows.updateAndGet(tx, project, change);
  await recordProjectChange(tx, actor, {
    action: "project.deleted",
    project: { ...overview, ...deleted },
    facts: {
      name: deleted.name,
      variables_destroyed: variableCount,
      payment_customer_destroyed: deletedCustomerId,
    },
    occurredAt: at,
  });
  return deleted;
}
