import type { Selectable } from "kysely";
import type { Db } from "../../../db/database.ts";
import type { OperationStepTable, OperationTable } from "../../../db/schema.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import type { FoundProject } from "../queries.ts";

export type OperationStep = Selectable<OperationStepTable>;

/** An operation together with its steps, in their order. */
export interface Operation extends Selectable<OperationTable> {
  readonly steps: readonly OperationStep[];
}

/**
 * The operation, or `operation_not_found`, which one of another project is too. Its steps are read after it, so that one
 * that has ended never shows a step that has not.
 */
export async function getOperationRow(
  db: Db,
  { tenantId, projectId }: FoundProject,
  operationId: OperationId,
): Promise<Operation> {
  const operation = await db
    .selectFrom("operations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("operationId", "=", operationId)
    .executeTakeFirst();
  if (operation === undefined) {
    const internal = `no operation ${operationId} of this project`;
    throw new AppError("operation_not_found", { internal });
  }
  const steps = await db
    .selectFrom("operationSteps")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .orderBy("position")
    .execute();
  return { ...operation, steps };
}
