import { type Route, withTag } from "../route.ts";
import { adminRoutes } from "./admin/admin.ts";
import { listAdminAuditRoute } from "./admin/audit.ts";
import { getAdminHealthRoute } from "./admin/health.ts";
import { stuckOperationRoutes } from "./admin/operations.ts";
import { searchWalletsRoute } from "./admin/wallets.ts";
import { agentCredentialRoutes } from "./agents/agent-credentials.ts";
import { agentRoutes } from "./agents/agents.ts";
import { agentStatusRoutes } from "./agents/change-agent-status.ts";
import { approvalRoutes } from "./approvals/approvals.ts";
import { auditRoutes } from "./audit/audit.ts";
import { listAuthFailuresRoute } from "./developers/auth-failures/list-auth-failures.ts";
import { deviceLoginRoutes } from "./developers/device-login/device-login.ts";
import { emailVerificationRoutes } from "./developers/email-verification/verify-email.ts";
import { emailedTokenRoutes } from "./developers/emailed-tokens.ts";
import { identityRoutes } from "./developers/identities/identities.ts";
import { apiKeyRoutes } from "./developers/keys/api-keys.ts";
import { testSignatureRoute } from "./developers/keys/test-signature.ts";
import { kybCaseRoutes } from "./developers/kyb/kyb-case.ts";
import { verifyKybRoute } from "./developers/kyb/verify-kyb.ts";
import { passwordResetRoutes } from "./developers/password-reset/reset-password.ts";
import { profileRoutes } from "./developers/profile.ts";
import { listRequestsRoute } from "./developers/request-log/list-requests.ts";
import { logInWithSecondFactorRoute, secondFactorRoutes } from "./developers/second-factor/second-factor.ts";
import { dashboardSessionRoutes } from "./developers/sessions/dashboard-sessions.ts";
import { sessionRoutes } from "./developers/sessions/sessions.ts";
import { signUpRoutes } from "./developers/sign-up.ts";
import { eventRoutes } from "./events/events.ts";
import { conversionRoutes } from "./fiat/conversions.ts";
import { bankAccountRoutes } from "./fiat/fiat-accounts.ts";
import { getRateRoute } from "./fiat/get-rate.ts";
import { killSwitchRoutes } from "./kill-switches/kill-switches.ts";
import { limitRoutes } from "./limits.ts";
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
import { paymentChangeRoutes } from "./payments/payment-changes.ts";
import { paymentRoutes } from "./payments/payments.ts";
import { policyRoutes } from "./policies/policies.ts";
import { policyEvaluationRoutes } from "./policies/policy-evaluation.ts";
import { attachPaymentMethodRoute } from "./projects/billing/attach-payment-method.ts";
import { invoiceRoutes } from "./projects/billing/invoices.ts";
import { browseCatalogRoute } from "./projects/browse-catalog.ts";
import { compareEnvRoute } from "./projects/compare-env.ts";
import { linkProviderRoute, linkRoutes } from "./projects/links/links.ts";
import { oauthCallbackRoutes } from "./projects/links/oauth-callback.ts";
import { getProjectOperationRoute, listChargesRoute, listProjectAuditRoute } from "./projects/project-history.ts";
import { projectRoutes } from "./projects/projects.ts";
import { pullEnvRoute } from "./projects/pull-env.ts";
import { serviceRoutes } from "./projects/services/services.ts";
import { updateProjectRoute } from "./projects/update-project.ts";
import { variableRoutes } from "./projects/variables/variables.ts";
import { providerKeyRoutes } from "./provider-keys/provider-keys.ts";
import { receiveVendorWebhookRoute } from "./vendor-webhooks/receive-vendor-webhook.ts";
import { freezeRoutes } from "./wallets/freezes/freezes.ts";
import { updateWalletRoute } from "./wallets/update-wallet.ts";
import { walletBalanceRoutes } from "./wallets/wallet-balance.ts";
import { walletRoutes } from "./wallets/wallets.ts";
import { webhookRoutes } from "./webhooks/webhooks.ts";

/** Every endpoint of the server, grouped by its tag in the OpenAPI document (`TAGS` in `service/api-document/introduction.ts`). */
export const allRoutes: readonly Route[] = [
  ...withTag("Developers", [
    ...profileRoutes,
    ...signUpRoutes,
    ...emailVerificationRoutes,
    ...kybCaseRoutes,
    verifyKybRoute,
    ...passwordResetRoutes,
    ...emailedTokenRoutes,
  ]),
  ...withTag("API keys", [listAuthFailuresRoute, listRequestsRoute, ...apiKeyRoutes, testSignatureRoute]),
  ...withTag("Device login", deviceLoginRoutes),
  ...withTag("Identities", identityRoutes),
  ...withTag("Sessions", [logInWithSecondFactorRoute, ...sessionRoutes, ...dashboardSessionRoutes]),
  ...withTag("Second factor", secondFactorRoutes),
  ...withTag("Provider keys", providerKeyRoutes),
  ...withTag("Projects", [...projectRoutes, updateProjectRoute, listChargesRoute]),
  ...withTag("Variables", [pullEnvRoute, compareEnvRoute, ...variableRoutes]),
  ...withTag("Catalog", [browseCatalogRoute]),
  ...withTag("Operations", [getProjectOperationRoute, getOperationRoute]),
  ...withTag("Audit", [listProjectAuditRoute, ...auditRoutes]),
  ...withTag("Billing", [attachPaymentMethodRoute, ...invoiceRoutes]),
  ...withTag("Links", [linkProviderRoute, ...oauthCallbackRoutes, ...linkRoutes]),
  ...withTag("Services", serviceRoutes),
  ...withTag("Policies", [...policyRoutes, ...policyEvaluationRoutes]),
  ...withTag("Agents", [...agentRoutes, ...agentStatusRoutes, ...agentCredentialRoutes]),
  ...withTag("Wallets", [...walletRoutes, updateWalletRoute, ...walletBalanceRoutes, ...freezeRoutes]),
  ...withTag("Payments", [...paymentRoutes, ...paymentChangeRoutes]),
  ...withTag("Fiat", [...bankAccountRoutes, getRateRoute, ...conversionRoutes]),
  ...withTag("Approvals", approvalRoutes),
  ...withTag("Kill switch", killSwitchRoutes),
  ...withTag("Events", eventRoutes),
  ...withTag("Webhooks", webhookRoutes),
  ...withTag("Limits", limitRoutes),
  ...withTag("Admin", [
    ...adminRoutes,
    ...stuckOperationRoutes,
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
