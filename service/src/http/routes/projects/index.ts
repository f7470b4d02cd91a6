import type { Route } from "../../route.ts";
import { projectBillingRoutes } from "./billing/index.ts";
import { browseCatalogRoute } from "./browse-catalog.ts";
import { createProjectRoute } from "./create-project.ts";
import { deleteProjectRoute } from "./delete-project.ts";
import { getProjectRoute } from "./get-project.ts";
import { getProjectOperationRoute } from "./get-project-operation.ts";
import { getProjectStatusRoute } from "./get-project-status.ts";
import { projectLinkRoutes } from "./links/index.ts";
import { listChargesRoute } from "./list-charges.ts";
import { listProjectAuditRoute } from "./list-project-audit.ts";
import { listProjectsRoute } from "./list-projects.ts";
import { previewProjectDeletionRoute } from "./preview-project-deletion.ts";
import { pullEnvRoute } from "./pull-env.ts";
import { projectServiceRoutes } from "./services/index.ts";
import { updateProjectRoute } from "./update-project.ts";
import { projectVariableRoutes } from "./variables/index.ts";

export const projectRoutes: readonly Route[] = [
  listProjectsRoute,
  createProjectRoute,
  getProjectRoute,
  deleteProjectRoute,
  pullEnvRoute,
  getProjectStatusRoute,
  browseCatalogRoute,
  updateProjectRoute,
  previewProjectDeletionRoute,
  getProjectOperationRoute,
  listProjectAuditRoute,
  listChargesRoute,
  ...projectBillingRoutes,
  ...projectLinkRoutes,
  ...projectServiceRoutes,
  ...projectVariableRoutes,
];
