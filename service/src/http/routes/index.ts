import type { Route } from "../route.ts";
import { finishAdminLoginRoute } from "./admin/finish-admin-login.ts";
import { listDevelopersRoute } from "./admin/list-developers.ts";
import { logInAdminRoute } from "./admin/log-in-admin.ts";
import { logOutAdminRoute } from "./admin/log-out-admin.ts";
import { showDeveloperRoute } from "./admin/show-developer.ts";
import { exportChainRoute } from "./audit/export-chain.ts";
import { listCheckpointsRoute } from "./audit/list-checkpoints.ts";
import { listEntriesRoute } from "./audit/list-entries.ts";
import { verifyAuditRoute } from "./audit/verify-audit.ts";
import { listAuthFailuresRoute } from "./developers/auth-failures/list-auth-failures.ts";
import { beginDeviceLoginRoute } from "./developers/device-login/begin-device-login.ts";
import { collectDevicePairRoute } from "./developers/device-login/collect-device-pair.ts";
import { decideDeviceLoginRoute } from "./developers/device-login/decide-device-login.ts";
import { resendVerificationRoute } from "./developers/email-verification/resend-verification.ts";
import { verifyEmailRoute } from "./developers/email-verification/verify-email.ts";
import { getCaptchaRoute } from "./developers/get-captcha.ts";
import { getDashboardProfileRoute } from "./developers/get-dashboard-profile.ts";
import { getDeveloperRoute } from "./developers/get-developer.ts";
import { gitHubStateRoute } from "./developers/identities/github-state.ts";
import { listIdentitiesRoute } from "./developers/identities/list-identities.ts";
import { logInWithGitHubRoute } from "./developers/identities/log-in-with-github.ts";
import { logInWithGoogleRoute } from "./developers/identities/log-in-with-google.ts";
import { unlinkIdentityRoute } from "./developers/identities/unlink-identity.ts";
import { createApiKeyRoute } from "./developers/keys/create-api-key.ts";
import { listApiKeysRoute } from "./developers/keys/list-api-keys.ts";
import { revokeApiKeyRoute } from "./developers/keys/revoke-api-key.ts";
import { rotateAccountPairRoute } from "./developers/keys/rotate-account-pair.ts";
import { rotateApiKeyRoute } from "./developers/keys/rotate-api-key.ts";
import { testSignatureRoute } from "./developers/keys/test-signature.ts";
import { verifyKybRoute } from "./developers/kyb/verify-kyb.ts";
import { requestPasswordResetRoute } from "./developers/password-reset/request-password-reset.ts";
import { resetPasswordRoute } from "./developers/password-reset/reset-password.ts";
import { registerDeveloperRoute } from "./developers/register-developer.ts";
import { beginTotpRoute } from "./developers/second-factor/begin-totp.ts";
import { confirmTotpRoute } from "./developers/second-factor/confirm-totp.ts";
import { disableTotpRoute } from "./developers/second-factor/disable-totp.ts";
import { logInWithSecondFactorRoute } from "./developers/second-factor/log-in-with-second-factor.ts";
import { endSessionRoute } from "./developers/sessions/end-session.ts";
import { listSessionsRoute } from "./developers/sessions/list-sessions.ts";
import { logInRoute } from "./developers/sessions/log-in.ts";
import { logOutRoute } from "./developers/sessions/log-out.ts";
import { refreshSessionRoute } from "./developers/sessions/refresh-session.ts";
import { signUpRoute } from "./developers/sign-up.ts";
import { updateDashboardProfileRoute } from "./developers/update-dashboard-profile.ts";
import { getLimitsRoute } from "./get-limits.ts";
import { getTimeRoute } from "./get-time.ts";
import { getOperationRoute } from "./operations/get-operation.ts";
import { completedLinkRoute } from "./pages/completed-link.ts";
import { connectPageRoutes } from "./pages/connect.ts";
import { devicePageRoutes } from "./pages/device/device.ts";
import { docsRoutes } from "./pages/docs.ts";
import { healthRoutes } from "./pages/health.ts";
import { jwksRoute } from "./pages/jwks.ts";
import { beginProviderLoginRoutes } from "./pages/login/begin-provider-login.ts";
import { captchaScriptRoutes } from "./pages/login/captcha-scripts.ts";
import { finishProviderLoginRoutes } from "./pages/login/finish-provider-login.ts";
import { forgotPasswordPageRoutes } from "./pages/login/forgot-password.ts";
import { logOutPageRoute } from "./pages/login/log-out-page.ts";
import { resetPasswordPageRoutes } from "./pages/login/reset-password.ts";
import { revokeKeysPageRoutes } from "./pages/login/revoke-keys.ts";
import { showLoginRoute } from "./pages/login/show-login.ts";
import { submitLoginRoute } from "./pages/login/submit-login.ts";
import { submitSecondFactorRoute } from "./pages/login/submit-second-factor.ts";
import { openapiRoute } from "./pages/openapi.ts";
import { attachPaymentMethodRoute } from "./projects/billing/attach-payment-method.ts";
import { browseCatalogRoute } from "./projects/browse-catalog.ts";
import { createProjectRoute } from "./projects/create-project.ts";
import { deleteProjectRoute } from "./projects/delete-project.ts";
import { getProjectRoute } from "./projects/get-project.ts";
import { getProjectOperationRoute } from "./projects/get-project-operation.ts";
import { getProjectStatusRoute } from "./projects/get-project-status.ts";
import { getLinkRoute } from "./projects/links/get-link.ts";
import { linkProviderRoute } from "./projects/links/link-provider.ts";
import { listLinksRoute } from "./projects/links/list-links.ts";
import { oauthCallbackRoutes } from "./projects/links/oauth-callback.ts";
import { revokeLinkRoute } from "./projects/links/revoke-link.ts";
import { listProjectAuditRoute } from "./projects/list-project-audit.ts";
import { listProjectsRoute } from "./projects/list-projects.ts";
import { previewProjectDeletionRoute } from "./projects/preview-project-deletion.ts";
import { pullEnvRoute } from "./projects/pull-env.ts";
import { addServiceRoute } from "./projects/services/add-service.ts";
import { getServiceRoute } from "./projects/services/get-service.ts";
import { listServicesRoute } from "./projects/services/list-services.ts";
import { removeServiceRoute } from "./projects/services/remove-service.ts";
import { updateProjectRoute } from "./projects/update-project.ts";
import { deleteVariableRoute } from "./projects/variables/delete-variable.ts";
import { getVariableRoute } from "./projects/variables/get-variable.ts";
import { listVariablesRoute } from "./projects/variables/list-variables.ts";
import { setVariableRoute } from "./projects/variables/set-variable.ts";
import { listProviderKeysRoute } from "./provider-keys/list-provider-keys.ts";
import { removeProviderKeysRoute } from "./provider-keys/remove-provider-keys.ts";
import { saveProviderKeysRoute } from "./provider-keys/save-provider-keys.ts";
import { verifyProviderKeysAuditRoute } from "./provider-keys/verify-provider-keys-audit.ts";

