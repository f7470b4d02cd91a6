import { type Route, withTag } from "../route.ts";
import {
  finishAdminLoginRoute,
  freezeWalletAsAdminRoute,
  getAdminRoute,
  listDevelopersRoute,
  logInAdminRoute,
  logOutAdminRoute,
  showDeveloperRoute,
  unfreezeWalletAsAdminRoute,
} from "./admin/admin.ts";
import { listAdminAuditRoute } from "./admin/audit.ts";
import { getAdminHealthRoute } from "./admin/health.ts";
import { compensateOperationRoute, listStuckOperationsRoute, retryOperationRoute } from "./admin/operations.ts";
import { searchWalletsRoute } from "./admin/wallets.ts";
import { createAgentKeyRoute, getKyaTokenRoute } from "./agents/agent-credentials.ts";
import {
  createAgentRoute,
  deleteAgentRoute,
  getAgentBudgetsRoute,
  getAgentRoute,
  listAgentsRoute,
  updateAgentRoute,
} from "./agents/agents.ts";
import { agentStatusRoutes } from "./agents/change-agent-status.ts";
import { decideApprovalRoutes, getApprovalRoute, listApprovalsRoute } from "./approvals/approvals.ts";
import { exportChainRoute, listCheckpointsRoute, listEntriesRoute, verifyAuditRoute } from "./audit/audit.ts";
import { listAuthFailuresRoute } from "./developers/auth-failures/list-auth-failures.ts";
import { getOverviewRoute } from "./developers/dashboard/get-overview.ts";
import {
  collectDevicePairRoute,
  decideDeviceLoginRoute,
  getPendingDeviceRoute,
  startDeviceLoginRoute,
} from "./developers/device-login/device-login.ts";
import { resendVerificationRoute, verifyEmailRoutes } from "./developers/email-verification/verify-email.ts";
import { readEmailedTokenRoute, revokeKeysByEmailRoute } from "./developers/emailed-tokens.ts";
import {
  gitHubStateRoute,
  listIdentitiesRoute,
  logInWithGitHubRoute,
  logInWithGoogleRoute,
  unlinkIdentityRoute,
} from "./developers/identities/identities.ts";
import {
  createApiKeyRoute,
  listApiKeysRoute,
  revokeApiKeyRoute,
  rotateAccountPairRoute,
  rotateApiKeyRoute,
} from "./developers/keys/api-keys.ts";
import { testSignatureRoute } from "./developers/keys/test-signature.ts";
import { getKybRoute, submitKybRoute } from "./developers/kyb/kyb-case.ts";
import { verifyKybRoute } from "./developers/kyb/verify-kyb.ts";
import { requestPasswordResetRoute, resetPasswordRoute } from "./developers/password-reset/reset-password.ts";
import { getDashboardProfileRoute, getDeveloperRoute, updateDashboardProfileRoute } from "./developers/profile.ts";
import { listRequestsRoute } from "./developers/request-log/list-requests.ts";
import {
  confirmTotpRoute,
  disableTotpRoute,
  logInWithSecondFactorRoute,
  startTotpSetupRoute,
} from "./developers/second-factor/second-factor.ts";
import { endSessionRoute, listSessionsRoute } from "./developers/sessions/dashboard-sessions.ts";
import { logInRoute, logOutRoute, refreshSessionRoute } from "./developers/sessions/sessions.ts";
import { getCaptchaRoute, getLoginOptionsRoute, registerDeveloperRoute, signUpRoute } from "./developers/sign-up.ts";
import { getEventRoute, listEventsRoute, streamEventsRoute } from "./events/events.ts";
import {
  cancelConversionRoute,
  executeConversionRoute,
  getConversionRoute,
  listConversionsRoute,
  offRampRoute,
  onRampRoute,
} from "./fiat/conversions.ts";
import {
  getBankAccountRoute,
  linkAccountRoute,
  listBankAccountsRoute,
  removeBankAccountRoute,
} from "./fiat/fiat-accounts.ts";
import { getRateRoute } from "./fiat/get-rate.ts";
import { verifyAccountRoute } from "./fiat/verify-account.ts";
import {
  getKillSwitchRoute,
  listKillSwitchesRoute,
  reconcileKillSwitchRoute,
  triggerKillSwitchRoute,
} from "./kill-switches/kill-switches.ts";
import { getLimitsRoute, getTimeRoute } from "./limits.ts";
import { getOperationRoute } from "./operations/operations.ts";
import { approvePageRoutes } from "./pages/approve/approve.ts";
import { completedLinkRoute, connectPageRoutes } from "./pages/connect.ts";
import { dashboardRoutes } from "./pages/dashboard.ts";
import { docsRoutes } from "./pages/docs.ts";
import { errorPageRoute } from "./pages/error-page.ts";
import { healthRoutes } from "./pages/health.ts";
import { jwksRoute } from "./pages/jwks.ts";
import { finishProviderLoginRoutes, startProviderLoginRoutes } from "./pages/login/provider-login.ts";
import { openapiRoute, referenceRoutes } from "./pages/reference.ts";
import { shortcutRoutes } from "./pages/shortcuts.ts";
import {
  cancelPaymentRoute,
  capturePaymentRoute,
  refundPaymentRoute,
  voidPaymentRoute,
} from "./payments/payment-changes.ts";
import { getPaymentRoute, listPaymentsRoute, sendPaymentRoute, simulatePaymentRoute } from "./payments/payments.ts";
import {
  createPolicyRoute,
  deletePolicyRoute,
  getPolicyRoute,
  getPolicyVersionRoute,
  listPoliciesRoute,
  rollBackPolicyRoute,
  updatePolicyRoute,
} from "./policies/policies.ts";
import { backtestPolicyRoute, evaluatePoliciesRoute } from "./policies/policy-evaluation.ts";
import { attachPaymentMethodRoute } from "./projects/billing/attach-payment-method.ts";
import { listInvoicesRoute, listProjectInvoicesRoute } from "./projects/billing/invoices.ts";
import { browseCatalogRoute } from "./projects/browse-catalog.ts";
import { compareEnvRoute } from "./projects/compare-env.ts";
import { getLinkRoute, linkProviderRoute, listLinksRoute, revokeLinkRoute } from "./projects/links/links.ts";
import { oauthCallbackRoutes } from "./projects/links/oauth-callback.ts";
import { getProjectOperationRoute, listChargesRoute, listProjectAuditRoute } from "./projects/project-history.ts";
import {
  createProjectRoute,
  deleteProjectRoute,
  getProjectRoute,
  getProjectStatusRoute,
  listProjectsRoute,
  previewProjectDeletionRoute,
} from "./projects/projects.ts";
import { pullEnvRoute } from "./projects/pull-env.ts";
import { addServiceRoute } from "./projects/services/add-service.ts";
import { rotateServiceRoute } from "./projects/services/rotate-service.ts";
import {
  getServiceRoute,
  listServicesRoute,
  openDashboardRoute,
  removeServiceRoute,
} from "./projects/services/services.ts";
import { upgradeServiceRoute } from "./projects/services/upgrade-service.ts";
import { updateProjectRoute } from "./projects/update-project.ts";
import {
  deleteVariableRoute,
  getVariableRoute,
  listVariablesRoute,
  setVariableRoute,
} from "./projects/variables/variables.ts";
import {
  listProviderKeysRoute,
  removeProviderKeysRoute,
  saveProviderKeysRoute,
  verifyProviderKeysAuditRoute,
} from "./provider-keys/provider-keys.ts";
import { receiveVendorWebhookRoute } from "./vendor-webhooks/receive-vendor-webhook.ts";
import { freezeWalletOnChainRoute, freezeWalletRoute, unfreezeWalletRoute } from "./wallets/freezes/freezes.ts";
import { updateWalletRoute } from "./wallets/update-wallet.ts";
import { fundWalletRoute, getWalletBalanceRoute, listWalletActivityRoute } from "./wallets/wallet-balance.ts";
import { createWalletRoute, getWalletRoute, listAgentWalletsRoute, listWalletsRoute } from "./wallets/wallets.ts";
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listDeliveriesRoute,
  listWebhooksRoute,
  replayWebhookRoute,
  rotateWebhookSecretRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from "./webhooks/webhooks.ts";

