import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { billingRows } from "../../modules/charges/billing/queries.ts";
import { lockProject, type Project, type ProjectKey, projectRows } from "../../modules/projects/queries.ts";
import { listServicesInPlace } from "../../modules/services/queries.ts";
import { createOperation, type NewOperation } from "../../operations/create-operation.ts";
import { findOpenOperation } from "../../operations/queries.ts";
import { eraseProject } from "./deletion-steps.ts";

export interface RequestDeletion {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** The type and step names of the operation that deletes the project. */
  readonly kind: NewOperation["kind"];
}

/**
 * Starts the deletion of a project and returns its operation. If the deletion is already running, returns the running
 * operation. The caller must start the operation's workflow. Returns null if the project has no services and no
 * customer: it is then deleted immediately. In every case, nothing can be added to the project afterwards. Throws
 * `project_not_found`.
 */
export async function requestDeletion(
  app: Pick<App, "db" | "clock">,
  { actor, key, kind }: RequestDeletion,
): Promise<OperationId | null> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const { tenantId, projectId: subjectId } = project;
    const running = await findOpenOperation(tx, { tenantId, type: kind.type, subjectId });
    if (running !== undefined) return running;

    const services = await listServicesInPlace(tx, project);
    const billing = await billingRows.find(tx, project);
    if (services.length === 0 && billing === undefined) {
      await eraseProject(tx, app, actor, project);
      return null;
    }
    return startDeletion(tx, app, actor, { project, kind });
  });
}

async function startDeletion(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { project, kind }: { readonly project: Project; readonly kind: NewOperation["kind"] },
): Promise<OperationId> {
  const occurredAt = app.clock.now();
  const { projectId } = project;
  const subject = { type: "project", id: projectId };
  const operationId = await createOperation(tx, app, actor, { kind, subject, projectId });
  await projectRows.updateAndGet(tx, project, { status: "deleting", updatedAt: occurredAt });
  await appendAuditEntry(tx, actor, {
    action: "project.deletion_requested",
    subject: { type: "project", id: projectId },
    facts: { name: project.name, operation_id: operationId },
    occurredAt,
  });
  return operationId;
}