/** Every endpoint of the service: the specification's in its order, then those beyond it, then pages and probes. */
export const routes: readonly Route[] = [
  getDashboardProfileRoute,
  updateDashboardProfileRoute,
  logInRoute,
  logOutRoute,
  getDeveloperRoute,
  listApiKeysRoute,
  createApiKeyRoute,
  revokeApiKeyRoute,
  rotateApiKeyRoute,
  logInWithGitHubRoute,
  gitHubStateRoute,
  logInWithGoogleRoute,
  listProviderKeysRoute,
  saveProviderKeysRoute,
  removeProviderKeysRoute,
  verifyProviderKeysAuditRoute,
  registerDeveloperRoute,
  resendVerificationRoute,
  rotateAccountPairRoute,
  signUpRoute,
  refreshSessionRoute,
  verifyEmailRoute,
  verifyKybRoute,
  listProjectsRoute,
  createProjectRoute,
  getProjectRoute,
  deleteProjectRoute,
  pullEnvRoute,
  linkProviderRoute,
  addServiceRoute,
  removeServiceRoute,
  attachPaymentMethodRoute,
  getProjectStatusRoute,
  browseCatalogRoute,
  oauthCallbackRoutes,
  getTimeRoute,
  getCaptchaRoute,
  listAuthFailuresRoute,
  testSignatureRoute,
  getLimitsRoute,
  logInWithSecondFactorRoute,
  requestPasswordResetRoute,
  resetPasswordRoute,
  beginDeviceLoginRoute,
  collectDevicePairRoute,
  decideDeviceLoginRoute,
  beginTotpRoute,
  confirmTotpRoute,
  disableTotpRoute,
  listSessionsRoute,
  endSessionRoute,
  listIdentitiesRoute,
  unlinkIdentityRoute,
  listEntriesRoute,
  exportChainRoute,
  listCheckpointsRoute,
  verifyAuditRoute,
  updateProjectRoute,
  previewProjectDeletionRoute,
  listLinksRoute,
  getLinkRoute,
  revokeLinkRoute,
  listServicesRoute,
  getServiceRoute,
  getProjectOperationRoute,
  getOperationRoute,
  listVariablesRoute,
  getVariableRoute,
  setVariableRoute,
  deleteVariableRoute,
  listProjectAuditRoute,
  logInAdminRoute,
  finishAdminLoginRoute,
  logOutAdminRoute,
  listDevelopersRoute,
  showDeveloperRoute,
  healthRoutes,
  openapiRoute,
  docsRoutes,
  jwksRoute,
  showLoginRoute,
  submitLoginRoute,
  beginProviderLoginRoutes,
  finishProviderLoginRoutes,
  submitSecondFactorRoute,
  forgotPasswordPageRoutes,
  resetPasswordPageRoutes,
  revokeKeysPageRoutes,
  logOutPageRoute,
  devicePageRoutes,
  captchaScriptRoutes,
  completedLinkRoute,
  connectPageRoutes,
];
