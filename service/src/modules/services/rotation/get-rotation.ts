import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import type { Operation } from "../../../operations/queries.ts";
import { findCatalogService } from "../../catalog/plans.ts";
import type { ProjectKey } from "../../projects/queries.ts";
import { getProjectOperation } from "../../projects/read-projects.ts";
import { type Service, serviceRows } from "../queries.ts";
import { isFormerVersionInUse, type Rotation, rotationRows } from "./queries.ts";
import { findFormerCredential } from "./rotation-context.ts";

export interface ServiceRotation {
  readonly operation: Operation;
  readonly service: Service;
  readonly rotation: Pick<Rotation, "confirmsDowntime" | "credentialVersion" | "changed" | "verified"> & {
    /** What the catalog says, until the provider has answered. */
    readonly mode: "overlap" | "immediate";
  };
  /** Whether an API key has last pulled a version before the current one. */
  readonly isFormerInUse: boolean;
  /** Whether the former credential still has to be retired. */
  readonly isFormerStored: boolean;
}

/** Returns a rotation and its operation. Throws `project_not_found` or `operation_not_found`. */
export async function getRotation(
  { db }: Pick<App, "db">,
  { key, operationId }: { readonly key: ProjectKey; readonly operationId: OperationId },
): Promise<ServiceRotation> {
  const operation = await getProjectOperation({ db }, { key, operationId });
  const rotation = await rotationRows.get(db, operation);
  const service = await serviceRows.get(db, rotation);
  const isMultiple = findCatalogService(service.service)?.credential_type === "multiple";
  return {
    operation,
    service,
    rotation: { ...rotation, mode: rotation.mode ?? (isMultiple ? "overlap" : "immediate") },
    isFormerInUse: await isFormerVersionInUse(db, service),
    isFormerStored: await withTransaction(
      db,
      service.tenantId,
      async (tx) => (await findFormerCredential(tx, service)) !== null,
    ),
  };
}
