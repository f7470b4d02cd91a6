import { type Route, withTag } from "../../route.ts";
import { attachPaymentMethodRoute } from "./billing/attach-payment-method.ts";
import { browseCatalogRoute } from "./browse-catalog.ts";
import { createProjectRoute } from "./create-project.ts";
import { deleteProjectRoute, previewProjectDeletionRoute } from "./delete-project.ts";
import { getProjectOperationRoute } from "./get-project-operation.ts";
import { linkProviderRoute } from "./links/link-provider.ts";
import { oauthCallbackRoutes } from "./links/oauth-callback.ts";
import { getLinkRoute, listLinksRoute } from "./links/read-links.ts";
import { revokeLinkRoute } from "./links/revoke-link.ts";
import { listChargesRoute } from "./list-charges.ts";
import { listProjectAuditRoute } from "./list-project-audit.ts";
import { pullEnvRoute } from "./pull-env.ts";
import { getProjectRoute, getProjectStatusRoute, listProjectsRoute } from "./read-projects.ts";
import { projectServiceRoutes } from "./services/index.ts";
import { updateProjectRoute } from "./update-project.ts";
import { deleteVariableRoute } from "./variables/delete-variable.ts";
import { getVariableRoute, listVariablesRoute } from "./variables/read-variables.ts";
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
