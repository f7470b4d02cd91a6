import { type Route, withTag } from "../route.ts";
import { finishAdminLoginRoute, logInAdminRoute, logOutAdminRoute } from "./admin/admin-sessions.ts";
import { freezeWalletAsAdminRoute, unfreezeWalletAsAdminRoute } from "./admin/freeze-wallet.ts";
import { listDevelopersRoute, showDeveloperRoute } from "./admin/read-developers.ts";
import { agentStatusRoutes } from "./agents/change-agent-status.ts";
import { createAgentRoute } from "./agents/create-agent.ts";
import { createAgentKeyRoute } from "./agents/create-agent-key.ts";
import { deleteAgentRoute } from "./agents/delete-agent.ts";
import { getKyaTokenRoute } from "./agents/get-kya-token.ts";
import { getAgentRoute, listAgentsRoute } from "./agents/read-agents.ts";
import { updateAgentRoute } from "./agents/update-agent.ts";
import { decideApprovalRoutes } from "./approvals/decide-approval.ts";
import { getApprovalRoute, listApprovalsRoute } from "./approvals/read-approvals.ts";
import { exportChainRoute } from "./audit/export-chain.ts";
import { listCheckpointsRoute } from "./audit/list-checkpoints.ts";
import { listEntriesRoute } from "./audit/list-entries.ts";
import { verifyAuditRoute } from "./audit/verify-audit.ts";
import { listAuthFailuresRoute } from "./developers/auth-failures/list-auth-failures.ts";
import { collectDevicePairRoute } from "./developers/device-login/collect-device-pair.ts";
import { decideDeviceLoginRoute } from "./developers/device-login/decide-device-login.ts";
import { startDeviceLoginRoute } from "./developers/device-login/start-device-login.ts";
import { resendVerificationRoute, verifyEmailRoutes } from "./developers/email-verification/verify-email.ts";
import { getCaptchaRoute } from "./developers/get-captcha.ts";
import { listIdentitiesRoute, unlinkIdentityRoute } from "./developers/identities/linked-identities.ts";
import { gitHubStateRoute, logInWithGitHubRoute } from "./developers/identities/log-in-with-github.ts";
import { logInWithGoogleRoute } from "./developers/identities/log-in-with-google.ts";
import { createApiKeyRoute } from "./developers/keys/create-api-key.ts";
import { listApiKeysRoute } from "./developers/keys/list-api-keys.ts";
import { revokeApiKeyRoute } from "./developers/keys/revoke-api-key.ts";
import { rotateAccountPairRoute } from "./developers/keys/rotate-account-pair.ts";
import { rotateApiKeyRoute } from "./developers/keys/rotate-api-key.ts";
import { testSignatureRoute } from "./developers/keys/test-signature.ts";
import { verifyKybRoute } from "./developers/kyb/verify-kyb.ts";
import { requestPasswordResetRoute, resetPasswordRoute } from "./developers/password-reset/reset-password.ts";
import { getDashboardProfileRoute, getDeveloperRoute, updateDashboardProfileRoute } from "./developers/profile.ts";
import { registerDeveloperRoute } from "./developers/register-developer.ts";
import { logInWithSecondFactorRoute } from "./developers/second-factor/log-in-with-second-factor.ts";
import { confirmTotpRoute, disableTotpRoute, startTotpSetupRoute } from "./developers/second-factor/set-up-totp.ts";
import { endSessionRoute, listSessionsRoute } from "./developers/sessions/dashboard-sessions.ts";
import { logInRoute } from "./developers/sessions/log-in.ts";
import { logOutRoute } from "./developers/sessions/log-out.ts";
import { refreshSessionRoute } from "./developers/sessions/refresh-session.ts";
import { signUpRoute } from "./developers/sign-up.ts";
import { getBankAccountRoute, listBankAccountsRoute, removeBankAccountRoute } from "./fiat/bank-accounts.ts";
import { executeConversionRoute, offRampRoute, onRampRoute } from "./fiat/convert.ts";
import { getRateRoute } from "./fiat/get-rate.ts";
import { linkAccountRoute } from "./fiat/link-account.ts";
import { cancelConversionRoute, getConversionRoute, listConversionsRoute } from "./fiat/read-conversions.ts";
import { verifyAccountRoute } from "./fiat/verify-account.ts";
import { getKillSwitchRoute, listKillSwitchesRoute } from "./kill-switches/read-kill-switches.ts";
import { reconcileKillSwitchRoute } from "./kill-switches/reconcile-kill-switch.ts";
import { triggerKillSwitchRoute } from "./kill-switches/trigger-kill-switch.ts";
import { getLimitsRoute, getTimeRoute } from "./limits.ts";
import { getOperationRoute } from "./operations/get-operation.ts";
import { approvePageRoutes } from "./pages/approve/approve.ts";
import { completedLinkRoute } from "./pages/completed-link.ts";
import { connectPageRoutes } from "./pages/connect.ts";
import { devicePageRoutes } from "./pages/device/device.ts";
import { docsRoutes } from "./pages/docs.ts";
import { healthRoutes } from "./pages/health.ts";
import { jwksRoute } from "./pages/jwks.ts";
import { captchaScriptRoutes } from "./pages/login/captcha-scripts.ts";
import { finishProviderLoginRoutes } from "./pages/login/finish-provider-login.ts";
import { forgotPasswordPageRoutes } from "./pages/login/forgot-password.ts";
import { logOutPageRoute } from "./pages/login/log-out-page.ts";
import { resetPasswordPageRoutes } from "./pages/login/reset-password.ts";
import { revokeKeysPageRoutes } from "./pages/login/revoke-keys.ts";
import { showLoginRoute } from "./pages/login/show-login.ts";
import { startProviderLoginRoutes } from "./pages/login/start-provider-login.ts";
import { submitLoginRoute } from "./pages/login/submit-login.ts";
import { secondFactorPageRoutes } from "./pages/login/submit-second-factor.ts";
import { openapiRoute } from "./pages/openapi.ts";
import { shortcutRoutes } from "./pages/shortcuts.ts";
import { getPaymentRoute, listPaymentsRoute } from "./payments/read-payments.ts";
import { sendPaymentRoute } from "./payments/send-payment.ts";
import {
  cancelPaymentRoute,
  capturePaymentRoute,
  refundPaymentRoute,
  voidPaymentRoute,
} from "./payments/settle-payment.ts";
import { simulatePaymentRoute } from "./payments/simulate-payment.ts";
import { backtestPolicyRoute } from "./policies/backtest-policy.ts";
import { createPolicyRoute } from "./policies/create-policy.ts";
import { deletePolicyRoute } from "./policies/delete-policy.ts";
import { evaluatePoliciesRoute } from "./policies/evaluate-policies.ts";
import { getPolicyRoute, listPoliciesRoute } from "./policies/read-policies.ts";
import { rollBackPolicyRoute } from "./policies/roll-back-policy.ts";
import { updatePolicyRoute } from "./policies/update-policy.ts";
import { attachPaymentMethodRoute } from "./projects/billing/attach-payment-method.ts";
import { browseCatalogRoute } from "./projects/browse-catalog.ts";
import { createProjectRoute } from "./projects/create-project.ts";
import { deleteProjectRoute, previewProjectDeletionRoute } from "./projects/delete-project.ts";
import { getProjectOperationRoute } from "./projects/get-project-operation.ts";
import { linkProviderRoute } from "./projects/links/link-provider.ts";
import { oauthCallbackRoutes } from "./projects/links/oauth-callback.ts";
import { getLinkRoute, listLinksRoute } from "./projects/links/read-links.ts";
import { revokeLinkRoute } from "./projects/links/revoke-link.ts";
import { listChargesRoute } from "./projects/list-charges.ts";
import { listProjectAuditRoute } from "./projects/list-project-audit.ts";
import { pullEnvRoute } from "./projects/pull-env.ts";
import { getProjectRoute, getProjectStatusRoute, listProjectsRoute } from "./projects/read-projects.ts";
import { addServiceRoute } from "./projects/services/add-service.ts";
import { openDashboardRoute } from "./projects/services/open-dashboard.ts";
import { getServiceRoute, listServicesRoute } from "./projects/services/read-services.ts";
import { removeServiceRoute } from "./projects/services/remove-service.ts";
import { rotateServiceRoute } from "./projects/services/rotate-service.ts";
import { upgradeServiceRoute } from "./projects/services/upgrade-service.ts";
import { updateProjectRoute } from "./projects/update-project.ts";
import { deleteVariableRoute } from "./projects/variables/delete-variable.ts";
import { getVariableRoute, listVariablesRoute } from "./projects/variables/read-variables.ts";
import { setVariableRoute } from "./projects/variables/set-variable.ts";
import { listProviderKeysRoute } from "./provider-keys/list-provider-keys.ts";
import { removeProviderKeysRoute } from "./provider-keys/remove-provider-keys.ts";
import { saveProviderKeysRoute } from "./provider-keys/save-provider-keys.ts";
import { verifyProviderKeysAuditRoute } from "./provider-keys/verify-provider-keys-audit.ts";
import { receiveVendorWebhookRoute } from "./vendor-webhooks/receive-vendor-webhook.ts";
import { createWalletRoute } from "./wallets/create-wallet.ts";
import { freezeWalletOnChainRoute, freezeWalletRoute } from "./wallets/freezes/freeze-wallet.ts";
import { unfreezeWalletRoute } from "./wallets/freezes/unfreeze-wallet.ts";
import { fundWalletRoute } from "./wallets/fund-wallet.ts";
import { getWalletBalanceRoute } from "./wallets/get-wallet-balance.ts";
import { listWalletActivityRoute } from "./wallets/list-wallet-activity.ts";
import { getWalletRoute, listAgentWalletsRoute, listWalletsRoute } from "./wallets/read-wallets.ts";
import { updateWalletRoute } from "./wallets/update-wallet.ts";

