import type { App } from "../app.ts";
import { type Actor, appendAuditEntry } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { OperationError } from "../db/schema.ts";
import {
  getOperationById,
  moveOn,
  type OperationKey,
  updateOperationRow,
  updateSteps,
} from "./queries.ts";

/** Marks a step as done (or as not needed) and the next one as begun, in the transaction of what was done. */
export async function passStep(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationKey,
  {
    step,
    as = "succeeded",
    next,
  }: { readonly step: string; readonly as?: "succeeded" | "skipped"; readonly next?: string },
): Promise<void> {
  await moveOn(tx, operation, { step, as, next, at: clock.now() });
}

/** Says that somebody else works on it now, and for how long as a rule. */
export async function expectCallback(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationKey,
  expectedCallbackSeconds: number,
): Promise<void> {
  await updateOperationRow(tx, operation, { expectedCallbackSeconds, updatedAt: clock.now() });
}

/** Ends an operation well: every step is done. */
export async function succeedOperation(
  tx: Tx,
  app: Pick<App, "clock">,
  operation: OperationKey,
  lastStep: string,
): Promise<void> {
  await passStep(tx, app, operation, { step: lastStep });
  await updateOperationRow(tx, operation, {
    status: "succeeded",
    expectedCallbackSeconds: null,
    updatedAt: app.clock.now(),
  });
}

/**
 * Ends an operation that failed. The step that ran is `failed`, what was `undone` is compensated, and what was not begun is
 * skipped. The operation is `compensated` where something was undone, `failed` where there was nothing to undo.
 */
export async function failOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationKey,
  { error, undone }: { readonly error: OperationError; readonly undone: readonly string[] },
): Promise<void> {
  const at = clock.now();
  await updateSteps(tx, operation, { from: ["running"], to: "failed", at });
  await updateSteps(tx, operation, { from: ["pending"], to: "skipped", at });
  if (undone.length > 0) {
    const from = ["succeeded"] as const;
    await updateSteps(tx, operation, { names: undone, from, to: "compensated", at });
  }
  await updateOperationRow(tx, operation, {
    status: undone.length > 0 ? "compensated" : "failed",
    error: JSON.stringify(error),
    expectedCallbackSeconds: null,
    updatedAt: at,
  });
}

/** Leaves an operation to a person: what it should do, or undo, cannot be done by itself. */
export async function leaveToOperator(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationKey,
  error: OperationError,
): Promise<null> {
  const at = clock.now();
  await updateSteps(tx, operation, { from: ["running"], to: "failed", at });
  const change = { status: "needs_operator" as const, error: JSON.stringify(error), updatedAt: at };
  await updateOperationRow(tx, operation, change);
  const { type, projectId, serviceId } = await getOperationById(tx, operation);
  await appendAuditEntry(tx, await actorOfOperation(tx, operation), {
    action: "operation.needs_operator",
    subject: { type: "operation", id: operation.operationId },
    facts: { type, project_id: projectId, service_id: serviceId, code: error.code },
    occurredAt: at,
  });
  return null;
}

/** In whose name the operation's workflow writes. */
export async function actorOfOperation(tx: Tx, key: OperationKey): Promise<Actor> {
  const { tenantId, mode, actor, requestId } = await getOperationById(tx, key);
  return { tenantId, mode, actor, requestId };
}
