export { attachPaymentMethod } from "./billing/attach-payment-method.ts";
export { createCustomer } from "./billing/customer.ts";
export {
  PaymentMethodAttachmentResource,
  presentPaymentMethodAttachment,
} from "./billing/payment-method-attachment-resource.ts";
export { type AttachedPaymentMethod, readPaymentSetup } from "./billing/payment-setup.ts";
export { refreshPaymentMethod, refreshSetup } from "./billing/refresh-payment-methods.ts";
export { browseCatalog } from "./browse-catalog.ts";
export { EnvBundleResource, presentEnvBundle } from "./bundle/env-bundle-resource.ts";
export { unportableNames } from "./bundle/unportable-values.ts";
export {
  CatalogProvider,
  catalogOf,
  findCatalogProvider,
  offerReleased,
  parseConfiguredEntry,
  UnitPrice,
} from "./catalog.ts";
export { capExceeded } from "./charges/cap-exceeded.ts";
export { ChargeResource, presentCharge } from "./charges/charge-resource.ts";
export { listCharges } from "./charges/list-charges.ts";
export { openMonths } from "./charges/open-months.ts";
export { projectCap } from "./charges/project-budgets.ts";
export { recordCapAlerts, recordCapBlocked } from "./charges/record-cap-change.ts";
export { settleDueCharges } from "./charges/settle-due-charges.ts";
export { turnMonths } from "./charges/turn-months.ts";
export { createProject } from "./create-project.ts";
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
export { getPasteForm, type PasteForm, type PasteResult, submitPastedToken } from "./links/paste-form.ts";
export { type FinishedLink, receiveOAuthCallback } from "./links/receive-oauth-callback.ts";
export type { LinkClient } from "./links/record-link-change.ts";
export { requireProvider } from "./links/require-provider.ts";
export { revokeTokens } from "./links/revocations/revoke-tokens.ts";
export { revokeLink } from "./links/revoke-link.ts";
export { linkProvider } from "./links/start-link.ts";
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
  isProjectInScope,
  listKnownProjectIds,
  lockProject,
  type ProjectKey,
} from "./queries.ts";
export { loadCatalogs, refreshCatalogs } from "./refresh-catalogs.ts";
export { projectSealedColumns } from "./sealed-columns.ts";
export { cancelWaitingPlanChanges, cancelWaitingServices } from "./services/cancel-waiting-services.ts";
export { getService, getServiceOfOperation } from "./services/get-service.ts";
export { listServices } from "./services/list-services.ts";
export { openServiceDashboard } from "./services/open-dashboard.ts";
export {
  escalatePlanChange,
  failPlanChange,
  finishPlanChange,
} from "./services/plan-change/finish-plan-change.ts";
export { loadPlanChange, type PlanChange } from "./services/plan-change/plan-change.ts";
export { duePlans } from "./services/plan-change/queries.ts";
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
export {
  activateService,
  failService,
  hasCredentials,
  requirePaymentMethod,
  type SealedEnv,
  saveCredentials,
  saveResource,
} from "./services/provisioning/add-steps.ts";
export { checkPlan, checkPlanCostsNoMore } from "./services/provisioning/check-plan.ts";
export { lockServicesInPlace } from "./services/provisioning/lock-own-project.ts";
export {
  FIRST_CREDENTIAL,
  loadProvisioningContext,
  type ProvisioningContext,
} from "./services/provisioning/provisioning-context.ts";
export {
  lockActiveProject,
  monthlyCostOf,
  releaseReservation,
  reserveService,
  serviceExceedsCap,
  settleFreeService,
} from "./services/provisioning/reserve-service.ts";
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
export { RESOURCE_NAME_PREFIX, resourcesWithoutService } from "./services/resource-name.ts";
export type { FormerCredential } from "./services/rotation/former-credential.ts";
export { getRotation } from "./services/rotation/get-rotation.ts";
export {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
  startRotation,
} from "./services/rotation/request-rotation.ts";
export { beginRetirement, endAttempt, finishRetirement, RETIREMENT } from "./services/rotation/retirement.ts";
export {
  escalateRotation,
  failRotation,
  keepCredential,
  prepareRotation,
  publishRotation,
} from "./services/rotation/rotate-steps.ts";
export { loadRotationContext, type RotationContext } from "./services/rotation/rotation-context.ts";
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
export { openServicePassword, openStoredEnv } from "./services/service-secrets.ts";
export { suspendProject } from "./suspend-project.ts";
export { type ProjectChange, updateProject } from "./update-project.ts";
export { getVariable, listVariables } from "./variables/get-variable.ts";
export { deleteVariable, setVariable } from "./variables/set-variable.ts";
export { readerOfReserved, VARIABLE_NAME_PATTERN } from "./variables/variable-names.ts";
export { presentVariable, VariableResource } from "./variables/variable-resource.ts";
