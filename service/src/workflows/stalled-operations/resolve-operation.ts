import type { App } from "../../app.ts";
import { adminActorInTenant } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { AdminId, OperationId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { effectiveStatusAt } from "../../modules/agents/agent-resource.ts";
import { listLineage } from "../../modules/agents/queries.ts";
import { developerRows } from "../../modules/developers/queries.ts";
import { projectRows } from "../../modules/projects/queries.ts";
import { loadPlanChange } from "../../modules/services/plan-change/plan-change.ts";
import { loadProvisioningContext } from "../../modules/services/provisioning/provisioning-context.ts";
import { lockActiveProject } from "../../modules/services/provisioning/reserve-service.ts";
import { serviceRows } from "../../modules/services/queries.ts";
import { throwIfRetiring } from "../../modules/services/rotation/rotation.ts";
import { ADD_SERVICE, ROTATE_SERVICE, UPGRADE_SERVICE } from "../../modules/services/services.ts";
import {
  findOperationOfAnyTenant,
  hasLaterOperation,
  listStuckOperations,
  type StuckQuery,
} from "../../operations/operator/queries.ts";
import { hasBegunUndoing, type Operation, type OperationRow, operationRows } from "../../operations/queries.ts";
import { rerunOperation, undoOperation } from "../../operations/resume-operation.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";

/** How long an operation may run before admins see it. */
export const LONG_MS = 10 * 60_000;

/** Returns operations of all tenants that need an operator, or run for more than ten minutes. Only for admins. */
export function readStuckOperations({ db, clock }: Pick<App, "db" | "clock">, query: Omit<StuckQuery, "runningSince">) {
  return listStuckOperations(db, { ...query, runningSince: new Date(clock.now().getTime() - LONG_MS) });
}

/** Returns the operation, whichever tenant it belongs to. Only for admins. Throws `operation_not_found`. */
export async function findOperationForAdmin({ db }: Pick<App, "db">, operationId: OperationId): Promise<Operation> {
  const operation = await findOperationOfAnyTenant(db, operationId);
  if (operation === undefined) throw new AppError("operation_not_found");
  return operation;
}

interface Resolve {
  readonly operation: OperationRow;
  readonly admin: { readonly adminId: AdminId; readonly requestId: string };
  readonly saveResponse: SaveResponse<Operation>;
}

/**
 * Lets an operation that needs an operator run again from its failed step. If that fails again, the operation is undone. If a
 * step could not be undone, only undoes the operation again. Every step looks for what an earlier run has done, so nothing is
 * created or charged twice. Throws `conflict` if the operation does not need an operator, if a later operation of its subject
 * has taken its place, or if it must not go on.
 */
export function retryOperation(app: App, resolve: Resolve): Promise<Operation> {
  return resolveOperation(app, resolve, async (tx, operation) => {
    if (!hasBegunUndoing(operation)) await throwIfMustNotGoOn(tx, app, operation);
    await rerunOperation(tx, app, operation);
    return { action: "operation.retried", facts: {} };
  });
}

/**
 * Records that an operator has undone at the provider, by hand, the step that could not be undone, and lets the rest be
 * undone. Throws the errors of `retryOperation`, and `conflict` if nothing was being undone.
 */
export function compensateOperation(
  app: App,
  { reason, ...resolve }: Resolve & { readonly reason: string },
): Promise<Operation> {
  return resolveOperation(app, resolve, async (tx, operation) => {
    const { stuckStep: step } = operation;
    if (step === null) {
      const detail = "No step of this operation could not be undone. Retry the operation instead.";
      throw new AppError("conflict", { detail });
    }
    await undoOperation(tx, app, operation, step);
    return { action: "operation.undone_by_hand", facts: { step, reason } };
  });
}

interface Resolution {
  readonly action: string;
  readonly facts: Readonly<Record<string, string>>;
}

async function resolveOperation(
  app: App,
  { operation: { tenantId, operationId, projectId, type }, admin, saveResponse }: Resolve,
  restart: (tx: Tx, operation: OperationRow) => Promise<Resolution>,
): Promise<Operation> {
  const key = { tenantId, operationId };
  const restarted = await withTransaction(app.db, tenantId, async (tx) => {
    // Each request that changes a service, or deletes the project, locks the project before it looks for open operations.
    const project = projectId === null ? null : await projectRows.lockAndGet(tx, { tenantId, projectId });
    if (project !== null && project.deletedAt !== null) {
      throw new AppError("conflict", { detail: "The operation's project has been deleted meanwhile." });
    }
    const operation = await operationRows.lockAndGet(tx, key);
    await throwIfNotStuck(tx, app, operation);
    const { action, facts } = await restart(tx, operation);
    await appendAuditEntry(tx, adminActorInTenant(operation, admin), {
      action,
      subject: { type: "operation", id: operationId },
      facts: { type, project_id: projectId, ...facts },
      occurredAt: app.clock.now(),
    });
    const running = await findOperationOfAnyTenant(tx, operationId);
    invariant(running !== undefined, "the operation is locked");
    await saveResponse(tx, running);
    return running;
  });
  await runOperation(app, type, key, 0);
  return restarted;
}

async function throwIfNotStuck(
  tx: Tx,
  { operationKinds }: Pick<App, "operationKinds">,
  operation: OperationRow,
): Promise<void> {
  const { status, type } = operation;
  const conflict = (detail: string) => new AppError("conflict", { detail });
  if (status !== "needs_operator") throw conflict(`The operation's status is ${status}. It does not need an operator.`);
  if (!operationKinds.has(type))
    throw conflict(`This version of the server cannot run operations of the type ${type}.`);
  if (await hasLaterOperation(tx, operation)) {
    throw conflict("A later operation of the same subject has taken the place of this one.");
  }
}

/**
 * Throws `conflict` if the operation costs money and its developer, project or agent is not active, or while the credential
 * that it replaces is being retired.
 */
async function throwIfMustNotGoOn(tx: Tx, app: Pick<App, "clock">, operation: OperationRow): Promise<void> {
  const { tenantId, mode, type, serviceId } = operation;
  if (type === ROTATE_SERVICE && serviceId !== null) {
    await throwIfRetiring(tx, app, await serviceRows.get(tx, { tenantId, serviceId }));
  }
  if (type !== ADD_SERVICE && type !== UPGRADE_SERVICE) return;
  const conflict = (what: string) => new AppError("conflict", { detail: `${what}. The operation must not go on.` });
  const developer = await developerRows.get(tx, { tenantId });
  if (developer.status === "suspended" || developer.status === "closed") {
    throw conflict(`The developer is ${developer.status}`);
  }
  const load = type === ADD_SERVICE ? loadProvisioningContext : loadPlanChange;
  const { agentId, projectId } = await load(tx, operation);
  await lockActiveProject(tx, { tenantId, mode, projectId });
  if (agentId === null) return;
  const status = effectiveStatusAt(await listLineage(tx, { tenantId, mode, agentId }), app.clock.now());
  if (status !== "active") throw conflict(`The agent or one of its ancestors is ${status}`);
}
