import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { newId, type OperationId, type ProjectId, type ServiceId } from "../foundation/ids.ts";
import type { OperationType } from "../foundation/vocabulary.ts";
import { insertOperation } from "./queries.ts";

/** Writes down what is to be done, by whom and in which steps, in the transaction that decides it. */
export async function beginOperation(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, mode, actor, requestId }: Actor,
  {
    steps,
    ...work
  }: {
    readonly type: OperationType;
    readonly projectId: ProjectId;
    readonly serviceId: ServiceId | null;
    readonly steps: readonly string[];
  },
): Promise<OperationId> {
  const operationId = newId("op");
  const createdAt = clock.now();
  const operation = {
    ...work,
    tenantId,
    operationId,
    mode,
    status: "running" as const,
    actor: JSON.stringify(actor),
    requestId,
    createdAt,
    updatedAt: createdAt,
  };
  await insertOperation(tx, operation, steps);
  return operationId;
}
