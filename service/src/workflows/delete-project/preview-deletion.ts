import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { previewFinalCharges } from "../../modules/charges/preview-final-charges.ts";
import type { Charge } from "../../modules/charges/queries.ts";
import { countVariables } from "../../modules/env/variables/queries.ts";
import { getProjectRow, type Project, type ProjectKey } from "../../modules/projects/queries.ts";
import { listServicesInPlace, type Service } from "../../modules/services/queries.ts";

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
