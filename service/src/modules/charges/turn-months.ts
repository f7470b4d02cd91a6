import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { budgetsToOpen } from "../../budgets/queries.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { ProjectId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { PROJECT_CAP } from "../projects/project-budgets.ts";
import { lockProject } from "../projects/queries.ts";
import { periodOf } from "../projects/usage.ts";
import { openMonths } from "./open-months.ts";

/**
 * Opens the current month for every project that has charges, and reserves what its services cost. After an outage, also
 * the months that were missed. Any number of processes can run this at the same time. One project's error does not
 * affect the others.
 */
export async function turnMonths(app: Pick<App, "db" | "clock">): Promise<void> {
  const periodStart = periodOf(app.clock.now()).start;
  const budgets = budgetsToOpen(app.db, { subjectType: PROJECT_CAP, periodStart });
  await tryEach(budgets, ({ tenantId, subjectId, mode }) =>
    withTransaction(app.db, tenantId, async (tx) => {
      const projectId = subjectId as ProjectId;
      const key = { tenantId, mode, projectId, agentIds: [], projectIds: [] };
      const project = await lockProject(tx, key);
      await openMonths(tx, app, systemActor({ tenantId, mode }), project);
    }),
  );
}
