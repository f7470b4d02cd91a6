import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId, type OperationId } from "../../foundation/ids.ts";
import { findBilling } from "./billing/queries.ts";
import { eraseProject } from "./deletion-steps.ts";
import { findRunningOperation, insertOperation } from "./operations/queries.ts";
import { lockProject, type Project, type ProjectKey, updateProjectRow } from "./queries.ts";
import { listServicesInPlace } from "./services/queries.ts";

const DELETE_PROJECT_STEPS = ["services", "payment_customer", "project_record"] as const;

export interface RequestDeletion {
  readonly actor: Actor;
  readonly key: ProjectKey;
}

/**
 * Deletes a project. One that holds nothing outside of our own database is gone with the commit, and the answer is null;
 * any other takes an operation, which `enqueue` has started in the same transaction; where one runs already, it is that one.
 * From the commit on nothing can be added to the project.
 */
export async function requestDeletion(
  app: Pick<App, "db" | "clock">,
  { actor, key }: RequestDeletion,
  enqueue: (tx: Tx, operationId: OperationId) => Promise<void>,
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
    const operationId = await beginOperation(tx, app, actor, project);
    await enqueue(tx, operationId);
    return operationId;
  });
}

async function beginOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { tenantId, projectId, mode }: Project,
): Promise<OperationId> {
  const createdAt = clock.now();
  const operationId = newId("op");
  await updateProjectRow(tx, { tenantId, projectId }, { status: "deleting", updatedAt: createdAt });
  const operation = {
    tenantId,
    operationId,
    projectId,
    mode,
    type: "project.delete" as const,
    serviceId: null,
    status: "running" as const,
    actor: JSON.stringify(actor.actor),
    requestId: actor.requestId,
    createdAt,
    updatedAt: createdAt,
  };
  await insertOperation(tx, operation, DELETE_PROJECT_STEPS);
  return operationId;
}
