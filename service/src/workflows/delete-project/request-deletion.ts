import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { OperationError } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { OperationId, ProjectId, ServiceId } from "../../foundation/ids.ts";
import { billingRows } from "../../modules/charges/billing/queries.ts";
import { previewFinalCharges } from "../../modules/charges/charges.ts";
import { hasUnpaidCharges } from "../../modules/charges/invoices/queries.ts";
import type { Charge } from "../../modules/charges/queries.ts";
import { countVariables } from "../../modules/env/variables/queries.ts";
import {
  getProjectRow,
  lockProject,
  type Project,
  type ProjectKey,
  projectRows,
} from "../../modules/projects/queries.ts";
import { listServicesInPlace, listServicesSince, type Service } from "../../modules/services/queries.ts";
import { removalEffectOf } from "../../modules/services/service-resource.ts";
import { createOperation, type NewOperation } from "../../operations/operations.ts";
import { findOpenOperation, operationRows } from "../../operations/queries.ts";
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

export interface DeletionPreview {
  readonly project: Project;
  /** The services that would be removed, oldest first. */
  readonly services: readonly Service[];
  /** What would be billed for each service and month that has not been settled, and what Purser bills and is not paid. */
  readonly finalCharges: readonly Charge[];
  /** Number of variables that would be deleted. */
  readonly variableCount: number;
}

/** Returns what deleting the project would delete, without changing anything. Throws `project_not_found`. */
export async function previewDeletion(app: Pick<App, "db" | "clock">, key: ProjectKey): Promise<DeletionPreview> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await getProjectRow(tx, key);
    const services = await listServicesInPlace(tx, project);
    const finalCharges = await previewFinalCharges(tx, project, app.clock.now());
    return { project, services, finalCharges, variableCount: await countVariables(tx, project) };
  });
}

export interface DeletionReport {
  readonly projectId: ProjectId;
  readonly status: "deleting" | "deleted";
  readonly services: readonly {
    readonly serviceId: ServiceId;
    readonly effect: "destroyed" | "detached" | "failed";
    readonly detail: string | null;
  }[];
  /** The customer at the payment processor, if it stays because it owes something. Otherwise null. */
  readonly keptCustomerId: string | null;
}

/** Returns what a running or ended deletion does to each of the project's services. */
export async function getDeletionReport(
  { db }: Pick<App, "db">,
  { tenantId, projectId }: ProjectKey,
  operationId: OperationId,
): Promise<DeletionReport> {
  return withTransaction(db, tenantId, async (tx) => {
    const operation = await operationRows.get(tx, { tenantId, operationId });
    const since = operation.createdAt;
    const services = await listServicesSince(tx, { tenantId, projectId }, since);
    const billing = await billingRows.find(tx, { tenantId, projectId });
    const isKept = await hasUnpaidCharges(tx, { tenantId, projectId });
    const failure = operation.status === "needs_operator" ? operation.error : null;
    return {
      projectId,
      status: operation.status === "succeeded" ? "deleted" : "deleting",
      services: services.map((service) => effectOn(service, failure)),
      keptCustomerId: isKept ? (billing?.customerId ?? null) : null,
    };
  });
}

/**
 * Returns the deletion's effect on a service. The effect is `failed` if the deletion failed before the service was
 * removed.
 */
function effectOn(service: Service, failure: OperationError | null): DeletionReport["services"][number] {
  const { serviceId, status } = service;
  if (failure !== null && status !== "removed") {
    return { serviceId, effect: "failed", detail: failure.detail };
  }
  return { serviceId, effect: removalEffectOf(service), detail: null };
}
