import type { App } from "../../app.ts";
import { type EntryPage, listEntries } from "../../audit/entries/list-entries.ts";
import { type ListedPage, readPage } from "../../db/pages.ts";
import { AppError } from "../../foundation/errors.ts";
import type { OperationId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { findOperation, type Operation } from "../../operations/queries.ts";
import {
  getProjectOverview,
  getProjectRow,
  listProjectOverviews,
  type ProjectKey,
  type ProjectOverview,
  type ProjectPosition,
} from "./queries.ts";

/** Returns the project with its usage in the current month. Throws `project_not_found`. */
export async function getProject(app: Pick<App, "db" | "clock">, key: ProjectKey): Promise<ProjectOverview> {
  return getProjectOverview(app.db, key, app.clock.now());
}

export interface ListProjects {
  readonly scope: TenantScope;
  /** The last project of the previous page, which can have been deleted since. Undefined to count pages. */
  readonly after: ProjectPosition | undefined;
  /** Starts at 1, after `after`. */
  readonly page: number;
  readonly perPage: number;
}

/**
 * Returns one page of the projects in scope, newest first. There is no total, because counting would read every row.
 */
export async function listProjects(
  app: Pick<App, "db" | "clock">,
  { scope, after, page, perPage }: ListProjects,
): Promise<ListedPage<ProjectOverview>> {
  const offset = (page - 1) * perPage;
  const now = app.clock.now();
  return readPage(perPage, (limit) => listProjectOverviews(app.db, scope, { now, after, limit, offset }));
}

/** Returns one of the project's operations with its steps. Throws `project_not_found` or `operation_not_found`. */
export async function getProjectOperation(
  { db }: Pick<App, "db">,
  { key, operationId }: { readonly key: ProjectKey; readonly operationId: OperationId },
): Promise<Operation> {
  const { projectId } = await getProjectRow(db, key);
  const operation = await findOperation(db, { ...key, operationId });
  if (operation?.projectId !== projectId) {
    const internal = `no operation ${operationId} of this project`;
    throw new AppError("operation_not_found", { internal });
  }
  return operation;
}

export interface ListProjectAudit {
  readonly key: ProjectKey;
  /** The last sequence number on the previous page, or undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

/** Returns one page of the tenant's audit entries about the project, newest first. Throws `project_not_found`. */
export async function listProjectAudit(
  app: Pick<App, "db">,
  { key, beforeSequence, limit }: ListProjectAudit,
): Promise<EntryPage> {
  const { tenantId, projectId } = await getProjectRow(app.db, key);
  return listEntries(app, {
    key: { tenantId, chain: "tenant" },
    filter: { projectId },
    beforeSequence,
    limit,
  });
}
