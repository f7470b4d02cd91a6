import { type Route, withTag } from "../../route.ts";
import { attachPaymentMethodRoute } from "./billing/attach-payment-method.ts";
import { browseCatalogRoute } from "./browse-catalog.ts";
import { createProjectRoute } from "./create-project.ts";
import { deleteProjectRoute } from "./delete-project.ts";
import { getProjectRoute } from "./get-project.ts";
import { getProjectOperationRoute } from "./get-project-operation.ts";
import { getProjectStatusRoute } from "./get-project-status.ts";
import { getLinkRoute } from "./links/get-link.ts";
import { linkProviderRoute } from "./links/link-provider.ts";
import { listLinksRoute } from "./links/list-links.ts";
import { oauthCallbackRoutes } from "./links/oauth-callback.ts";
import { revokeLinkRoute } from "./links/revoke-link.ts";
import { listChargesRoute } from "./list-charges.ts";
import { listProjectAuditRoute } from "./list-project-audit.ts";
import { listProjectsRoute } from "./list-projects.ts";
import { previewProjectDeletionRoute } from "./preview-project-deletion.ts";
import { pullEnvRoute } from "./pull-env.ts";
import { projectServiceRoutes } from "./services/index.ts";
import { updateProjectRoute } from "./update-project.ts";
import { deleteVariableRoute } from "./variables/delete-variable.ts";
import { getVariableRoute } from "./variables/get-variable.ts";
import { listVariablesRoute } from "./variables/list-variables.ts";
import { setVariableRoute } from "./variables/set-variable.ts";

export const projectRoutes: readonly Route[] = [
  ...withTag("Projects", [listProjectsRoute, createProjectRoute, getProjectRoute, deleteProjectRoute]),
  ...withTag("Variables", [pullEnvRoute]),
  ...withTag("Projects", [getProjectStatusRoute]),
  ...withTag("Catalog", [browseCatalogRoute]),
  ...withTag("Projects", [updateProjectRoute, previewProjectDeletionRoute]),
  ...withTag("Operations", [getProjectOperationRoute]),
  ...withTag("Audit", [listProjectAuditRoute]),
  ...withTag("Projects", [listChargesRoute]),
  ...withTag("Billing", [attachPaymentMethodRoute]),
  ...withTag("Links", [linkProviderRoute, ...oauthCallbackRoutes, listLinksRoute, getLinkRoute, revokeLinkRoute]),
  ...projectServiceRoutes,
  ...withTag("Variables", [listVariablesRoute, getVariableRoute, setVariableRoute, deleteVariableRoute]),
];