/** Every endpoint of the server, grouped by its tag in the OpenAPI document (`TAGS` in `service/api-document/introduction.ts`). */
export const allRoutes: readonly Route[] = [
  ...withTag("Developers", [
    getDashboardProfileRoute,
    updateDashboardProfileRoute,
    getOverviewRoute,
    getDeveloperRoute,
    registerDeveloperRoute,
    signUpRoute,
    getCaptchaRoute,
    getLoginOptionsRoute,
    resendVerificationRoute,
    ...verifyEmailRoutes,
    submitKybRoute,
    getKybRoute,
    verifyKybRoute,
    requestPasswordResetRoute,
    resetPasswordRoute,
    readEmailedTokenRoute,
    revokeKeysByEmailRoute,
  ]),
  ...withTag("API keys", [
    listAuthFailuresRoute,
    listRequestsRoute,
    listApiKeysRoute,
    createApiKeyRoute,
    revokeApiKeyRoute,
    rotateApiKeyRoute,
    rotateAccountPairRoute,
    testSignatureRoute,
  ]),
  ...withTag("Device login", [
    startDeviceLoginRoute,
    collectDevicePairRoute,
    getPendingDeviceRoute,
    decideDeviceLoginRoute,
  ]),
  ...withTag("Identities", [
    logInWithGitHubRoute,
    gitHubStateRoute,
    logInWithGoogleRoute,
    listIdentitiesRoute,
    unlinkIdentityRoute,
  ]),
  ...withTag("Sessions", [
    logInWithSecondFactorRoute,
    logInRoute,
    logOutRoute,
    refreshSessionRoute,
    listSessionsRoute,
    endSessionRoute,
  ]),
  ...withTag("Second factor", [startTotpSetupRoute, confirmTotpRoute, disableTotpRoute]),
  ...withTag("Provider keys", [
    listProviderKeysRoute,
    saveProviderKeysRoute,
    removeProviderKeysRoute,
    verifyProviderKeysAuditRoute,
  ]),
  ...withTag("Projects", [
    listProjectsRoute,
    createProjectRoute,
    getProjectRoute,
    deleteProjectRoute,
    getProjectStatusRoute,
    updateProjectRoute,
    previewProjectDeletionRoute,
    listChargesRoute,
  ]),
  ...withTag("Variables", [
    pullEnvRoute,
    compareEnvRoute,
    listVariablesRoute,
    getVariableRoute,
    setVariableRoute,
    deleteVariableRoute,
  ]),
  ...withTag("Catalog", [browseCatalogRoute]),
  ...withTag("Operations", [getProjectOperationRoute, getOperationRoute]),
  ...withTag("Audit", [
    listProjectAuditRoute,
    listEntriesRoute,
    exportChainRoute,
    listCheckpointsRoute,
    verifyAuditRoute,
  ]),
  ...withTag("Billing", [attachPaymentMethodRoute, listInvoicesRoute, listProjectInvoicesRoute]),
  ...withTag("Links", [linkProviderRoute, ...oauthCallbackRoutes, listLinksRoute, getLinkRoute, revokeLinkRoute]),
  ...withTag("Services", [
    addServiceRoute,
    rotateServiceRoute,
    removeServiceRoute,
    listServicesRoute,
    getServiceRoute,
    upgradeServiceRoute,
    openDashboardRoute,
  ]),
  ...withTag("Policies", [
    createPolicyRoute,
    listPoliciesRoute,
    getPolicyRoute,
    getPolicyVersionRoute,
    updatePolicyRoute,
    deletePolicyRoute,
    rollBackPolicyRoute,
    evaluatePoliciesRoute,
    backtestPolicyRoute,
  ]),
  ...withTag("Agents", [
    createAgentRoute,
    listAgentsRoute,
    getAgentRoute,
    getAgentBudgetsRoute,
    updateAgentRoute,
    deleteAgentRoute,
    ...agentStatusRoutes,
    createAgentKeyRoute,
    getKyaTokenRoute,
  ]),
  ...withTag("Wallets", [
    createWalletRoute,
    listWalletsRoute,
    listAgentWalletsRoute,
    getWalletRoute,
    updateWalletRoute,
    getWalletBalanceRoute,
    listWalletActivityRoute,
    fundWalletRoute,
    freezeWalletRoute,
    freezeWalletOnChainRoute,
    unfreezeWalletRoute,
  ]),
  ...withTag("Payments", [
    sendPaymentRoute,
    simulatePaymentRoute,
    listPaymentsRoute,
    getPaymentRoute,
    capturePaymentRoute,
    voidPaymentRoute,
    refundPaymentRoute,
    cancelPaymentRoute,
  ]),
  ...withTag("Fiat", [
    linkAccountRoute,
    verifyAccountRoute,
    listBankAccountsRoute,
    getBankAccountRoute,
    removeBankAccountRoute,
    getRateRoute,
    onRampRoute,
    offRampRoute,
    listConversionsRoute,
    getConversionRoute,
    executeConversionRoute,
    cancelConversionRoute,
  ]),
  ...withTag("Approvals", [listApprovalsRoute, getApprovalRoute, ...decideApprovalRoutes]),
  ...withTag("Kill switch", [
    triggerKillSwitchRoute,
    listKillSwitchesRoute,
    getKillSwitchRoute,
    reconcileKillSwitchRoute,
  ]),
  ...withTag("Events", [listEventsRoute, streamEventsRoute, getEventRoute]),
  ...withTag("Webhooks", [
    createWebhookRoute,
    listWebhooksRoute,
    getWebhookRoute,
    updateWebhookRoute,
    deleteWebhookRoute,
    rotateWebhookSecretRoute,
    testWebhookRoute,
    replayWebhookRoute,
    listDeliveriesRoute,
  ]),
  ...withTag("Limits", [getTimeRoute, getLimitsRoute]),
  ...withTag("Admin", [
    logInAdminRoute,
    finishAdminLoginRoute,
    logOutAdminRoute,
    getAdminRoute,
    listDevelopersRoute,
    showDeveloperRoute,
    freezeWalletAsAdminRoute,
    unfreezeWalletAsAdminRoute,
    listStuckOperationsRoute,
    retryOperationRoute,
    compensateOperationRoute,
    searchWalletsRoute,
    listAdminAuditRoute,
    getAdminHealthRoute,
  ]),
  ...withTag("Vendor webhooks", [receiveVendorWebhookRoute]),
  ...healthRoutes,
  openapiRoute,
  ...referenceRoutes,
  ...docsRoutes,
  ...shortcutRoutes,
  errorPageRoute,
  jwksRoute,
  completedLinkRoute,
  ...connectPageRoutes,
  ...approvePageRoutes,
  ...dashboardRoutes,
  ...startProviderLoginRoutes,
  ...finishProviderLoginRoutes,
];
