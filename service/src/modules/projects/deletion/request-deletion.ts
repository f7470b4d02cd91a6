import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import { beginOperation } from "../../../operations/begin-operation.ts";
import { findRunningOperation } from "../../../operations/queries.ts";
import { findBilling } from "../billing/queries.ts";
import { lockProject, type Project, type ProjectKey, updateProjectRow } from "../queries.ts";
import { listServicesInPlace } from "../services/queries.ts";
import { eraseProject } from "./deletion-steps.ts";

const DELETE_PROJECT_STEPS = ["services", "payment_customer", "project_record"] as const;

export interface RequestDeletion {
  readonly actor: Actor;
  readonly key: ProjectKey;
}

/**
 * Deletes a project. One that holds nothing outside of our own database is gone with the commit, and the answer is null;
 * any other takes an operation, which is to be started then; where one runs already, it is that one.
 * From the commit on nothing can be added to the project.
 */
export async function requestDeletion(
  app: Pick<App, "db" | "clock">,
  { actor, key }: RequestDeletion,
): Promise<OperationId | null> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const kind = { type: "project.delete", serviceId: null } as const;
    const running = await findRunningOperation(tx, project, kind);
    if (running !== undefined) return running;

    const services = await listServicesInPlace(tx, project);
    const billing = await findBilling(tx, project);
    if (services.length === 0 && billing === undefined) {
      await eraseProject(tx, app, actor, project);
      return null;
    }
    return beginDeletion(tx, app, actor, project);
  });
}

async function beginDeletion(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  project: Project,
): Promise<OperationId> {
  const occurredAt = app.clock.now();
  const { projectId } = project;
  const work = { type: "project.delete", projectId, serviceId: null } as const;
  const operationId = await beginOperation(tx, app, actor, {
    ...work,
    steps: DELETE_PROJECT_STEPS,
  });
  await updateProjectRow(tx, project, { status: "deleting", updatedAt: occurredAt });
  await appendAuditEntry(tx, actor, {
    action: "project.deletion_requested",
    subject: { type: "project", id: projectId },
    facts: { name: project.name, operation_id: operationId },
    occurredAt,
  });
  return operationId;
}
