export { attachPaymentMethod } from "./billing/attach-payment-method.ts";
export { createCustomer } from "./billing/customer.ts";
export {
  PaymentMethodAttachmentResource,
  presentPaymentMethodAttachment,
} from "./billing/payment-method-attachment-resource.ts";
export { type AttachedPaymentMethod, readPaymentSetup } from "./billing/read-payment-setup.ts";
export { refreshPaymentMethod, refreshSetup } from "./billing/refresh-payment-methods.ts";
export { browseCatalog } from "./browse-catalog.ts";
export { EnvBundleResource, presentEnvBundle } from "./bundle/env-bundle-resource.ts";
export { unportableNames } from "./bundle/unportable-values.ts";
export {
  CatalogProvider,
  catalogOf,
  findCatalogProvider,
  parseConfiguredEntry,
  providerNamesOf,
} from "./catalog.ts";
export { capExceeded } from "./charges/cap-exceeded.ts";
export { ChargeResource, presentCharge } from "./charges/charge-resource.ts";
export { listCharges } from "./charges/list-charges.ts";
export { openMonths } from "./charges/open-months.ts";
export { projectCap } from "./charges/project-budgets.ts";
export { recordCapAlerts, recordCapBlocked } from "./charges/record-cap-change.ts";
export { settleDueCharges } from "./charges/settle-due-charges.ts";
export { turnMonths } from "./charges/turn-months.ts";
export { type CreateProject, createProject } from "./create-project.ts";
export {
  ProjectDeletionPreviewResource,
  ProjectDeletionResource,
  presentProjectDeletion,
  presentProjectDeletionPreview,
} from "./deletion/deletion-resource.ts";
export {
  completeDeletion,
  type Deletion,
  failDeletion,
  findCustomer,
  listServicesLeft,
  startServiceRemovals,
} from "./deletion/deletion-steps.ts";
export { type DeletionReport, getDeletionReport } from "./deletion/get-deletion-report.ts";
export { previewDeletion } from "./deletion/preview-deletion.ts";
export { type RequestDeletion, requestDeletion } from "./deletion/request-deletion.ts";
export { getProject } from "./get-project.ts";
export { getProjectOperation } from "./get-project-operation.ts";
export { getProjectStatus } from "./get-project-status.ts";
export { billProjects } from "./invoices/bill-projects.ts";
export { refreshCharge, refreshRefunds } from "./invoices/refresh-charge.ts";
export { refreshInvoice, refreshOpenInvoices } from "./invoices/refresh-invoices.ts";
export { expireLinks } from "./links/expire-links.ts";
export { getCompletedLink } from "./links/get-completed-link.ts";
export { getLink } from "./links/get-link.ts";
export {
  FinishedLinkResource,
  LinkResource,
  presentFinishedLink,
  presentLink,
} from "./links/link-resource.ts";
export { listLinks } from "./links/list-links.ts";
export { openProviderAccess } from "./links/open-provider-access.ts";
export { getPasteForm, type PasteForm } from "./links/paste-form.ts";
export { type FinishedLink, receiveOAuthCallback } from "./links/receive-oauth-callback.ts";
export type { LinkClient } from "./links/record-link-change.ts";
export { requestAccount } from "./links/request-account.ts";
export { requireProvider } from "./links/require-provider.ts";
export { revokeTokens } from "./links/revocations/revoke-tokens.ts";
export { revokeLink } from "./links/revoke-link.ts";
export { type StartedLink, type StartLink, startLink } from "./links/start-link.ts";
export { type PasteResult, submitPastedToken } from "./links/submit-pasted-token.ts";
export { type UncheckedAccount, uncheckedAccounts } from "./links/unchecked-accounts.ts";
export { listProjectAudit } from "./list-project-audit.ts";
export { listProjects } from "./list-projects.ts";
export {
  ADD_SERVICE,
  DELETE_PROJECT,
  REMOVE_SERVICE,
  ROTATE_SERVICE,
  UPGRADE_SERVICE,
} from "./operation-types.ts";
export {
  CapBehaviorName,
  ProjectResource,
  presentProject,
} from "./project-resource.ts";
export { ProjectStatusResource, presentProjectStatus } from "./project-status-resource.ts";
export { ENV_FORMATS, type PullEnv, type PulledEnv, pullEnv } from "./pull-env.ts";
export {
  getProjectRow,
  isProjectInScope,
  listKnownProjectIds,
  lockProject,
  type ProjectKey,
} from "./queries.ts";
export { loadCatalogs, refreshCatalogs } from "./refresh-catalogs.ts";
export { projectSealedColumns } from "./sealed-columns.ts";
export { getService } from "./services/get-service.ts";
export { getServiceOfOperation } from "./services/get-service-of-operation.ts";
export { listServices } from "./services/list-services.ts";
export { openServiceDashboard } from "./services/open-dashboard.ts";
export { openServicePassword } from "./services/open-service-password.ts";
export {
  escalatePlanChange,
  failPlanChange,
  finishPlanChange,
} from "./services/plan-change/finish-plan-change.ts";
export { loadPlanChange, type PlanChange } from "./services/plan-change/plan-change.ts";
export { duePlans, getPlanChange } from "./services/plan-change/queries.ts";
export {
  type RequestedPlanChange,
  type RequestPlanChange,
  requestPlanChange,
} from "./services/plan-change/request-plan-change.ts";
export {
  releasePlanChange,
  reservePlanChange,
} from "./services/plan-change/reserve-plan-change.ts";
export { startPendingPlan } from "./services/plan-change/start-pending-plan.ts";
export { activateService } from "./services/provisioning/activate-service.ts";
export { checkPlan, checkPlanCostsNoMore } from "./services/provisioning/check-plan.ts";
export { categoriesOf, readNames } from "./services/provisioning/describe-addition.ts";
export { failService } from "./services/provisioning/fail-service.ts";
export {
  FIRST_CREDENTIAL,
  loadProvisioningContext,
  type ProvisioningContext,
} from "./services/provisioning/provisioning-context.ts";
export { requirePaymentMethod } from "./services/provisioning/require-payment-method.ts";
export {
  lockActiveProject,
  monthlyCostOf,
  releaseReservation,
  reserveService,
  serviceExceedsCap,
  settleFreeService,
} from "./services/provisioning/reserve-service.ts";
export {
  hasCredentials,
  type SealedEnv,
  saveCredentials,
} from "./services/provisioning/save-credentials.ts";
export { saveResource } from "./services/provisioning/save-resource.ts";
export {
  isResourceOfOther,
  listServicesOfAccount,
  type ServiceKey,
  type ServiceWithResource,
} from "./services/queries.ts";
export { readServiceEnv } from "./services/read-service-env.ts";
export { recordResourcePresence } from "./services/record-resource-presence.ts";
export { finishRemoval, loadRemoval, type Removal } from "./services/remove-steps.ts";
export { type RequestRemoval, requestRemoval } from "./services/request-removal.ts";
export {
  type RequestedService,
  type RequestService,
  requestService,
} from "./services/request-service.ts";
export { RESOURCE_NAME_PREFIX } from "./services/resource-name.ts";
export { resourcesWithoutService } from "./services/resources-without-service.ts";
export { failRotation, finishRotation } from "./services/rotation/end-rotation.ts";
export { getRotation } from "./services/rotation/get-rotation.ts";
export { lockServicesInPlace } from "./services/rotation/lock-services-in-place.ts";
export { openStoredEnv } from "./services/rotation/open-stored-env.ts";
export { prepareRotation } from "./services/rotation/prepare-rotation.ts";
export { publishRotation } from "./services/rotation/publish-rotation.ts";
export { lockRotationsInGrace } from "./services/rotation/queries.ts";
export { readPreviousValidUntil } from "./services/rotation/read-previous-valid-until.ts";
export {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
  startRotation,
} from "./services/rotation/request-rotation.ts";
export {
  type FormerCredential,
  loadRotationContext,
  type RotationContext,
} from "./services/rotation/rotation-context.ts";
export {
  presentServiceRotation,
  ServiceRotationResource,
} from "./services/rotation/rotation-resource.ts";
export { openServiceEnv, sealServiceEnv, serviceEnvProblem } from "./services/service-env.ts";
export {
  presentService,
  presentServiceWithPulls,
  removalEffectOf,
  ServiceResource,
} from "./services/service-resource.ts";
export { suspendProject } from "./suspend-project.ts";
export { type ProjectChange, type UpdateProject, updateProject } from "./update-project.ts";
export { deleteVariable } from "./variables/delete-variable.ts";
export { getVariable } from "./variables/get-variable.ts";
export { listVariables } from "./variables/list-variables.ts";
export { setVariable } from "./variables/set-variable.ts";
export { readerOfReserved, VARIABLE_NAME_PATTERN } from "./variables/variable-names.ts";
export { presentVariable, VariableResource } from "./variables/variable-resource.ts";