/** Every endpoint of the server, grouped by its tag in the OpenAPI document (`TAGS` in `service/api-document/introduction.ts`). */
export const routes: readonly Route[] = [
  ...withTag("Developers", [
    getDashboardProfileRoute,
    updateDashboardProfileRoute,
    getDeveloperRoute,
    registerDeveloperRoute,
    signUpRoute,
    getCaptchaRoute,
    resendVerificationRoute,
    ...verifyEmailRoutes,
    verifyKybRoute,
    requestPasswordResetRoute,
    resetPasswordRoute,
  ]),
  ...withTag("API keys", [
    listAuthFailuresRoute,
    listApiKeysRoute,
    createApiKeyRoute,
    revokeApiKeyRoute,
    rotateApiKeyRoute,
    rotateAccountPairRoute,
    testSignatureRoute,
  ]),
  ...withTag("Device login", [startDeviceLoginRoute, collectDevicePairRoute, decideDeviceLoginRoute]),
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
  ...withTag("Variables", [pullEnvRoute, listVariablesRoute, getVariableRoute, setVariableRoute, deleteVariableRoute]),
  ...withTag("Catalog", [browseCatalogRoute]),
  ...withTag("Operations", [getProjectOperationRoute, getOperationRoute]),
  ...withTag("Audit", [
    listProjectAuditRoute,
    listEntriesRoute,
    exportChainRoute,
    listCheckpointsRoute,
    verifyAuditRoute,
  ]),
  ...withTag("Billing", [attachPaymentMethodRoute]),
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
  ...withTag("Limits", [getTimeRoute, getLimitsRoute]),
  ...withTag("Admin", [
    logInAdminRoute,
    finishAdminLoginRoute,
    logOutAdminRoute,
    listDevelopersRoute,
    showDeveloperRoute,
    freezeWalletAsAdminRoute,
    unfreezeWalletAsAdminRoute,
  ]),
  ...withTag("Vendor webhooks", [receiveVendorWebhookRoute]),
  ...healthRoutes,
  openapiRoute,
  ...docsRoutes,
  ...shortcutRoutes,
  jwksRoute,
  completedLinkRoute,
  ...connectPageRoutes,
  ...approvePageRoutes,
  ...devicePageRoutes,
  showLoginRoute,
  submitLoginRoute,
  ...startProviderLoginRoutes,
  ...finishProviderLoginRoutes,
  ...secondFactorPageRoutes,
  ...forgotPasswordPageRoutes,
  ...resetPasswordPageRoutes,
  ...revokeKeysPageRoutes,
  logOutPageRoute,
  ...captchaScriptRoutes,
];
