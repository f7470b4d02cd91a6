// Generated from openapi/openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/developers/dashboard/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDashboardProfile"];
        put: operations["updateDashboardProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDashboardOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeveloper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerDeveloper"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/captcha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaptcha"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/login-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLoginOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verifyEmail"];
        put?: never;
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/kyb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getKyb"];
        put?: never;
        post: operations["submitKyb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/verify-kyb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyKyb"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/emailed-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["readEmailedToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/emailed-tokens/revoke-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeKeysByEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me/auth-failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuthFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateAccountPair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/me/keys/{key_id}/test-signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/oauth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/oauth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["collectDevicePair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPendingDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/oauth/device/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/oauth/github": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logInWithGitHub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/oauth/github/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginGitHubLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/oauth/google": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logInWithGoogle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/identities/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["unlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/login/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logInWithSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/token/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/mfa/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/mfa/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/dashboard/mfa/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["disableTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/provider-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviderKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/provider-keys/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["saveProviderKeys"];
        post?: never;
        delete: operations["removeProviderKeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developers/provider-keys/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verifyProviderKeysAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProjects"];
        put?: never;
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProject"];
        put?: never;
        post?: never;
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch: operations["updateProject"];
        trace?: never;
    };
    "/projects/{project_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProjectStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/delete-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewProjectDeletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProjectCharges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/env": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["pullEnv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/env/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["compareEnv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVariables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/variables/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVariable"];
        put: operations["setVariable"];
        post?: never;
        delete: operations["deleteVariable"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["browseCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/operations/{operation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/{operation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOperationById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProjectAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportAuditChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditCheckpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/billing/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["attachPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProjectInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/webhooks/oauth-callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["receiveOAuthRedirect"];
        put?: never;
        post: operations["receiveOAuthCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLink"];
        put?: never;
        post?: never;
        delete: operations["revokeLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listServices"];
        put?: never;
        post: operations["addService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getService"];
        put?: never;
        post?: never;
        delete: operations["removeService"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["upgradeService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/deep-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createDeepLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPolicies"];
        put?: never;
        post: operations["createPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{policy_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPolicy"];
        put?: never;
        post?: never;
        delete: operations["deletePolicy"];
        options?: never;
        head?: never;
        patch: operations["updatePolicy"];
        trace?: never;
    };
    "/policies/{policy_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPolicyVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{policy_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rollBackPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["evaluatePolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/policies/{policy_id}/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["backtestPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgents"];
        put?: never;
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/agents/{agent_id}/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAgentBudgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["suspendAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createAgentKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent_id}/kya-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getKyaToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/agent/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgentWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateWallet"];
        trace?: never;
    };
    "/wallets/{wallet_id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWalletBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet_id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWalletActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet_id}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["fundWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet_id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["freezeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet_id}/freeze-on-chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["freezeWalletOnChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/{wallet_id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unfreezeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["simulatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["capturePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["voidPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/link-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/verify-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBankAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBankAccount"];
        put?: never;
        post?: never;
        delete: operations["removeBankAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/rate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/on-ramp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onRamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/off-ramp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["offRamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/conversions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConversions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/conversions/{conversion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConversion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/conversions/{conversion_id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["executeConversion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fiat/conversions/{conversion_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelConversion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval_id}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["denyApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kill-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKillSwitches"];
        put?: never;
        post: operations["triggerKillSwitch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kill-switch/{kill_switch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getKillSwitch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/kill-switch/{kill_switch_id}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reconcileKillSwitch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logInAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/login/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["finishAdminLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logOutAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/developers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDevelopers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/developers/{developer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showDeveloper"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/wallets/{wallet_id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["freezeWalletAsAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/wallets/{wallet_id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unfreezeWalletAsAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStuckOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/operations/{operation_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/operations/{operation_id}/compensate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["compensateOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAdminAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAdminHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vendor-webhooks/{vendor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveVendorWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        KybStatus: {
            status: "unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired";
            verified_at: string | null;
            expires_at: string | null;
            reference: string | null;
        };
        DeveloperCapabilities: {
            live_keys: "unrequested" | "pending" | "active" | "inactive";
            live_wallets: "unrequested" | "pending" | "active" | "inactive";
            fiat: "unrequested" | "pending" | "active" | "inactive";
        };
        DeveloperRequirement: {
            status: "due" | "pending" | "satisfied";
        };
        DeveloperLimits: {
            agents: number | null;
            projects: number | null;
        };
        Developer: {
            object: "developer";
            developer_id: string;
            email: string;
            name: string | null;
            company_name: string | null;
            website: string | null;
            country: string | null;
            timezone: string;
            billing_email: string | null;
            notification_preferences: {
                [key: string]: boolean;
            };
            status: "pending_verification" | "active" | "suspended" | "closed";
            email_verified: boolean;
            registered_at: string | null;
            kyb: components["schemas"]["KybStatus"];
            mfa_enabled: boolean;
            auth_methods: ("password" | "github" | "google")[];
            live_access: boolean;
            capabilities: components["schemas"]["DeveloperCapabilities"];
            requirements: {
                [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            limits: components["schemas"]["DeveloperLimits"];
            default_policy_id: string | null;
            created_at: string;
            updated_at: string;
        };
        UpdateDashboardProfileRequest: {
            name?: string | null;
            company_name?: string | null;
            website?: string | null;
            country?: string | null;
            timezone?: string | null;
            billing_email?: string | null;
            notification_preferences?: {
                approvals?: boolean | null;
                caps?: boolean | null;
                security?: boolean | null;
                product?: boolean | null;
            } | null;
        };
        Amount: string;
        ProjectSpend: {
            project_id: string;
            name: string;
            monthly_cap: components["schemas"]["Amount"];
            spent: components["schemas"]["Amount"];
            reserved: components["schemas"]["Amount"];
            remaining: components["schemas"]["Amount"];
        };
        DashboardSpend: {
            currency: "usd";
            period_start: string;
            period_end: string;
            monthly_cap: components["schemas"]["Amount"];
            spent: components["schemas"]["Amount"];
            reserved: components["schemas"]["Amount"];
            projects: components["schemas"]["ProjectSpend"][];
            more: boolean;
        };
        BalanceTotal: {
            network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            token: "USDC" | "USDT" | "PYUSD" | "EURC";
            wallet_count: number;
            total: components["schemas"]["Amount"];
            available: components["schemas"]["Amount"];
            held: components["schemas"]["Amount"];
        };
        PaymentDay: {
            date: string;
            count: number;
            paid: components["schemas"]["Amount"];
        };
        PaymentCounts: {
            window_days: number;
            counted: number;
            is_complete: boolean;
            by_status: {
                [key: string]: number;
            };
            paid: components["schemas"]["Amount"];
            by_day: components["schemas"]["PaymentDay"][];
        };
        WaitingApproval: {
            approval_id: string;
            title: string;
            amount: components["schemas"]["Amount"] | null;
            currency: string | null;
            expires_at: string;
        };
        BrokenLink: {
            link_id: string;
            project_id: string;
            project_name: string;
            provider: string;
            status: "failed" | "expired";
        };
        Actor: {
            type: "developer" | "agent" | "admin" | "system";
            id: string;
        };
        WalletFreeze: {
            database: {
                frozen: boolean;
            };
            onchain: {
                status: "not_frozen" | "pending" | "confirmed" | "failed" | "unfreeze_pending" | "simulated";
                tx_hash: string | null;
                block_number: number | null;
            };
            mode: ("outgoing_only" | "full") | null;
            reason: ("compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other") | null;
            note: string | null;
            reference: string | null;
            frozen_by: components["schemas"]["Actor"] | null;
            frozen_at: string | null;
            expires_at: string | null;
        };
        FrozenWallet: {
            wallet_id: string;
            agent_id: string;
            agent_name: string;
            network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            freeze: components["schemas"]["WalletFreeze"];
        };
        EndingKey: {
            key_id: string;
            name: string;
            reason: "expires" | "grace_ends";
            ends_at: string;
        };
        BlockedProject: {
            project_id: string;
            name: string;
            status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            cap_reached: boolean;
        };
        UnpaidProject: {
            project_id: string;
            name: string;
            billing_status: "requires_payment_method" | "requires_action" | "past_due";
        };
        Attention: {
            approvals: {
                data: components["schemas"]["WaitingApproval"][];
                more: boolean;
            };
            links: {
                data: components["schemas"]["BrokenLink"][];
                more: boolean;
            };
            frozen_wallets: {
                data: components["schemas"]["FrozenWallet"][];
                more: boolean;
            };
            keys: {
                data: components["schemas"]["EndingKey"][];
                more: boolean;
            };
            projects: {
                data: components["schemas"]["BlockedProject"][];
                more: boolean;
            };
            billing: {
                data: components["schemas"]["UnpaidProject"][];
                more: boolean;
            };
        };
        Checklist: {
            email_verified: boolean;
            has_key: boolean;
            has_project: boolean;
            has_linked_provider: boolean;
            has_service: boolean;
            has_agent: boolean;
            has_wallet: boolean;
            has_payment: boolean;
        };
        DashboardOverview: {
            object: "dashboard_overview";
            mode: "live" | "test";
            as_of: string;
            spend: components["schemas"]["DashboardSpend"];
            balances: {
                as_of: string;
                data: components["schemas"]["BalanceTotal"][];
            };
            payments: components["schemas"]["PaymentCounts"];
            attention: components["schemas"]["Attention"];
            checklist: components["schemas"]["Checklist"];
        };
        InvalidField: {
            pointer: string;
            code: string;
            detail: string;
        };
        LimitDecision: {
            rule_id: string;
            policy_id?: string;
            policy_version?: number;
            limit: components["schemas"]["Amount"];
            used: components["schemas"]["Amount"];
            remaining: components["schemas"]["Amount"];
            resets_at: string | null;
        };
        RuleDecision: {
            rule_id: string;
            policy_id?: string;
            policy_version?: number;
        };
        KyaDecision: {
            gate: "kya";
            required_level: "none" | "basic" | "verified" | "attested";
            actual_level: "none" | "basic" | "verified" | "attested";
            missing: string[];
        };
        BalanceDecision: {
            available: components["schemas"]["Amount"];
            required: components["schemas"]["Amount"];
        };
        Decision: components["schemas"]["LimitDecision"] | components["schemas"]["RuleDecision"] | components["schemas"]["KyaDecision"] | components["schemas"]["BalanceDecision"];
        NextAction: {
            type: string;
            actor: "human" | "agent";
            url?: string;
            expires_at?: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: "authentication_failed" | "email_not_verified" | "insufficient_scope" | "admin_review_required" | "reauthentication_required" | "cross_origin" | "not_found" | "developer_not_found" | "api_key_not_found" | "session_not_found" | "identity_not_found" | "project_not_found" | "link_not_found" | "service_not_found" | "operation_not_found" | "agent_not_found" | "agent_suspended" | "kya_required" | "policy_denied" | "policy_not_found" | "approval_not_found" | "cap_exceeded" | "payment_method_required" | "provider_not_linked" | "tos_acceptance_required" | "insufficient_funds" | "wallet_frozen" | "wallet_not_found" | "wallet_already_exists" | "live_wallet" | "network_not_enabled" | "fiat_account_not_found" | "bank_link_not_found" | "conversion_not_found" | "quote_expired" | "kyb_required" | "provider_not_configured" | "unsupported_pair" | "network_unavailable" | "kill_switch_not_found" | "event_not_found" | "webhook_not_found" | "payment_not_found" | "not_refundable" | "link_in_use" | "invalid_state" | "not_upgradable" | "provider_error" | "provider_unavailable" | "variable_not_found" | "method_not_allowed" | "already_exists" | "conflict" | "account_changed" | "version_conflict" | "secret_already_issued" | "idempotency_in_flight" | "signature_replayed" | "payload_too_large" | "misdirected_request" | "expectation_failed" | "unsupported_media_type" | "validation_error" | "invalid_token" | "idempotency_conflict" | "rate_limited" | "headers_too_large" | "bad_request" | "request_timeout" | "internal_error" | "service_unavailable" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
            request_id: string;
            retryable: boolean;
            errors: components["schemas"]["InvalidField"][];
            decision?: components["schemas"]["Decision"];
            next_action?: components["schemas"]["NextAction"];
            wallet_id?: string;
        };
        DeveloperRegisterRequest: {
            company_name?: string;
            key_name?: string;
            mode?: "live" | "test";
            signature_alg?: "hmac-sha256" | "ed25519";
            public_key?: string;
            proof?: string;
        };
        ApiKey: {
            object: "api_key";
            key_id: string;
            name: string;
            mode: "live" | "test";
            key_prefix: string;
            key_hint: string;
            signature_alg: "hmac-sha256" | "ed25519";
            status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            scopes: ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            agent_ids: string[];
            project_ids: string[];
            ip_allowlist: string[];
            rate_limit_per_minute: number | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            created_by: string;
            expires_at: string | null;
            last_used_at: string | null;
            last_used_ip: string | null;
            rotated_from: string | null;
            replaced_by: string | null;
            grace_expires_at: string | null;
            revoked_at: string | null;
            revoke_reason: string | null;
        };
        RegisteredDeveloper: {
            developer: components["schemas"]["Developer"];
            key: components["schemas"]["ApiKey"];
            api_key: string;
            api_secret: string | null;
            warning: string;
        };
        SignupRequest: {
            email: string;
            password: string;
            captcha_token: string;
            name?: string;
            company_name?: string;
            country?: string;
            accept_terms_version?: string;
        };
        Signup: {
            status: "verification_sent";
            email: string;
            verification_expires_at: string;
        };
        Captcha: {
            [key: string]: unknown;
        };
        LoginCaptcha: {
            provider: "altcha" | "turnstile";
            site_key: string | null;
            action: string | null;
        };
        LoginOptions: {
            object: "login_options";
            identity_providers: ("github" | "google")[];
            captcha: components["schemas"]["LoginCaptcha"];
        };
        ResendVerificationRequest: {
            email: string;
            captcha_token?: string;
        };
        ResentVerification: {
            status: "accepted";
        };
        VerifiedEmail: {
            status: "verified";
            redirect_url: "/login?verified=1";
        };
        VerifyEmailRequest: {
            token: string;
        };
        KybCaseRequest: {
            legal_name: string;
            registration_number: string;
            jurisdiction: string;
        };
        KybCase: {
            object: "kyb_case";
            status: "none" | "pending" | "verified" | "rejected" | "revoked" | "expired";
            legal_name: string | null;
            registration_number: string | null;
            jurisdiction: string | null;
            submitted_at: string | null;
            decided_at: string | null;
            reason: string | null;
        };
        DeveloperKybVerifyRequest: {
            developer_id: string;
            status: "verified" | "rejected" | "revoked";
            legal_name?: string;
            registration_number?: string;
            jurisdiction?: string;
            reference?: string;
            note?: string;
            submitted_at?: string;
            expires_at?: string;
        };
        KybVerification: {
            object: "developer";
            developer_id: string;
            email: string;
            name: string | null;
            company_name: string | null;
            website: string | null;
            country: string | null;
            timezone: string;
            billing_email: string | null;
            notification_preferences: {
                [key: string]: boolean;
            };
            status: "pending_verification" | "active" | "suspended" | "closed";
            email_verified: boolean;
            registered_at: string | null;
            kyb: components["schemas"]["KybStatus"];
            mfa_enabled: boolean;
            auth_methods: ("password" | "github" | "google")[];
            live_access: boolean;
            capabilities: components["schemas"]["DeveloperCapabilities"];
            requirements: {
                [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            limits: components["schemas"]["DeveloperLimits"];
            default_policy_id: string | null;
            created_at: string;
            updated_at: string;
            audit_id: string;
        };
        PasswordForgotRequest: {
            email: string;
            captcha_token?: string;
        };
        RequestedPasswordReset: {
            status: "accepted";
        };
        PasswordResetRequest: {
            token: string;
            password: string;
            keep_keys?: boolean;
            revoke_keys?: boolean;
        };
        PasswordReset: {
            status: "password_reset";
        };
        EmailedTokenRequest: {
            token: string;
            purpose: "verify_email" | "reset_password" | "revoke_keys";
        };
        EmailedTokenKey: {
            key_id: string;
            key_hint: string;
            mode: "live" | "test";
            name: string;
            created_at: string;
            last_used_at: string | null;
        };
        EmailedToken: {
            object: "emailed_token";
            purpose: "verify_email" | "reset_password" | "revoke_keys";
            email: string;
            verified_at: string | null;
            ownership_confirmed: boolean | null;
            keys: components["schemas"]["EmailedTokenKey"][];
        };
        EmailedKeyRevocationRequest: {
            token: string;
        };
        RevokedKeys: {
            object: "revoked_keys";
            count: number;
        };
        AuthFailure: {
            object: "auth_failure";
            key_id: string | null;
            mode: "live" | "test";
            step: number;
            reason: "header_missing" | "mode_missing" | "timestamp_skewed" | "nonce_malformed" | "nonce_replayed" | "key_revoked" | "key_expired" | "network_not_allowed" | "signature_mismatch" | "signature_replayed";
            skew_seconds: number | null;
            network: string;
            count: number;
            first_at: string;
            occurred_at: string;
            request_id: string;
        };
        AuthFailureList: {
            object: "list";
            data: components["schemas"]["AuthFailure"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        LoggedRequest: {
            object: "logged_request";
            request_id: string;
            key_id: string;
            mode: "live" | "test";
            agent_id: string | null;
            method: string;
            path: string;
            status: number;
            error_code: string | null;
            duration_ms: number;
            created_at: string;
        };
        LoggedRequestList: {
            object: "list";
            data: components["schemas"]["LoggedRequest"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ApiKeyList: {
            object: "list";
            data: components["schemas"]["ApiKey"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        CreateApiKeyRequest: {
            name: string;
            signature_alg?: "hmac-sha256" | "ed25519";
            public_key?: string;
            proof?: string;
            scopes?: ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            project_ids?: string[];
            ip_allowlist?: string[];
            expires_at?: string | null;
            rate_limit_per_minute?: number | null;
            metadata?: {
                [key: string]: string;
            };
            mode?: "live" | "test";
            agent_ids?: string[];
        };
        IssuedApiKey: {
            object: "api_key";
            key_id: string;
            name: string;
            mode: "live" | "test";
            key_prefix: string;
            key_hint: string;
            signature_alg: "hmac-sha256" | "ed25519";
            status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            scopes: ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            agent_ids: string[];
            project_ids: string[];
            ip_allowlist: string[];
            rate_limit_per_minute: number | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            created_by: string;
            expires_at: string | null;
            last_used_at: string | null;
            last_used_ip: string | null;
            rotated_from: string | null;
            replaced_by: string | null;
            grace_expires_at: string | null;
            revoked_at: string | null;
            revoke_reason: string | null;
            api_key: string;
            api_secret: string | null;
        };
        RevokedApiKey: {
            object: "api_key";
            key_id: string;
            name: string;
            mode: "live" | "test";
            key_prefix: string;
            key_hint: string;
            signature_alg: "hmac-sha256" | "ed25519";
            status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            scopes: ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            agent_ids: string[];
            project_ids: string[];
            ip_allowlist: string[];
            rate_limit_per_minute: number | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            created_by: string;
            expires_at: string | null;
            last_used_at: string | null;
            last_used_ip: string | null;
            rotated_from: string | null;
            replaced_by: string | null;
            grace_expires_at: string | null;
            revoked_at: string | null;
            revoke_reason: string | null;
            warnings?: "last_live_key"[];
        };
        RotateApiKeyRequest: {
            grace_period_seconds?: number;
            reason?: "scheduled" | "compromised" | "personnel";
            public_key?: string;
            proof?: string;
        };
        ReplacedApiKey: {
            key_id: string;
            status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            grace_expires_at: string | null;
        };
        RotatedApiKey: {
            key: components["schemas"]["ApiKey"];
            api_key: string;
            api_secret: string | null;
            previous_key: components["schemas"]["ReplacedApiKey"];
        };
        ReplacedAccountPair: {
            key_id: string;
            revoked_at: string;
        };
        RotatedAccountPair: {
            api_key: string;
            api_secret: string | null;
            key: components["schemas"]["ApiKey"];
            previous_key: components["schemas"]["ReplacedAccountPair"] | null;
        };
        TestSignatureRequest: {
            method: string;
            path: string;
            timestamp: string;
            nonce?: string;
            body?: string;
            agent_id?: string;
            idempotency_key?: string;
        };
        TestSignature: {
            object: "test_signature";
            key_id: string;
            signature_alg: "hmac-sha256" | "ed25519";
            canonical: string;
            also_accepted: string[];
            body_hash: string;
            skew_seconds: number;
        };
        DeviceAuthorizationRequest: {
            client_name?: string;
            client_id?: string;
            scope?: string;
        } & {
            [key: string]: unknown;
        };
        DeviceAuthorization: {
            device_code: string;
            user_code: string;
            verification_uri: string;
            verification_uri_complete: string;
            expires_in: number;
            interval: number;
        };
        DeviceTokenRequest: {
            grant_type: "urn:ietf:params:oauth:grant-type:device_code";
            device_code: string;
            client_id?: string;
        } & {
            [key: string]: unknown;
        };
        DeviceToken: {
            developer_id: string;
            api_key: string;
            api_secret: string | null;
            key: components["schemas"]["ApiKey"];
        };
        OAuthProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: "authentication_failed" | "email_not_verified" | "insufficient_scope" | "admin_review_required" | "reauthentication_required" | "cross_origin" | "not_found" | "developer_not_found" | "api_key_not_found" | "session_not_found" | "identity_not_found" | "project_not_found" | "link_not_found" | "service_not_found" | "operation_not_found" | "agent_not_found" | "agent_suspended" | "kya_required" | "policy_denied" | "policy_not_found" | "approval_not_found" | "cap_exceeded" | "payment_method_required" | "provider_not_linked" | "tos_acceptance_required" | "insufficient_funds" | "wallet_frozen" | "wallet_not_found" | "wallet_already_exists" | "live_wallet" | "network_not_enabled" | "fiat_account_not_found" | "bank_link_not_found" | "conversion_not_found" | "quote_expired" | "kyb_required" | "provider_not_configured" | "unsupported_pair" | "network_unavailable" | "kill_switch_not_found" | "event_not_found" | "webhook_not_found" | "payment_not_found" | "not_refundable" | "link_in_use" | "invalid_state" | "not_upgradable" | "provider_error" | "provider_unavailable" | "variable_not_found" | "method_not_allowed" | "already_exists" | "conflict" | "account_changed" | "version_conflict" | "secret_already_issued" | "idempotency_in_flight" | "signature_replayed" | "payload_too_large" | "misdirected_request" | "expectation_failed" | "unsupported_media_type" | "validation_error" | "invalid_token" | "idempotency_conflict" | "rate_limited" | "headers_too_large" | "bad_request" | "request_timeout" | "internal_error" | "service_unavailable" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
            request_id: string;
            retryable: boolean;
            errors: components["schemas"]["InvalidField"][];
            decision?: components["schemas"]["Decision"];
            next_action?: components["schemas"]["NextAction"];
            wallet_id?: string;
            error: "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
        };
        PendingDeviceLogin: {
            object: "device_login";
            status: "pending";
            client_name: string;
            scopes: ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            network: string | null;
            user_agent: string | null;
            created_at: string;
            expires_at: string;
        };
        DeviceApprovalRequest: {
            user_code: string;
            approve?: boolean;
            password?: string;
            totp_code?: string;
        } & {
            [key: string]: unknown;
        };
        DeviceLogin: {
            object: "device_login";
            status: "approved" | "denied";
            client_name: string;
            key: components["schemas"]["ApiKey"] | null;
        };
        GitHubOAuthRequest: {
            code: string;
            state: string;
            redirect_uri?: string;
            code_verifier?: string;
        };
        IdentitySession: {
            access_token: string;
            refresh_token: string;
            token_type: "Bearer";
            expires_in: number;
            refresh_expires_in: number;
            developer: components["schemas"]["Developer"];
            created: boolean;
            linked: boolean;
        };
        IdentityMfaRequired: {
            mfa_required: true;
            mfa_token: string;
            methods: ("totp" | "recovery_code")[];
            created: boolean;
            linked: boolean;
        };
        IdentityLoginResult: components["schemas"]["IdentitySession"] | components["schemas"]["IdentityMfaRequired"];
        GitHubAuthorization: {
            state: string;
            authorization_url: string;
            expires_at: string;
        };
        GoogleOAuthRequest: {
            id_token: string;
            nonce?: string;
        };
        Identity: {
            object: "identity";
            provider: "github" | "google";
            email: string;
            linked_at: string;
            last_used_at: string;
        };
        IdentityList: {
            object: "list";
            data: components["schemas"]["Identity"][];
            has_more: false;
        };
        LoginProofRequest: {
            password?: string;
            totp_code?: string;
        };
        SecondFactorLoginRequest: {
            mfa_token?: string;
            code: string;
        };
        Session: {
            access_token: string;
            refresh_token: string;
            token_type: "Bearer";
            expires_in: number;
            refresh_expires_in: number;
            developer: components["schemas"]["Developer"];
        };
        DeveloperLoginRequest: {
            email: string;
            password: string;
            captcha_token?: string;
            totp_code?: string;
            verify_token?: string;
        };
        MfaRequired: {
            mfa_required: true;
            mfa_token: string;
            methods: ("totp" | "recovery_code")[];
        };
        LoginResult: components["schemas"]["Session"] | components["schemas"]["MfaRequired"];
        LogoutRequest: {
            refresh_token?: string;
            all_sessions?: boolean;
        };
        RefreshSessionRequest: {
            refresh_token?: string;
        };
        DashboardSession: {
            object: "session";
            session_id: string;
            current: boolean;
            created_at: string;
            last_used_at: string;
            ip: string | null;
            user_agent: string | null;
        };
        DashboardSessionList: {
            object: "list";
            data: components["schemas"]["DashboardSession"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        TotpEnrollment: {
            secret: string;
            otpauth_url: string;
        };
        TotpConfirmRequest: {
            code: string;
            password?: string;
            totp_code?: string;
        };
        RecoveryCodes: {
            recovery_codes: string[];
        };
        TotpDisableRequest: {
            code: string;
        };
        ProviderKeyVerification: {
            status: "verified" | "failed" | "unverified" | "unreachable";
            checked_at: string | null;
            detail: string | null;
        };
        ProviderKeys: {
            provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            kind: "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            configured: true;
            mode: "live" | "test";
            label: string | null;
            fields_configured: string[];
            version: number;
            verification: components["schemas"]["ProviderKeyVerification"];
            expires_at: string | null;
            last_used_at: string | null;
            updated_at: string;
            updated_by: string;
            audit_head: string;
        };
        NoProviderKeys: {
            provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            kind: "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            configured: false;
        };
        ProviderKeyStatus: components["schemas"]["ProviderKeys"] | components["schemas"]["NoProviderKeys"];
        ProviderKeysList: {
            object: "list";
            data: components["schemas"]["ProviderKeyStatus"][];
            has_more: false;
        };
        ProviderKeyRequest: {
            credentials: {
                api_key?: string;
                api_public_key?: string;
                api_private_key?: string;
                api_secret_pem?: string;
                organization_id?: string;
                vault_account_id?: string;
                sponsorship_policy_id?: string;
                chains?: string[];
                webhook_public_key?: string;
                environment?: "production" | "sandbox";
                base_url?: string;
                rpc_url?: string;
            };
            mode?: "live" | "test";
            label?: string | null;
            verify?: "report" | "required" | "skip";
            expires_at?: string | null;
            expected_version?: number;
        };
        RemovedProviderKeys: {
            provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            configured: false;
            deleted_at: string | null;
            audit_id: string | null;
        };
        AuditChainBreak: {
            sequence: number;
            reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
            expected: string | null;
            actual: string | null;
        };
        AuditAnchorStatus: {
            status: "matched" | "mismatch" | "pending" | "unavailable";
            type: "signed_checkpoint";
            anchored_sequence: number | null;
            anchored_hash: string | null;
            anchored_at: string | null;
            reference: string | null;
            unanchored_entries: number;
        };
        AuditVerification: {
            valid: boolean | null;
            chain: "tenant" | "provider_keys";
            entries_checked: number;
            first_sequence: number | null;
            last_sequence: number | null;
            genesis_hash: string;
            head_hash: string;
            broken_at: components["schemas"]["AuditChainBreak"] | null;
            anchor: components["schemas"]["AuditAnchorStatus"];
            truncation_detected: boolean;
            checked_at: string;
        };
        PaymentMethod: {
            id: string;
            type: string;
            brand?: string;
            last4?: string;
            exp_month?: number;
            exp_year?: number;
        };
        ProjectLink: {
            provider: string;
            status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
        };
        ProjectService: {
            service_id: string;
            service: string;
            status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
        };
        Project: {
            object: "project";
            project_id: string;
            mode: "live" | "test";
            name: string;
            slug: string;
            description: string | null;
            status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            monthly_cap: components["schemas"]["Amount"];
            currency: "usd";
            cap_behavior: "block" | "require_approval";
            provider_caps: {
                [key: string]: components["schemas"]["Amount"];
            };
            usage: {
                period_start: string;
                period_end: string;
                spent: components["schemas"]["Amount"];
                reserved: components["schemas"]["Amount"];
                remaining: components["schemas"]["Amount"];
            };
            billing: {
                customer_id: string | null;
                status: "none" | "requires_payment_method" | "requires_action" | "ready" | "past_due";
                default_payment_method: components["schemas"]["PaymentMethod"] | null;
            };
            environments: string[];
            links: components["schemas"]["ProjectLink"][];
            services: components["schemas"]["ProjectService"][];
            agent_ids: string[];
            policy_id: string | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            deleted_at: string | null;
        };
        ProjectList: {
            object: "list";
            data: components["schemas"]["Project"][];
            page?: number;
            per_page: number;
            has_more: boolean;
            next_cursor: string | null;
        };
        AmountInput: string | number;
        ProjectCreateRequest: {
            name: string;
            description?: string | null;
            monthly_cap?: components["schemas"]["AmountInput"];
            currency?: "usd";
            cap_behavior?: "block" | "require_approval";
            provider_caps?: {
                neon?: components["schemas"]["AmountInput"];
                supabase?: components["schemas"]["AmountInput"];
            };
            environments?: string[];
            agent_ids?: string[];
            policy_id?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        DeletionEffect: {
            service_id: string;
            effect: "destroyed" | "detached" | "failed";
            detail: string | null;
        };
        ProjectDeletion: {
            project_id: string;
            status: "deleting" | "deleted";
            services: components["schemas"]["DeletionEffect"][];
            kept_customer_id: string | null;
        };
        ProjectUpdateRequest: {
            name?: string;
            description?: string | null;
            monthly_cap?: components["schemas"]["AmountInput"];
            cap_behavior?: "block" | "require_approval";
            provider_caps?: {
                neon?: string | number | null;
                supabase?: string | number | null;
            } | null;
            agent_ids?: string[] | null;
            policy_id?: string | null;
            status?: "active";
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        Charge: {
            charge_id: string;
            service_id: string | null;
            provider: string | null;
            type: "subscription" | "usage" | "one_time" | "refund" | "adjustment";
            description: string;
            amount: components["schemas"]["Amount"];
            currency: "usd";
            status: "reserved" | "pending" | "succeeded" | "failed" | "released" | "refunded" | "disputed";
            agent_id: string | null;
            payment_id: string | null;
            billed_by: ("vendor" | "purser") | null;
            estimated: boolean;
            period_start: string;
            period_end: string;
            occurred_at: string;
        };
        ProjectOverview: {
            project_id: string;
            status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            cap: {
                monthly_cap: components["schemas"]["Amount"];
                currency: "usd";
                spent: components["schemas"]["Amount"];
                reserved: components["schemas"]["Amount"];
                remaining: components["schemas"]["Amount"];
                percent_used: number;
                behavior: "block" | "require_approval";
                period_start: string;
                period_end: string;
                forecast: components["schemas"]["Amount"];
            };
            by_provider: {
                provider: string;
                cap: components["schemas"]["Amount"] | null;
                spent: components["schemas"]["Amount"];
                reserved: components["schemas"]["Amount"];
            }[];
            recent_charges: components["schemas"]["Charge"][];
            services: components["schemas"]["ProjectService"][];
            links: components["schemas"]["ProjectLink"][];
            pending_actions: {
                type: "open_url" | "attach_payment_method" | "confirm_payment_method";
                reason: string;
                provider?: string;
                poll_url?: string;
            }[];
            warnings: ("cap_reached" | "cap_nearly_reached" | "forecast_over_cap")[];
            next_steps: string[];
        };
        ProjectDeletionPreview: {
            object: "project_deletion_preview";
            project_id: string;
            name: string;
            services: components["schemas"]["DeletionEffect"][];
            charges: {
                service_id: string | null;
                provider: string | null;
                description: string;
                amount: components["schemas"]["Amount"];
                currency: "usd";
                billed_by: ("vendor" | "purser") | null;
                estimated: boolean;
                period_start: string;
                period_end: string;
            }[];
            variables: number;
        };
        ChargeList: {
            object: "list";
            data: components["schemas"]["Charge"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        EnvBundle: {
            object: "env_bundle";
            project_id: string;
            environment: string;
            version: number;
            env: {
                [key: string]: string;
            } | null;
            variables: {
                name: string;
                source: "project" | "service";
                service_id?: string;
                credential_version?: number;
                sensitive: boolean;
                updated_at: string;
            }[];
            fingerprint: string;
            fingerprint_alg: "sha256";
            pulled_at: string;
            audit_id: string;
            warnings: string[];
        };
        EnvComparisonRequest: {
            environment: string;
            values: {
                [key: string]: string;
            };
            password?: string;
            totp_code?: string;
        };
        EnvComparison: {
            object: "env_comparison";
            environment: string;
            names: {
                name: string;
                result: "same" | "differs" | "missing" | "extra";
            }[];
        };
        Variable: {
            object: "variable";
            name: string;
            environments: string[];
            sensitive: boolean;
            version: number;
            updated_at: string;
        };
        VariableList: {
            object: "list";
            data: components["schemas"]["Variable"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        VariableSetRequest: {
            value: string;
            environments?: string[];
            sensitive?: boolean;
        };
        DeletedVariable: {
            object: "variable";
            name: string;
            environments: string[];
            deleted: true;
        };
        UnitPrice: {
            metric: string;
            unit_price: string;
        };
        CatalogPlan: {
            plan: string;
            pricing: {
                type: "free" | "paid" | "component" | "usage";
                amount?: string;
                currency?: "usd";
                interval?: "month" | "year";
                usage?: components["schemas"]["UnitPrice"][];
            };
            limits?: {
                [key: string]: number;
            };
            payment_method_required: boolean;
            preauthorization_amount?: string;
            billed_by: "vendor" | "purser";
            proration: "none" | "daily";
            allowed_updates: string[];
        };
        CatalogService: {
            service: string;
            kind: "plan" | "deployable" | "addon";
            description: string;
            async: boolean;
            credential_type: "single" | "multiple";
            deprovision_effect: "destroy" | "detach";
            config_schema: {
                [key: string]: unknown;
            };
            env_vars: {
                name: string;
                sensitive: boolean;
            }[];
            requires_plan: string[];
            plans: components["schemas"]["CatalogPlan"][];
            llm_context_url?: string;
            docs_url?: string;
        };
        CatalogProvider: {
            provider: string;
            display_name: string;
            categories: string[];
            auth: "oauth" | "api_token" | "instant";
            protocol: string;
            terms: {
                version: string;
                url: string;
            };
            regions: string[];
            health: "ok" | "degraded" | "down";
            services: components["schemas"]["CatalogService"][];
        };
        Catalog: {
            object: "list";
            catalog_version: string;
            data: components["schemas"]["CatalogProvider"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        Subject: {
            type: string;
            id: string;
        };
        Operation: {
            object: "operation";
            operation_id: string;
            project_id: string | null;
            mode: "live" | "test";
            type: "service.add" | "service.rotate" | "service.upgrade" | "service.remove" | "project.delete";
            status: "running" | "requires_approval" | "succeeded" | "failed" | "compensated" | "needs_operator";
            subject: components["schemas"]["Subject"];
            service_id: string | null;
            steps: {
                name: string;
                status: "pending" | "running" | "succeeded" | "failed" | "compensated" | "skipped";
                at: string | null;
            }[];
            error: components["schemas"]["Problem"] | null;
            expected_callback_seconds: number | null;
            poll_url: string | null;
            created_at: string;
            updated_at: string;
        };
        AuditEntryActor: {
            type: "developer" | "agent" | "admin" | "system";
            id: string;
            key_id: string | null;
            ip: string | null;
        };
        AuditEntry: {
            audit_id: string;
            chain: "tenant" | "provider_keys";
            tenant_id: string;
            mode: "live" | "test";
            sequence: number;
            actor: components["schemas"]["AuditEntryActor"];
            action: string;
            subject: components["schemas"]["Subject"];
            facts: {
                [key: string]: unknown;
            };
            request_id: string | null;
            occurred_at: string;
            prev_hash: string;
            hash: string;
        };
        AuditEntryList: {
            object: "list";
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AuditCheckpoint: {
            object: "audit_checkpoint";
            tenant_id: string;
            chain: "tenant" | "provider_keys";
            sequence: number;
            head_hash: string;
            time: string;
            prev_checkpoint_hash: string;
            checkpoint_hash: string;
            key_id: string;
            signature: string;
            anchored_at: string | null;
            reference: string | null;
        };
        AuditCheckpointList: {
            object: "list";
            data: components["schemas"]["AuditCheckpoint"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        PaymentMethodAttachRequest: {
            payment_method_id: string;
            set_default?: boolean;
            return_url?: string;
        };
        PaymentMethodAttachment: {
            customer_id: string;
            payment_method: components["schemas"]["PaymentMethod"];
            setup_intent: {
                id: string;
                status: "succeeded" | "requires_action" | "processing" | "requires_payment_method";
                client_secret: string | null;
                next_action: {
                    type: "open_url" | "use_client_secret";
                    actor: "human";
                    url?: string;
                } | null;
            };
        };
        Invoice: {
            object: "invoice";
            invoice_id: string;
            mode: "live" | "test";
            project_id: string;
            project_name: string;
            period: string;
            status: "preparing" | "open" | "paid" | "void" | "uncollectible";
            past_due: boolean;
            currency: "usd";
            amount: components["schemas"]["Amount"];
            charges: {
                charge_id: string;
                description: string;
                amount: components["schemas"]["Amount"];
            }[];
            has_more_charges: boolean;
            processor_invoice_id: string | null;
            created_at: string;
            updated_at: string;
            paid_at: string | null;
        };
        InvoiceList: {
            object: "list";
            data: components["schemas"]["Invoice"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        LinkProviderRequest: {
            provider: "neon" | "supabase";
            mode?: "auto" | "existing_account" | "new_account";
            scopes?: string[];
            region?: string;
            redirect_uri?: string;
            accept_terms_version?: string;
            force?: boolean;
        };
        Link: {
            object: "link";
            link_id: string;
            project_id: string;
            mode: "live" | "test";
            provider: string;
            flow: "oauth" | "api_token" | "instant";
            status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
            error: ("access_denied" | "exchange_failed" | "token_refused" | "provider_refused" | "provider_unavailable" | "other_account" | "project_not_active") | null;
            url: string | null;
            state: string | null;
            expires_at: string | null;
            poll_url: string;
            next_action: {
                type: "open_url";
                actor: "human";
            } | null;
            linked_at: string | null;
            account_label: string | null;
            scopes: string[];
            created_at: string;
            updated_at: string;
        };
        FinishedLink: {
            link_id: string;
            provider: string;
            status: "linked" | "failed";
            error: ("access_denied" | "exchange_failed" | "token_refused" | "provider_refused" | "provider_unavailable" | "other_account" | "project_not_active") | null;
        };
        LinkList: {
            object: "list";
            data: components["schemas"]["Link"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AddServiceRequest: {
            service?: string;
            provider?: string;
            service_slug?: string;
            name?: string;
            plan?: string;
            config?: {
                [key: string]: unknown;
            };
            region?: string;
            environments?: string[];
            env_prefix?: string;
            max_monthly_cost?: components["schemas"]["AmountInput"];
            accept_terms_version?: string;
            existing_resource_id?: string;
            agent_id?: string;
            metadata?: {
                [key: string]: string;
            };
        };
        CredentialPull: {
            key_id: string;
            version: number;
            pulled_at: string;
        };
        ServiceCredential: {
            version: number;
            type: "single" | "multiple";
            rotated_at: string | null;
            previous_valid_until: string | null;
            pulled_by?: components["schemas"]["CredentialPull"][];
            expires_at: string | null;
        };
        ServicePrice: {
            type: "free" | "paid" | "component" | "usage";
            amount?: components["schemas"]["Amount"];
            currency?: "usd";
            interval?: "month" | "year";
        };
        PendingPlan: {
            plan: string;
            effective_at: string;
        };
        ServiceNotification: {
            level: string;
            title: string;
            href: string;
        };
        Service: {
            object: "service";
            service_id: string;
            project_id: string;
            mode: "live" | "test";
            link_id: string;
            provider: string;
            service: string;
            name: string;
            plan: string;
            status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
            region: string;
            config: {
                [key: string]: unknown;
            };
            environments: string[];
            env_prefix: string | null;
            env_names: string[];
            credential: components["schemas"]["ServiceCredential"];
            pricing: components["schemas"]["ServicePrice"];
            allowed_updates: string[];
            pending_plan: components["schemas"]["PendingPlan"] | null;
            deprovision_effect: "destroy" | "detach";
            provider_resource_id: string | null;
            dashboard_url_available: boolean;
            notification: components["schemas"]["ServiceNotification"] | null;
            agent_id: string | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            removed_at: string | null;
        };
        Failure: {
            code: string;
            detail: string;
        };
        Approval: {
            object: "approval";
            approval_id: string;
            mode: "live" | "test";
            status: "pending" | "approved" | "denied" | "expired" | "canceled";
            subject: components["schemas"]["Subject"];
            agent_id: string | null;
            summary: {
                title: string;
                amount: components["schemas"]["Amount"] | null;
                currency: string | null;
                payee: string | null;
                reason: string | null;
                line_items: {
                    description: string;
                    amount: components["schemas"]["Amount"];
                }[];
                risk_flags: string[];
            };
            approve_url: string;
            approve_page_url: string;
            requested_by: components["schemas"]["Actor"];
            approvers: string[];
            votes: {
                decision: "approved" | "denied";
                by: components["schemas"]["Actor"];
                via: "api" | "dashboard" | "email_link";
                at: string;
                note: string | null;
            }[];
            rules: {
                policy_id: string | null;
                policy_version: number | null;
                rule_id: string;
            }[];
            expires_at: string;
            decided_at: string | null;
            long_poll_url: string;
            outcome?: {
                status: string;
                failure: components["schemas"]["Failure"] | null;
            };
            created_at: string;
            updated_at: string;
        };
        ServiceAddition: {
            service: components["schemas"]["Service"];
            operation: components["schemas"]["Operation"];
            env: {
                [key: string]: string;
            } | null;
            env_names: string[];
            fingerprint: string | null;
            expected_callback_seconds: number | null;
            poll_url: string | null;
            approval: components["schemas"]["Approval"] | null;
        };
        ServiceList: {
            object: "list";
            data: components["schemas"]["Service"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        RotateServiceRequest: {
            grace_period_seconds?: number;
            reason?: "scheduled" | "compromised" | "personnel";
            retire_previous?: boolean;
            confirm_downtime?: boolean;
        };
        ServiceRotation: {
            service_id: string;
            credential_version: number;
            mode: "overlap" | "immediate";
            status: "completed" | "pending";
            previous_valid_until: string | null;
            env_names: string[];
            changed: boolean;
            warnings: ("downtime" | "unchanged" | "not_verified" | "former_version_in_use" | "former_credential_not_retired")[];
            operation_id: string;
            poll_url: string | null;
        };
        ServiceRemoval: {
            object: "service";
            service_id: string;
            project_id: string;
            mode: "live" | "test";
            link_id: string;
            provider: string;
            service: string;
            name: string;
            plan: string;
            status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
            region: string;
            config: {
                [key: string]: unknown;
            };
            environments: string[];
            env_prefix: string | null;
            env_names: string[];
            credential: components["schemas"]["ServiceCredential"];
            pricing: components["schemas"]["ServicePrice"];
            allowed_updates: string[];
            pending_plan: components["schemas"]["PendingPlan"] | null;
            deprovision_effect: "destroy" | "detach";
            provider_resource_id: string | null;
            dashboard_url_available: boolean;
            notification: components["schemas"]["ServiceNotification"] | null;
            agent_id: string | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            removed_at: string | null;
            effect: "destroyed" | "detached";
            operation: components["schemas"]["Operation"];
            poll_url: string | null;
        };
        UpgradeServiceRequest: {
            plan: string;
            effective?: "immediate" | "period_end";
            max_monthly_cost?: components["schemas"]["AmountInput"];
            expected_current_plan?: string;
            accept_terms_version?: string;
        };
        ServiceUpgrade: {
            service: components["schemas"]["Service"];
            previous_plan: string;
            changed: boolean;
            price_change: {
                old: components["schemas"]["Amount"];
                new: components["schemas"]["Amount"];
                old_usage: components["schemas"]["UnitPrice"][];
                new_usage: components["schemas"]["UnitPrice"][];
                proration: components["schemas"]["Amount"];
            };
            status: "completed" | "pending";
            operation: components["schemas"]["Operation"] | null;
            poll_url: string | null;
            approval: components["schemas"]["Approval"] | null;
        };
        DeepLink: {
            object: "deep_link";
            url: string;
            expires_at: string | null;
        };
        AmountConditionInput: {
            gt?: components["schemas"]["AmountInput"];
            gte?: components["schemas"]["AmountInput"];
            lt?: components["schemas"]["AmountInput"];
            lte?: components["schemas"]["AmountInput"];
            eq?: components["schemas"]["AmountInput"];
        };
        PayeeCondition: {
            eq?: string;
            in?: string[];
            not_in?: string[];
        };
        TextCondition: {
            eq?: string;
            in?: string[];
            not_in?: string[];
        };
        KyaLevelCondition: {
            eq?: "none" | "basic" | "verified" | "attested";
            in?: ("none" | "basic" | "verified" | "attested")[];
            not_in?: ("none" | "basic" | "verified" | "attested")[];
        };
        TimeCondition: {
            inside?: string;
            outside?: string;
        };
        PolicyConditionsInput: {
            amount_usd?: components["schemas"]["AmountConditionInput"];
            monthly_cost_usd?: components["schemas"]["AmountConditionInput"];
            payee?: components["schemas"]["PayeeCondition"];
            network?: components["schemas"]["TextCondition"];
            token?: components["schemas"]["TextCondition"];
            provider?: components["schemas"]["TextCondition"];
            service?: components["schemas"]["TextCondition"];
            category?: components["schemas"]["TextCondition"];
            plan?: components["schemas"]["TextCondition"];
            kya_level?: components["schemas"]["KyaLevelCondition"];
            payee_first_seen?: boolean;
            time_utc?: components["schemas"]["TimeCondition"];
        };
        PolicyBudgetInput: {
            max: components["schemas"]["AmountInput"];
            currency?: "usd";
            period: "per_tx" | "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
        };
        PolicyCount: {
            max: number;
            period: "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
        };
        PolicyRuleInput: {
            id: string;
            effect: "allow" | "deny" | "limit" | "require_approval";
            operation?: "payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create" | "*";
            when?: components["schemas"]["PolicyConditionsInput"];
            budget?: components["schemas"]["PolicyBudgetInput"];
            count?: components["schemas"]["PolicyCount"];
            shared?: boolean;
        };
        PolicyApprovalsInput: {
            threshold_usd?: components["schemas"]["AmountInput"];
            approvers?: "role:owner"[];
            required?: number;
            expires_in_seconds?: number;
        };
        PolicyCreateRequest: {
            name: string;
            default?: "deny";
            applies_to?: {
                agent_ids?: string[];
                wallet_ids?: string[];
                project_ids?: string[];
            };
            rules: components["schemas"]["PolicyRuleInput"][];
            approvals?: components["schemas"]["PolicyApprovalsInput"];
        };
        AmountCondition: {
            gt?: components["schemas"]["Amount"];
            gte?: components["schemas"]["Amount"];
            lt?: components["schemas"]["Amount"];
            lte?: components["schemas"]["Amount"];
            eq?: components["schemas"]["Amount"];
        };
        PolicyConditions: {
            amount_usd?: components["schemas"]["AmountCondition"];
            monthly_cost_usd?: components["schemas"]["AmountCondition"];
            payee?: components["schemas"]["PayeeCondition"];
            network?: components["schemas"]["TextCondition"];
            token?: components["schemas"]["TextCondition"];
            provider?: components["schemas"]["TextCondition"];
            service?: components["schemas"]["TextCondition"];
            category?: components["schemas"]["TextCondition"];
            plan?: components["schemas"]["TextCondition"];
            kya_level?: components["schemas"]["KyaLevelCondition"];
            payee_first_seen?: boolean;
            time_utc?: components["schemas"]["TimeCondition"];
        };
        PolicyBudget: {
            max: components["schemas"]["Amount"];
            currency?: "usd";
            period: "per_tx" | "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
        };
        PolicyRule: {
            id: string;
            effect: "allow" | "deny" | "limit" | "require_approval";
            operation?: "payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create" | "*";
            when?: components["schemas"]["PolicyConditions"];
            budget?: components["schemas"]["PolicyBudget"];
            count?: components["schemas"]["PolicyCount"];
            shared?: boolean;
        };
        PolicyApprovals: {
            threshold_usd?: components["schemas"]["Amount"];
            approvers?: "role:owner"[];
            required?: number;
            expires_in_seconds?: number;
        };
        Policy: {
            object: "policy";
            policy_id: string;
            mode: "live" | "test";
            name: string;
            version: number;
            status: "active" | "deleted";
            default: "deny";
            starter: boolean;
            applies_to: {
                agent_ids: string[];
                wallet_ids: string[];
                project_ids: string[];
            };
            rules: components["schemas"]["PolicyRule"][];
            approvals: components["schemas"]["PolicyApprovals"];
            warnings?: {
                pointer: string;
                code: string;
                detail: string;
            }[];
            created_at: string;
            updated_at: string;
        };
        PolicyList: {
            object: "list";
            data: components["schemas"]["Policy"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        PolicyUpdateRequest: {
            name?: string;
            default?: "deny";
            applies_to?: {
                agent_ids?: string[];
                wallet_ids?: string[];
                project_ids?: string[];
            } | null;
            rules?: components["schemas"]["PolicyRuleInput"][];
            approvals?: {
                threshold_usd?: components["schemas"]["AmountInput"];
                approvers?: "role:owner"[];
                required?: number;
                expires_in_seconds?: number;
            } | null;
            version?: number;
        };
        PolicyRollbackRequest: {
            version: number;
        };
        PolicyFacts: {
            amount_usd?: components["schemas"]["AmountInput"];
            monthly_cost_usd?: components["schemas"]["AmountInput"];
            payee?: string;
            network?: string;
            token?: string;
            provider?: string;
            service?: string;
            category?: string;
            plan?: string;
            kya_level?: "none" | "basic" | "verified" | "attested";
            payee_first_seen?: boolean;
            time_utc?: string;
        };
        PolicyEvaluateRequest: {
            operation: "payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create";
            agent_id?: string;
            wallet_id?: string;
            project_id?: string;
            policy_id?: string;
            policy?: {
                rules: components["schemas"]["PolicyRuleInput"][];
                approvals?: components["schemas"]["PolicyApprovalsInput"];
            };
            facts?: components["schemas"]["PolicyFacts"];
        };
        PolicyEvaluation: {
            object: "policy_evaluation";
            outcome: "allow" | "require_approval" | "deny";
            policy_id: string | null;
            policy_version: number | null;
            rule_id: string;
            decision: components["schemas"]["Decision"] | null;
            policies: {
                policy_id: string | null;
                version: number | null;
                outcome: "allow" | "require_approval" | "deny";
                rule_id: string;
                rules: {
                    rule_id: string;
                    effect: "allow" | "deny" | "limit" | "require_approval";
                    matched: boolean;
                    reason: string;
                }[];
            }[];
        };
        PolicyBacktestRequest: {
            agent_id: string;
            rules?: components["schemas"]["PolicyRuleInput"][];
            approvals?: components["schemas"]["PolicyApprovalsInput"];
        };
        Backtest: {
            object: "backtest";
            policy_id: string;
            agent_id: string;
            from: string;
            to: string;
            decisions: number;
            truncated: boolean;
            totals: {
                allowed: number;
                refused: number;
                asked: number;
                allowed_usd: components["schemas"]["Amount"];
                refused_usd: components["schemas"]["Amount"];
                asked_usd: components["schemas"]["Amount"];
            };
            by_rule: {
                rule_id: string;
                refused: number;
                asked: number;
                amount_usd: components["schemas"]["Amount"];
            }[];
            by_day: {
                date: string;
                allowed: number;
                refused: number;
                asked: number;
                amount_usd: components["schemas"]["Amount"];
            }[];
        };
        AgentCreateRequest: {
            agent_id?: string;
            name: string;
            description?: string | null;
            software?: {
                name?: string;
                version?: string;
                model?: string;
            } | null;
            expires_at?: string | null;
            policy_id?: string | null;
            public_key?: string;
            proof?: string;
            parent_agent_id?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        AgentKya: {
            level: "none" | "basic" | "verified" | "attested";
            score: number | null;
            status: "passed" | "failed" | "pending" | "expired";
            evidence: {
                type: "developer_kyb" | "public_key" | "external_token";
                issuer?: string;
                status: "verified" | "proven" | "expired";
            }[];
            evaluated_at: string;
            expires_at: string | null;
            token_url: string;
        };
        PeriodBudget: {
            limit: components["schemas"]["Amount"];
            used: components["schemas"]["Amount"];
            remaining: components["schemas"]["Amount"];
        };
        Agent: {
            object: "agent";
            agent_id: string;
            mode: "live" | "test";
            name: string;
            description: string | null;
            status: "active" | "suspended" | "revoked" | "expired";
            owner_developer_id: string;
            project_ids: string[];
            policy_id: string | null;
            kya: components["schemas"]["AgentKya"];
            public_keys: {
                kid: string;
                alg: "ed25519";
                public_key: string;
            }[];
            software: {
                name?: string;
                version?: string;
                model?: string;
            } | null;
            budget: {
                currency: "usd";
                daily: components["schemas"]["PeriodBudget"] | null;
                monthly: components["schemas"]["PeriodBudget"] | null;
            } | null;
            expires_at: string | null;
            parent_agent_id: string | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
        };
        AgentList: {
            object: "list";
            data: components["schemas"]["Agent"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AgentUpdateRequest: {
            name?: string;
            description?: string | null;
            software?: {
                name?: string;
                version?: string;
                model?: string;
            } | null;
            expires_at?: string | null;
            policy_id?: string | null;
            public_key?: string;
            proof?: string;
            metadata?: {
                [key: string]: string | null;
            } | null;
            external_token?: string | null;
        };
        AgentLimit: {
            policy_id: string;
            policy_name: string;
            policy_version: number;
            rule_id: string;
            operation: ("payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create") | null;
            conditional: boolean;
            kind: "budget" | "count";
            window: "per_tx" | "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
            shared: boolean;
            agent_id: string | null;
            wallet_id: string | null;
            project_id: string | null;
            currency: "usd" | null;
            limit: string;
            spent: string;
            reserved: string;
            remaining: string;
            resets_at: string | null;
        };
        AgentCap: {
            rule_id: "project_cap" | "provider_cap";
            project_id: string;
            project_name: string;
            provider: string | null;
            cap_behavior: "block" | "require_approval";
            window: "calendar_month";
            currency: "usd";
            limit: components["schemas"]["Amount"];
            spent: components["schemas"]["Amount"];
            reserved: components["schemas"]["Amount"];
            remaining: components["schemas"]["Amount"];
            resets_at: string;
        };
        AgentBudgets: {
            object: "agent_budgets";
            agent_id: string;
            mode: "live" | "test";
            limits: components["schemas"]["AgentLimit"][];
            caps: components["schemas"]["AgentCap"][];
            as_of: string;
        };
        AgentStatusRequest: {
            reason?: string;
        };
        CreateAgentKeyRequest: {
            name: string;
            signature_alg?: "hmac-sha256" | "ed25519";
            public_key?: string;
            proof?: string;
            scopes?: ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            project_ids?: string[];
            ip_allowlist?: string[];
            expires_at?: string | null;
            rate_limit_per_minute?: number | null;
            metadata?: {
                [key: string]: string;
            };
        };
        KyaToken: {
            object: "kya_token";
            token: string;
            expires_at: string;
            jwks_url: string;
        };
        WalletCreateRequest: {
            agent_id: string;
            network: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
            name?: string | null;
            account_type?: "erc4337_v0.8";
            deploy?: "counterfactual" | "immediate";
            gas?: "sponsored";
            policy_id?: string | null;
            recovery_address?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        WalletBalance: {
            token: "USDC" | "USDT" | "PYUSD" | "EURC";
            contract: string | null;
            decimals: number;
            total: components["schemas"]["Amount"];
            available: components["schemas"]["Amount"];
            held: components["schemas"]["Amount"];
            base_units: string;
            usd_value: components["schemas"]["Amount"] | null;
        };
        Wallet: {
            object: "wallet";
            wallet_id: string;
            mode: "live" | "test";
            agent_id: string;
            name: string | null;
            network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            chain_id: string;
            address: string;
            account_type: "erc4337_v0.8";
            entry_point: string;
            factory: string;
            salt: string;
            owner: string;
            recovery_address: string | null;
            deployment_status: "counterfactual" | "deploying" | "deployed" | "failed";
            deployment_tx: string | null;
            status: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            gas: "sponsored";
            policy_id: string | null;
            freeze: components["schemas"]["WalletFreeze"];
            balances: components["schemas"]["WalletBalance"][];
            balances_as_of: string;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
        };
        WalletList: {
            object: "list";
            data: components["schemas"]["Wallet"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AgentWallets: {
            object: "list";
            agent_id: string;
            data: components["schemas"]["Wallet"][];
        };
        WalletUpdateRequest: {
            name?: string | null;
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
        WalletBalances: {
            object: "wallet_balances";
            wallet_id: string;
            network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            balances: components["schemas"]["WalletBalance"][];
            source: "cache" | "database" | "chain";
            as_of: string;
            stale: boolean;
        };
        WalletActivity: {
            object: "wallet_activity";
            activity_id: string;
            type: "deposit" | "payment" | "refund" | "freeze" | "unfreeze";
            wallet_id: string;
            token: ("USDC" | "USDT" | "PYUSD" | "EURC") | null;
            direction: ("in" | "out") | null;
            amount: components["schemas"]["Amount"] | null;
            signed_amount: string | null;
            captured_amount: components["schemas"]["Amount"] | null;
            status: ("requires_approval" | "approved" | "queued" | "signing" | "submitted" | "confirmed" | "authorized" | "captured" | "voided" | "denied" | "rejected" | "expired" | "canceled" | "failed" | "dropped" | "refunded" | "partially_refunded" | "pending") | null;
            tx_hash: string | null;
            payment_id: string | null;
            freeze: {
                mode: "outgoing_only" | "full";
                source: "developer" | "admin";
                reason: ("compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other") | null;
                note: string | null;
                reference: string | null;
                by: components["schemas"]["Actor"];
            } | null;
            created_at: string;
        };
        WalletActivityList: {
            object: "list";
            data: components["schemas"]["WalletActivity"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        PositiveAmountInput: string | number;
        WalletFundRequest: {
            amount: components["schemas"]["PositiveAmountInput"];
            token?: "USDC" | "USDT" | "PYUSD" | "EURC";
        };
        WalletFunding: {
            object: "wallet_funding";
            funding_id: string;
            wallet_id: string;
            token: "USDC" | "USDT" | "PYUSD" | "EURC";
            amount: components["schemas"]["Amount"];
            balances: components["schemas"]["WalletBalance"][];
            mode: "test";
            created_at: string;
        };
        WalletFreezeRequest: {
            reason: "compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other";
            note?: string;
            reference?: string;
            review_reference?: string;
            expires_at?: string;
            scope?: "wallet" | "agent";
            mode?: "outgoing_only" | "full";
        };
        RevocationProof: {
            revocation_id: string;
            decision_hash: string;
            signature: string;
            alg: "ed25519";
            kid: string;
        };
        WalletFreezeReport: {
            wallet_id: string;
            mode: "live" | "test";
            status: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            freeze: components["schemas"]["WalletFreeze"];
            onchain: {
                status: "not_frozen" | "pending" | "confirmed" | "failed" | "unfreeze_pending" | "simulated";
                user_op_hash: string | null;
                tx_hash: string | null;
                block_number: number | null;
            };
            blocked: {
                payments_canceled: number;
                user_ops_dropped: number;
                user_ops_already_mined: number;
            };
            proof: components["schemas"]["RevocationProof"];
        };
        WalletUnfreezeRequest: {
            reason?: "compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other";
            note?: string;
            reference?: string;
            review_reference?: string;
        };
        PaymentSendRequest: {
            agent_id: string;
            amount: components["schemas"]["PositiveAmountInput"];
            token?: string;
            network?: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
            wallet_id?: string;
            to: string | {
                type: "address" | "agent" | "wallet" | "x402_url" | "merchant";
                value: string;
            };
            purpose?: string;
            reference?: string;
            execution?: "auto" | "authorize_only";
            max_fee?: components["schemas"]["AmountInput"];
            expires_at?: string;
            project_id?: string;
            mandate?: unknown;
            simulate?: boolean;
            metadata?: {
                [key: string]: string;
            };
        };
        PaymentPayee: {
            type: "address" | "agent" | "wallet" | "x402_url" | "merchant";
            value: string;
            address: string;
            wallet_id: string | null;
        };
        PolicyVerdict: {
            outcome: "allow" | "require_approval" | "deny";
            policy_id: string | null;
            policy_version: number | null;
            rule_id: string | null;
            kya_level: "none" | "basic" | "verified" | "attested";
            screening: null;
        };
        PaymentFee: {
            type: "network";
            amount: components["schemas"]["Amount"];
            sponsored: boolean;
        };
        PaymentOnchain: {
            user_op_hash: string;
            tx_hash: string | null;
            nonce_key: string;
            block_number: number | null;
            confirmations: number;
        };
        Payment: {
            object: "payment";
            payment_id: string;
            mode: "live" | "test";
            agent_id: string;
            wallet_id: string;
            network: string;
            token: string;
            amount: components["schemas"]["Amount"];
            paid_amount: components["schemas"]["Amount"] | null;
            refunded_amount: components["schemas"]["Amount"];
            to: components["schemas"]["PaymentPayee"];
            status: "requires_approval" | "approved" | "queued" | "signing" | "submitted" | "confirmed" | "authorized" | "captured" | "voided" | "denied" | "rejected" | "expired" | "canceled" | "failed" | "dropped" | "refunded" | "partially_refunded";
            execution: "auto" | "authorize_only";
            purpose: string | null;
            reference: string | null;
            decision: components["schemas"]["PolicyVerdict"];
            project_id: string | null;
            reservation: {
                reservation_id: string;
                amount: components["schemas"]["Amount"];
            } | null;
            fees: components["schemas"]["PaymentFee"][];
            onchain: components["schemas"]["PaymentOnchain"] | null;
            approval: {
                approval_id: string;
                approve_url: string;
                approve_page_url: string;
                long_poll_url: string;
            } | null;
            failure: components["schemas"]["Failure"] | null;
            receipt: {
                payment_id: string;
                chain_id: string | null;
                hash: string;
                signature: string;
                alg: "ed25519";
                kid: string;
            } | null;
            metadata: {
                [key: string]: string;
            };
            expires_at: string | null;
            created_at: string;
            settled_at: string | null;
            updated_at: string;
        };
        PaymentSimulation: {
            object: "payment_simulation";
            outcome: "allow" | "require_approval" | "deny";
            mode: "live" | "test";
            agent_id: string;
            wallet_id: string;
            network: string;
            token: string;
            amount: components["schemas"]["Amount"];
            fees: components["schemas"]["PaymentFee"][];
            to: components["schemas"]["PaymentPayee"];
            project_id: string | null;
            decision: components["schemas"]["PolicyVerdict"];
            refusal: components["schemas"]["Problem"] | null;
        };
        PaymentOrSimulation: components["schemas"]["Payment"] | components["schemas"]["PaymentSimulation"];
        PaymentList: {
            object: "list";
            data: components["schemas"]["Payment"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        CapturePaymentRequest: {
            amount?: components["schemas"]["PositiveAmountInput"];
        };
        VoidPaymentRequest: Record<string, never>;
        RefundPaymentRequest: {
            amount?: components["schemas"]["PositiveAmountInput"];
            reason?: string;
        };
        CancelPaymentRequest: Record<string, never>;
        LinkAccountRequest: {
            account_holder_type?: "individual" | "business";
            country_codes?: "US"[];
            language?: "en" | "es" | "fr";
            redirect_uri?: string;
            account_subtypes?: ("checking" | "savings")[];
            account_id?: string;
            verification_method?: "instant" | "micro_deposit";
            webhook_ref?: string;
        };
        LinkToken: {
            object: "link_token";
            link_token: string;
            expiration: string;
            hosted_link_url: null;
            request_id: string;
        };
        VerifyAccountRequest: {
            public_token: string;
            account_id: string;
            institution_id?: string;
            institution_name?: string;
            account_holder?: {
                type?: "individual" | "business";
                legal_name?: string;
                email?: string;
                phone?: string;
                address?: {
                    line1: string;
                    line2?: string;
                    city: string;
                    state: string;
                    postal_code: string;
                    country: string;
                };
            };
            consent_version?: string;
        };
        FiatAccount: {
            object: "fiat_account";
            account_id: string;
            institution_name: string | null;
            name: string;
            mask: string | null;
            type: string;
            subtype: "checking" | "savings";
            currency: "usd";
            country: "US";
            status: "pending_verification" | "verified" | "relink_required" | "disabled" | "removed";
            verification: {
                method: "instant" | "micro_deposit";
                status: "pending" | "automatically_verified" | "failed";
            };
            capabilities: ("ach_push" | "ach_credit" | "wire")[];
            kyc_status: "approved" | "pending" | "review" | "rejected";
            provider: "plaid";
            created_at: string;
            relink_required_at: string | null;
        };
        VerifiedAccount: {
            account: components["schemas"]["FiatAccount"];
            kyc: {
                status: "approved" | "pending" | "review" | "rejected";
                screening: {
                    sanctions: "clear" | "hit" | "pending";
                };
                requirements: {
                    identity_check?: {
                        status: "due";
                        url: string;
                    };
                    terms?: {
                        status: "due";
                        url: string;
                    };
                };
            };
        };
        FiatAccountList: {
            object: "list";
            data: components["schemas"]["FiatAccount"][];
            has_more: false;
        };
        ExchangeRate: {
            object: "exchange_rate";
            source: string;
            dest: string;
            rate: string;
            inverse_rate: string;
            mid_rate: string;
            spread_bps: number;
            provider: "bridge";
            as_of: string;
            expires_at: string;
        };
        OnRampRequest: {
            source_account_id: string;
            wallet_id?: string;
            destination_address?: string;
            network?: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
            payment_rail?: string;
            amount: components["schemas"]["PositiveAmountInput"];
            amount_type?: "source" | "target";
            currency?: string;
            token?: string;
            project_id?: string;
            quote_id?: string;
            execute?: boolean;
            validate_only?: boolean;
            max_fee?: components["schemas"]["AmountInput"];
            external_reference_id?: string;
            metadata?: {
                [key: string]: string;
            };
        };
        ConversionBankSide: {
            type: "fiat_account";
            account_id: string;
            mask: string | null;
            amount: components["schemas"]["Amount"];
            currency: "usd";
            payment_rail: string;
        };
        ConversionWalletSide: {
            type: "wallet";
            wallet_id: string;
            network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            amount: components["schemas"]["Amount"];
            token: "usdc";
        };
        Conversion: {
            object: "conversion";
            conversion_id: string | null;
            direction: "on_ramp" | "off_ramp";
            status: "quoted" | "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "completed" | "undeliverable" | "returned" | "missing_return_policy" | "refund_in_flight" | "refunded" | "refund_failed" | "canceled" | "expired" | "failed";
            source: components["schemas"]["ConversionBankSide"] | components["schemas"]["ConversionWalletSide"];
            destination: components["schemas"]["ConversionBankSide"] | components["schemas"]["ConversionWalletSide"];
            rate: components["schemas"]["Amount"];
            fees: {
                type: "provider" | "network";
                amount: components["schemas"]["Amount"];
                currency: "usd";
            }[];
            quote: {
                quote_id: string;
                expires_at: string;
            } | null;
            deposit_instructions: {
                bank_name: string | null;
                account_number: string | null;
                routing_number: string | null;
                reference: string | null;
            } | null;
            trace: {
                tx_hash: string | null;
                tx_final: boolean;
                ach_trace_number: string | null;
                imad: string | null;
            };
            provider: "bridge";
            provider_reference: string | null;
            failure: components["schemas"]["Failure"] | null;
            return_reason: string | null;
            timeline: {
                status: "quoted" | "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "completed" | "undeliverable" | "returned" | "missing_return_policy" | "refund_in_flight" | "refunded" | "refund_failed" | "canceled" | "expired" | "failed";
                at: string;
            }[];
            expected_completion_at: string | null;
            agent_id: string | null;
            project_id: string | null;
            payment_reserved: boolean;
            external_reference_id: string | null;
            metadata: {
                [key: string]: string;
            };
            created_at: string;
            updated_at: string;
            completed_at: string | null;
        };
        OffRampRequest: {
            wallet_id: string;
            destination_account_id: string;
            payment_rail?: string;
            statement_descriptor?: string;
            amount: components["schemas"]["PositiveAmountInput"];
            amount_type?: "source" | "target";
            currency?: string;
            token?: string;
            project_id?: string;
            quote_id?: string;
            execute?: boolean;
            validate_only?: boolean;
            max_fee?: components["schemas"]["AmountInput"];
            external_reference_id?: string;
            metadata?: {
                [key: string]: string;
            };
        };
        ConversionList: {
            object: "list";
            data: components["schemas"]["Conversion"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ApprovalList: {
            object: "list";
            data: components["schemas"]["Approval"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        DecideApprovalRequest: {
            note?: string;
        };
        KillSwitchRequest: {
            scope: "agent" | "project" | "developer";
            id: string;
            reason: string;
            onchain?: boolean;
            rotate_env?: boolean;
        };
        KillSwitchCounts: {
            type: "project" | "agent" | "wallet" | "approval" | "payment" | "project_env" | "api_key";
            killed: number;
            already_dead: number;
            blocked_pending: number;
            failed: number;
        };
        KillSwitch: {
            object: "kill_switch";
            kill_switch_id: string;
            mode: "live" | "test";
            scope: "agent" | "project" | "developer";
            id: string;
            reason: string;
            onchain: boolean;
            rotate_env: boolean;
            status: "running" | "completed" | "blocked_pending";
            run: number;
            triggered_by: components["schemas"]["Subject"];
            counts: components["schemas"]["KillSwitchCounts"][];
            created_at: string;
            completed_at: string | null;
            updated_at: string;
            targets: {
                type: "project" | "agent" | "wallet" | "approval" | "payment" | "project_env" | "api_key";
                id: string;
                outcome: "killed" | "already_dead" | "blocked_pending" | "failed";
                onchain: ("simulated" | "confirmed" | "blocked_pending" | "failed") | null;
                detail: string | null;
            }[];
            targets_omitted: number;
            proof: components["schemas"]["RevocationProof"] | null;
        };
        KillSwitchSummary: {
            object: "kill_switch";
            kill_switch_id: string;
            mode: "live" | "test";
            scope: "agent" | "project" | "developer";
            id: string;
            reason: string;
            onchain: boolean;
            rotate_env: boolean;
            status: "running" | "completed" | "blocked_pending";
            run: number;
            triggered_by: components["schemas"]["Subject"];
            counts: components["schemas"]["KillSwitchCounts"][];
            created_at: string;
            completed_at: string | null;
            updated_at: string;
        };
        KillSwitchSummaryList: {
            object: "list";
            data: components["schemas"]["KillSwitchSummary"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        EventTypePattern: "*" | "developer.*" | "api_key.*" | "provider_key.*" | "audit.*" | "project.*" | "link.*" | "service.*" | "env.*" | "payment_method.*" | "charge.*" | "agent.*" | "policy.*" | "approval.*" | "wallet.*" | "payment.*" | "conversion.*" | "fiat_account.*" | "kill_switch.*" | "webhook.*" | "developer.email_verified" | "developer.kyb_updated" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.grace_ending" | "api_key.auth_failures_spike" | "provider_key.saved" | "provider_key.deleted" | "provider_key.verification_failed" | "provider_key.expiring" | "audit.anchor_mismatch" | "project.created" | "project.updated" | "project.deleted" | "project.cap_threshold_reached" | "project.cap_exceeded_blocked" | "link.completed" | "link.failed" | "link.expired" | "link.revoked" | "service.provisioning" | "service.active" | "service.failed" | "service.plan_changed" | "service.plan_change_scheduled" | "service.plan_change_canceled" | "service.plan_change_failed" | "service.rotated" | "service.rotation_pending" | "service.removed" | "service.resource_missing" | "service.resource_found" | "env.pulled" | "env.changed" | "payment_method.attached" | "payment_method.requires_action" | "charge.succeeded" | "charge.failed" | "charge.refunded" | "agent.created" | "agent.updated" | "agent.suspended" | "agent.resumed" | "agent.revoked" | "agent.expired" | "agent.kya_changed" | "policy.created" | "policy.updated" | "policy.rolled_back" | "approval.requested" | "approval.approved" | "approval.denied" | "approval.expired" | "approval.canceled" | "wallet.created" | "wallet.updated" | "wallet.deployed" | "wallet.deployment_failed" | "wallet.frozen" | "wallet.freeze_onchain_pending" | "wallet.freeze_onchain_confirmed" | "wallet.freeze_onchain_failed" | "wallet.freeze_onchain_lifted" | "wallet.unfrozen" | "wallet.deposit_received" | "payment.requires_approval" | "payment.queued" | "payment.submitted" | "payment.confirmed" | "payment.authorized" | "payment.captured" | "payment.voided" | "payment.denied" | "payment.expired" | "payment.canceled" | "payment.failed" | "payment.dropped" | "payment.refunded" | "payment.capture_refused" | "payment.void_refused" | "payment.refund_refused" | "conversion.quoted" | "conversion.awaiting_funds" | "conversion.in_review" | "conversion.funds_received" | "conversion.payment_submitted" | "conversion.completed" | "conversion.undeliverable" | "conversion.returned" | "conversion.missing_return_policy" | "conversion.refund_in_flight" | "conversion.refunded" | "conversion.refund_failed" | "conversion.canceled" | "conversion.expired" | "conversion.failed" | "fiat_account.verified" | "fiat_account.relink_required" | "fiat_account.disabled" | "kill_switch.triggered" | "kill_switch.reconciled" | "kill_switch.completed" | "kill_switch.blocked_pending" | "webhook.disabled";
        Event: {
            object: "event";
            id: string;
            type: "developer.email_verified" | "developer.kyb_updated" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.grace_ending" | "api_key.auth_failures_spike" | "provider_key.saved" | "provider_key.deleted" | "provider_key.verification_failed" | "provider_key.expiring" | "audit.anchor_mismatch" | "project.created" | "project.updated" | "project.deleted" | "project.cap_threshold_reached" | "project.cap_exceeded_blocked" | "link.completed" | "link.failed" | "link.expired" | "link.revoked" | "service.provisioning" | "service.active" | "service.failed" | "service.plan_changed" | "service.plan_change_scheduled" | "service.plan_change_canceled" | "service.plan_change_failed" | "service.rotated" | "service.rotation_pending" | "service.removed" | "service.resource_missing" | "service.resource_found" | "env.pulled" | "env.changed" | "payment_method.attached" | "payment_method.requires_action" | "charge.succeeded" | "charge.failed" | "charge.refunded" | "agent.created" | "agent.updated" | "agent.suspended" | "agent.resumed" | "agent.revoked" | "agent.expired" | "agent.kya_changed" | "policy.created" | "policy.updated" | "policy.rolled_back" | "approval.requested" | "approval.approved" | "approval.denied" | "approval.expired" | "approval.canceled" | "wallet.created" | "wallet.updated" | "wallet.deployed" | "wallet.deployment_failed" | "wallet.frozen" | "wallet.freeze_onchain_pending" | "wallet.freeze_onchain_confirmed" | "wallet.freeze_onchain_failed" | "wallet.freeze_onchain_lifted" | "wallet.unfrozen" | "wallet.deposit_received" | "payment.requires_approval" | "payment.queued" | "payment.submitted" | "payment.confirmed" | "payment.authorized" | "payment.captured" | "payment.voided" | "payment.denied" | "payment.expired" | "payment.canceled" | "payment.failed" | "payment.dropped" | "payment.refunded" | "payment.capture_refused" | "payment.void_refused" | "payment.refund_refused" | "conversion.quoted" | "conversion.awaiting_funds" | "conversion.in_review" | "conversion.funds_received" | "conversion.payment_submitted" | "conversion.completed" | "conversion.undeliverable" | "conversion.returned" | "conversion.missing_return_policy" | "conversion.refund_in_flight" | "conversion.refunded" | "conversion.refund_failed" | "conversion.canceled" | "conversion.expired" | "conversion.failed" | "fiat_account.verified" | "fiat_account.relink_required" | "fiat_account.disabled" | "kill_switch.triggered" | "kill_switch.reconciled" | "kill_switch.completed" | "kill_switch.blocked_pending" | "webhook.disabled" | "webhook.test";
            api_version: string;
            mode: "live" | "test";
            sequence: number | null;
            subject: {
                type: string;
                id: string;
                version: number | null;
            };
            occurred_at: string;
            data: {
                object: {
                    [key: string]: unknown;
                };
                previous: {
                    [key: string]: unknown;
                } | null;
            };
            request_id: string | null;
            actor: components["schemas"]["Actor"];
        };
        EventList: {
            object: "list";
            data: components["schemas"]["Event"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        CreateWebhookRequest: {
            url: string;
            event_types: components["schemas"]["EventTypePattern"][];
            description?: string | null;
            project_ids?: string[];
            agent_ids?: string[];
            enabled?: boolean;
        };
        WebhookWithSecret: {
            object: "webhook";
            webhook_id: string;
            mode: "live" | "test";
            url: string;
            description: string | null;
            event_types: string[];
            project_ids: string[];
            agent_ids: string[];
            enabled: boolean;
            disabled_reason: ("failing" | "gone") | null;
            failing_since: string | null;
            created_at: string;
            updated_at: string;
            secret: string;
            previous_secret_expires_at: string | null;
        };
        Webhook: {
            object: "webhook";
            webhook_id: string;
            mode: "live" | "test";
            url: string;
            description: string | null;
            event_types: string[];
            project_ids: string[];
            agent_ids: string[];
            enabled: boolean;
            disabled_reason: ("failing" | "gone") | null;
            failing_since: string | null;
            created_at: string;
            updated_at: string;
        };
        WebhookList: {
            object: "list";
            data: components["schemas"]["Webhook"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        UpdateWebhookRequest: {
            url?: string;
            event_types?: components["schemas"]["EventTypePattern"][];
            description?: string | null;
            project_ids?: string[];
            agent_ids?: string[];
            enabled?: boolean;
        };
        WebhookDelivery: {
            object: "webhook_delivery";
            webhook_id: string;
            event_id: string;
            event_type: string;
            status: "pending" | "delivered" | "failed";
            attempts: number;
            attempted_at: string | null;
            next_attempt_at: string | null;
            response_status: number | null;
            response_body: string | null;
            error: string | null;
            duration_ms: number | null;
            created_at: string;
        };
        ReplayWebhookRequest: {
            since?: string;
            event_ids?: string[];
        };
        WebhookReplay: {
            object: "webhook_replay";
            webhook_id: string;
            since: string | null;
            event_ids: string[];
        };
        WebhookDeliveryList: {
            object: "list";
            data: components["schemas"]["WebhookDelivery"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ServerTime: {
            unix: number;
            iso: string;
        };
        Limit: {
            name: "requests";
            scope: "key";
            limit: number;
            remaining: number;
            reset_seconds: number;
            policy: string;
        };
        LimitList: {
            object: "limits";
            data: components["schemas"]["Limit"][];
        };
        AdminLoginRequest: {
            email: string;
            password: string;
        };
        AdminLoginChallenge: {
            mfa_token: string;
            expires_in: number;
        };
        AdminTotpRequest: {
            mfa_token: string;
            code: string;
        };
        AdminSession: {
            access_token: string;
            token_type: "Bearer";
            expires_in: number;
        };
        AdminIdentity: {
            object: "admin";
            admin_id: string;
            email: string;
            expires_at: string;
        };
        ListedDeveloper: {
            object: "developer";
            developer_id: string;
            email: string;
            name: string | null;
            company_name: string | null;
            country: string | null;
            status: "pending_verification" | "active" | "suspended" | "closed";
            email_verified: boolean;
            kyb: components["schemas"]["KybStatus"];
            kyb_submitted_at: string | null;
            created_at: string;
        };
        ListedDeveloperList: {
            object: "list";
            data: components["schemas"]["ListedDeveloper"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        PendingKybDecision: {
            status: "verified" | "rejected" | "revoked";
            legal_name: string | null;
            registration_number: string | null;
            jurisdiction: string | null;
            reference: string | null;
            note: string | null;
            expires_at: string | null;
            proposed_by: string;
            proposed_at: string;
        };
        KybDecisionEntry: {
            status: "verified" | "rejected" | "revoked";
            legal_name: string | null;
            registration_number: string | null;
            jurisdiction: string | null;
            reference: string | null;
            note: string | null;
            expires_at: string | null;
            proposed_by: string;
            proposed_at: string;
            approved_by: string | null;
            applied_at: string | null;
            superseded_at: string | null;
        };
        ShownDeveloper: {
            object: "developer";
            developer_id: string;
            email: string;
            name: string | null;
            company_name: string | null;
            website: string | null;
            country: string | null;
            timezone: string;
            billing_email: string | null;
            notification_preferences: {
                [key: string]: boolean;
            };
            status: "pending_verification" | "active" | "suspended" | "closed";
            email_verified: boolean;
            registered_at: string | null;
            kyb: components["schemas"]["KybStatus"];
            mfa_enabled: boolean;
            auth_methods: ("password" | "github" | "google")[];
            live_access: boolean;
            capabilities: components["schemas"]["DeveloperCapabilities"];
            requirements: {
                [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            limits: components["schemas"]["DeveloperLimits"];
            default_policy_id: string | null;
            created_at: string;
            updated_at: string;
            waiting_kyb_decision: components["schemas"]["PendingKybDecision"] | null;
            kyb_case: components["schemas"]["KybCase"];
            kyb_decisions: components["schemas"]["KybDecisionEntry"][];
        };
        OperatorOperation: {
            object: "operation";
            operation_id: string;
            developer_id: string;
            project_id: string | null;
            mode: "live" | "test";
            type: string;
            status: "running" | "requires_approval" | "succeeded" | "failed" | "compensated" | "needs_operator";
            subject: components["schemas"]["Subject"];
            steps: {
                name: string;
                status: "pending" | "running" | "succeeded" | "failed" | "compensated" | "skipped";
                at: string | null;
            }[];
            stuck_step: string | null;
            undone_by_hand: string[];
            error: components["schemas"]["Failure"] | null;
            request_id: string | null;
            created_at: string;
            updated_at: string;
        };
        OperatorOperationList: {
            object: "list";
            data: components["schemas"]["OperatorOperation"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        CompensateRequest: {
            reason: string;
        };
        AdminWallet: {
            object: "wallet";
            wallet_id: string;
            developer_id: string;
            agent_id: string;
            mode: "live" | "test";
            network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            address: string;
            status: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            freeze: components["schemas"]["WalletFreeze"];
            freeze_source: ("developer" | "admin") | null;
            created_at: string;
        };
        AdminWalletList: {
            object: "list";
            data: components["schemas"]["AdminWallet"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        AdminAuditEntry: {
            audit_id: string;
            developer_id: string | null;
            admin_id: string;
            ip: string | null;
            mode: "live" | "test";
            action: string;
            subject: components["schemas"]["Subject"];
            facts: {
                [key: string]: unknown;
            };
            request_id: string | null;
            occurred_at: string;
        };
        AuditAnchorMismatch: {
            tenant_id: string;
            chain: string;
            occurred_at: string;
        };
        AuditAnchorState: {
            status: "anchored" | "pending" | "late" | "mismatch";
            latest_checkpoint: components["schemas"]["AuditCheckpoint"] | null;
            age_seconds: number | null;
            unanchored_since: string | null;
            mismatches: components["schemas"]["AuditAnchorMismatch"][];
        };
        AdminAuditEntryList: {
            object: "list";
            data: components["schemas"]["AdminAuditEntry"][];
            has_more: boolean;
            next_cursor: string | null;
            anchor: components["schemas"]["AuditAnchorState"];
        };
        DueWorkHealth: {
            kind: string;
            count: number;
            oldest_age_seconds: number;
        };
        OperationHealth: {
            needs_operator: number;
            running_long: number;
        };
        OutboxHealth: {
            count: number;
            oldest_age_seconds: number | null;
        };
        NetworkHealth: {
            network: string;
            block_number: number;
            read_age_seconds: number;
            disputed_at: string | null;
            stopped_at: string | null;
        };
        AdminHealth: {
            object: "admin_health";
            ready: boolean;
            checks: {
                [key: string]: string;
            };
            due_work: components["schemas"]["DueWorkHealth"][];
            operations: components["schemas"]["OperationHealth"];
            outbox: components["schemas"]["OutboxHealth"];
            networks: components["schemas"]["NetworkHealth"][];
            checked_at: string;
        };
        WebhookReceipt: {
            received: true;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type KybStatus = components['schemas']['KybStatus'];
export type DeveloperCapabilities = components['schemas']['DeveloperCapabilities'];
export type DeveloperRequirement = components['schemas']['DeveloperRequirement'];
export type DeveloperLimits = components['schemas']['DeveloperLimits'];
export type Developer = components['schemas']['Developer'];
export type UpdateDashboardProfileRequest = components['schemas']['UpdateDashboardProfileRequest'];
export type Amount = components['schemas']['Amount'];
export type ProjectSpend = components['schemas']['ProjectSpend'];
export type DashboardSpend = components['schemas']['DashboardSpend'];
export type BalanceTotal = components['schemas']['BalanceTotal'];
export type PaymentDay = components['schemas']['PaymentDay'];
export type PaymentCounts = components['schemas']['PaymentCounts'];
export type WaitingApproval = components['schemas']['WaitingApproval'];
export type BrokenLink = components['schemas']['BrokenLink'];
export type Actor = components['schemas']['Actor'];
export type WalletFreeze = components['schemas']['WalletFreeze'];
export type FrozenWallet = components['schemas']['FrozenWallet'];
export type EndingKey = components['schemas']['EndingKey'];
export type BlockedProject = components['schemas']['BlockedProject'];
export type UnpaidProject = components['schemas']['UnpaidProject'];
export type Attention = components['schemas']['Attention'];
export type Checklist = components['schemas']['Checklist'];
export type DashboardOverview = components['schemas']['DashboardOverview'];
export type InvalidField = components['schemas']['InvalidField'];
export type LimitDecision = components['schemas']['LimitDecision'];
export type RuleDecision = components['schemas']['RuleDecision'];
export type KyaDecision = components['schemas']['KyaDecision'];
export type BalanceDecision = components['schemas']['BalanceDecision'];
export type Decision = components['schemas']['Decision'];
export type NextAction = components['schemas']['NextAction'];
export type Problem = components['schemas']['Problem'];
export type DeveloperRegisterRequest = components['schemas']['DeveloperRegisterRequest'];
export type ApiKey = components['schemas']['ApiKey'];
export type RegisteredDeveloper = components['schemas']['RegisteredDeveloper'];
export type SignupRequest = components['schemas']['SignupRequest'];
export type Signup = components['schemas']['Signup'];
export type Captcha = components['schemas']['Captcha'];
export type LoginCaptcha = components['schemas']['LoginCaptcha'];
export type LoginOptions = components['schemas']['LoginOptions'];
export type ResendVerificationRequest = components['schemas']['ResendVerificationRequest'];
export type ResentVerification = components['schemas']['ResentVerification'];
export type VerifiedEmail = components['schemas']['VerifiedEmail'];
export type VerifyEmailRequest = components['schemas']['VerifyEmailRequest'];
export type KybCaseRequest = components['schemas']['KybCaseRequest'];
export type KybCase = components['schemas']['KybCase'];
export type DeveloperKybVerifyRequest = components['schemas']['DeveloperKybVerifyRequest'];
export type KybVerification = components['schemas']['KybVerification'];
export type PasswordForgotRequest = components['schemas']['PasswordForgotRequest'];
export type RequestedPasswordReset = components['schemas']['RequestedPasswordReset'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type EmailedTokenRequest = components['schemas']['EmailedTokenRequest'];
export type EmailedTokenKey = components['schemas']['EmailedTokenKey'];
export type EmailedToken = components['schemas']['EmailedToken'];
export type EmailedKeyRevocationRequest = components['schemas']['EmailedKeyRevocationRequest'];
export type RevokedKeys = components['schemas']['RevokedKeys'];
export type AuthFailure = components['schemas']['AuthFailure'];
export type AuthFailureList = components['schemas']['AuthFailureList'];
export type LoggedRequest = components['schemas']['LoggedRequest'];
export type LoggedRequestList = components['schemas']['LoggedRequestList'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type CreateApiKeyRequest = components['schemas']['CreateApiKeyRequest'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type RevokedApiKey = components['schemas']['RevokedApiKey'];
export type RotateApiKeyRequest = components['schemas']['RotateApiKeyRequest'];
export type ReplacedApiKey = components['schemas']['ReplacedApiKey'];
export type RotatedApiKey = components['schemas']['RotatedApiKey'];
export type ReplacedAccountPair = components['schemas']['ReplacedAccountPair'];
export type RotatedAccountPair = components['schemas']['RotatedAccountPair'];
export type TestSignatureRequest = components['schemas']['TestSignatureRequest'];
export type TestSignature = components['schemas']['TestSignature'];
export type DeviceAuthorizationRequest = components['schemas']['DeviceAuthorizationRequest'];
export type DeviceAuthorization = components['schemas']['DeviceAuthorization'];
export type DeviceTokenRequest = components['schemas']['DeviceTokenRequest'];
export type DeviceToken = components['schemas']['DeviceToken'];
export type OAuthProblem = components['schemas']['OAuthProblem'];
export type PendingDeviceLogin = components['schemas']['PendingDeviceLogin'];
export type DeviceApprovalRequest = components['schemas']['DeviceApprovalRequest'];
export type DeviceLogin = components['schemas']['DeviceLogin'];
export type GitHubOAuthRequest = components['schemas']['GitHubOAuthRequest'];
export type IdentitySession = components['schemas']['IdentitySession'];
export type IdentityMfaRequired = components['schemas']['IdentityMfaRequired'];
export type IdentityLoginResult = components['schemas']['IdentityLoginResult'];
export type GitHubAuthorization = components['schemas']['GitHubAuthorization'];
export type GoogleOAuthRequest = components['schemas']['GoogleOAuthRequest'];
export type Identity = components['schemas']['Identity'];
export type IdentityList = components['schemas']['IdentityList'];
export type LoginProofRequest = components['schemas']['LoginProofRequest'];
export type SecondFactorLoginRequest = components['schemas']['SecondFactorLoginRequest'];
export type Session = components['schemas']['Session'];
export type DeveloperLoginRequest = components['schemas']['DeveloperLoginRequest'];
export type MfaRequired = components['schemas']['MfaRequired'];
export type LoginResult = components['schemas']['LoginResult'];
export type LogoutRequest = components['schemas']['LogoutRequest'];
export type RefreshSessionRequest = components['schemas']['RefreshSessionRequest'];
export type DashboardSession = components['schemas']['DashboardSession'];
export type DashboardSessionList = components['schemas']['DashboardSessionList'];
export type TotpEnrollment = components['schemas']['TotpEnrollment'];
export type TotpConfirmRequest = components['schemas']['TotpConfirmRequest'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type TotpDisableRequest = components['schemas']['TotpDisableRequest'];
export type ProviderKeyVerification = components['schemas']['ProviderKeyVerification'];
export type ProviderKeys = components['schemas']['ProviderKeys'];
export type NoProviderKeys = components['schemas']['NoProviderKeys'];
export type ProviderKeyStatus = components['schemas']['ProviderKeyStatus'];
export type ProviderKeysList = components['schemas']['ProviderKeysList'];
export type ProviderKeyRequest = components['schemas']['ProviderKeyRequest'];
export type RemovedProviderKeys = components['schemas']['RemovedProviderKeys'];
export type AuditChainBreak = components['schemas']['AuditChainBreak'];
export type AuditAnchorStatus = components['schemas']['AuditAnchorStatus'];
export type AuditVerification = components['schemas']['AuditVerification'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type ProjectLink = components['schemas']['ProjectLink'];
export type ProjectService = components['schemas']['ProjectService'];
export type Project = components['schemas']['Project'];
export type ProjectList = components['schemas']['ProjectList'];
export type AmountInput = components['schemas']['AmountInput'];
export type ProjectCreateRequest = components['schemas']['ProjectCreateRequest'];
export type DeletionEffect = components['schemas']['DeletionEffect'];
export type ProjectDeletion = components['schemas']['ProjectDeletion'];
export type ProjectUpdateRequest = components['schemas']['ProjectUpdateRequest'];
export type Charge = components['schemas']['Charge'];
export type ProjectOverview = components['schemas']['ProjectOverview'];
export type ProjectDeletionPreview = components['schemas']['ProjectDeletionPreview'];
export type ChargeList = components['schemas']['ChargeList'];
export type EnvBundle = components['schemas']['EnvBundle'];
export type EnvComparisonRequest = components['schemas']['EnvComparisonRequest'];
export type EnvComparison = components['schemas']['EnvComparison'];
export type Variable = components['schemas']['Variable'];
export type VariableList = components['schemas']['VariableList'];
export type VariableSetRequest = components['schemas']['VariableSetRequest'];
export type DeletedVariable = components['schemas']['DeletedVariable'];
export type UnitPrice = components['schemas']['UnitPrice'];
export type CatalogPlan = components['schemas']['CatalogPlan'];
export type CatalogService = components['schemas']['CatalogService'];
export type CatalogProvider = components['schemas']['CatalogProvider'];
export type Catalog = components['schemas']['Catalog'];
export type Subject = components['schemas']['Subject'];
export type Operation = components['schemas']['Operation'];
export type AuditEntryActor = components['schemas']['AuditEntryActor'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryList = components['schemas']['AuditEntryList'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditCheckpointList = components['schemas']['AuditCheckpointList'];
export type PaymentMethodAttachRequest = components['schemas']['PaymentMethodAttachRequest'];
export type PaymentMethodAttachment = components['schemas']['PaymentMethodAttachment'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceList = components['schemas']['InvoiceList'];
export type LinkProviderRequest = components['schemas']['LinkProviderRequest'];
export type Link = components['schemas']['Link'];
export type FinishedLink = components['schemas']['FinishedLink'];
export type LinkList = components['schemas']['LinkList'];
export type AddServiceRequest = components['schemas']['AddServiceRequest'];
export type CredentialPull = components['schemas']['CredentialPull'];
export type ServiceCredential = components['schemas']['ServiceCredential'];
export type ServicePrice = components['schemas']['ServicePrice'];
export type PendingPlan = components['schemas']['PendingPlan'];
export type ServiceNotification = components['schemas']['ServiceNotification'];
export type Service = components['schemas']['Service'];
export type Failure = components['schemas']['Failure'];
export type Approval = components['schemas']['Approval'];
export type ServiceAddition = components['schemas']['ServiceAddition'];
export type ServiceList = components['schemas']['ServiceList'];
export type RotateServiceRequest = components['schemas']['RotateServiceRequest'];
export type ServiceRotation = components['schemas']['ServiceRotation'];
export type ServiceRemoval = components['schemas']['ServiceRemoval'];
export type UpgradeServiceRequest = components['schemas']['UpgradeServiceRequest'];
export type ServiceUpgrade = components['schemas']['ServiceUpgrade'];
export type DeepLink = components['schemas']['DeepLink'];
export type AmountConditionInput = components['schemas']['AmountConditionInput'];
export type PayeeCondition = components['schemas']['PayeeCondition'];
export type TextCondition = components['schemas']['TextCondition'];
export type KyaLevelCondition = components['schemas']['KyaLevelCondition'];
export type TimeCondition = components['schemas']['TimeCondition'];
export type PolicyConditionsInput = components['schemas']['PolicyConditionsInput'];
export type PolicyBudgetInput = components['schemas']['PolicyBudgetInput'];
export type PolicyCount = components['schemas']['PolicyCount'];
export type PolicyRuleInput = components['schemas']['PolicyRuleInput'];
export type PolicyApprovalsInput = components['schemas']['PolicyApprovalsInput'];
export type PolicyCreateRequest = components['schemas']['PolicyCreateRequest'];
export type AmountCondition = components['schemas']['AmountCondition'];
export type PolicyConditions = components['schemas']['PolicyConditions'];
export type PolicyBudget = components['schemas']['PolicyBudget'];
export type PolicyRule = components['schemas']['PolicyRule'];
export type PolicyApprovals = components['schemas']['PolicyApprovals'];
export type Policy = components['schemas']['Policy'];
export type PolicyList = components['schemas']['PolicyList'];
export type PolicyUpdateRequest = components['schemas']['PolicyUpdateRequest'];
export type PolicyRollbackRequest = components['schemas']['PolicyRollbackRequest'];
export type PolicyFacts = components['schemas']['PolicyFacts'];
export type PolicyEvaluateRequest = components['schemas']['PolicyEvaluateRequest'];
export type PolicyEvaluation = components['schemas']['PolicyEvaluation'];
export type PolicyBacktestRequest = components['schemas']['PolicyBacktestRequest'];
export type Backtest = components['schemas']['Backtest'];
export type AgentCreateRequest = components['schemas']['AgentCreateRequest'];
export type AgentKya = components['schemas']['AgentKya'];
export type PeriodBudget = components['schemas']['PeriodBudget'];
export type Agent = components['schemas']['Agent'];
export type AgentList = components['schemas']['AgentList'];
export type AgentUpdateRequest = components['schemas']['AgentUpdateRequest'];
export type AgentLimit = components['schemas']['AgentLimit'];
export type AgentCap = components['schemas']['AgentCap'];
export type AgentBudgets = components['schemas']['AgentBudgets'];
export type AgentStatusRequest = components['schemas']['AgentStatusRequest'];
export type CreateAgentKeyRequest = components['schemas']['CreateAgentKeyRequest'];
export type KyaToken = components['schemas']['KyaToken'];
export type WalletCreateRequest = components['schemas']['WalletCreateRequest'];
export type WalletBalance = components['schemas']['WalletBalance'];
export type Wallet = components['schemas']['Wallet'];
export type WalletList = components['schemas']['WalletList'];
export type AgentWallets = components['schemas']['AgentWallets'];
export type WalletUpdateRequest = components['schemas']['WalletUpdateRequest'];
export type WalletBalances = components['schemas']['WalletBalances'];
export type WalletActivity = components['schemas']['WalletActivity'];
export type WalletActivityList = components['schemas']['WalletActivityList'];
export type PositiveAmountInput = components['schemas']['PositiveAmountInput'];
export type WalletFundRequest = components['schemas']['WalletFundRequest'];
export type WalletFunding = components['schemas']['WalletFunding'];
export type WalletFreezeRequest = components['schemas']['WalletFreezeRequest'];
export type RevocationProof = components['schemas']['RevocationProof'];
export type WalletFreezeReport = components['schemas']['WalletFreezeReport'];
export type WalletUnfreezeRequest = components['schemas']['WalletUnfreezeRequest'];
export type PaymentSendRequest = components['schemas']['PaymentSendRequest'];
export type PaymentPayee = components['schemas']['PaymentPayee'];
export type PolicyVerdict = components['schemas']['PolicyVerdict'];
export type PaymentFee = components['schemas']['PaymentFee'];
export type PaymentOnchain = components['schemas']['PaymentOnchain'];
export type Payment = components['schemas']['Payment'];
export type PaymentSimulation = components['schemas']['PaymentSimulation'];
export type PaymentOrSimulation = components['schemas']['PaymentOrSimulation'];
export type PaymentList = components['schemas']['PaymentList'];
export type CapturePaymentRequest = components['schemas']['CapturePaymentRequest'];
export type VoidPaymentRequest = components['schemas']['VoidPaymentRequest'];
export type RefundPaymentRequest = components['schemas']['RefundPaymentRequest'];
export type CancelPaymentRequest = components['schemas']['CancelPaymentRequest'];
export type LinkAccountRequest = components['schemas']['LinkAccountRequest'];
export type LinkToken = components['schemas']['LinkToken'];
export type VerifyAccountRequest = components['schemas']['VerifyAccountRequest'];
export type FiatAccount = components['schemas']['FiatAccount'];
export type VerifiedAccount = components['schemas']['VerifiedAccount'];
export type FiatAccountList = components['schemas']['FiatAccountList'];
export type ExchangeRate = components['schemas']['ExchangeRate'];
export type OnRampRequest = components['schemas']['OnRampRequest'];
export type ConversionBankSide = components['schemas']['ConversionBankSide'];
export type ConversionWalletSide = components['schemas']['ConversionWalletSide'];
export type Conversion = components['schemas']['Conversion'];
export type OffRampRequest = components['schemas']['OffRampRequest'];
export type ConversionList = components['schemas']['ConversionList'];
export type ApprovalList = components['schemas']['ApprovalList'];
export type DecideApprovalRequest = components['schemas']['DecideApprovalRequest'];
export type KillSwitchRequest = components['schemas']['KillSwitchRequest'];
export type KillSwitchCounts = components['schemas']['KillSwitchCounts'];
export type KillSwitch = components['schemas']['KillSwitch'];
export type KillSwitchSummary = components['schemas']['KillSwitchSummary'];
export type KillSwitchSummaryList = components['schemas']['KillSwitchSummaryList'];
export type EventTypePattern = components['schemas']['EventTypePattern'];
export type Event = components['schemas']['Event'];
export type EventList = components['schemas']['EventList'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookList = components['schemas']['WebhookList'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type ReplayWebhookRequest = components['schemas']['ReplayWebhookRequest'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhookDeliveryList = components['schemas']['WebhookDeliveryList'];
export type ServerTime = components['schemas']['ServerTime'];
export type Limit = components['schemas']['Limit'];
export type LimitList = components['schemas']['LimitList'];
export type AdminLoginRequest = components['schemas']['AdminLoginRequest'];
export type AdminLoginChallenge = components['schemas']['AdminLoginChallenge'];
export type AdminTotpRequest = components['schemas']['AdminTotpRequest'];
export type AdminSession = components['schemas']['AdminSession'];
export type AdminIdentity = components['schemas']['AdminIdentity'];
export type ListedDeveloper = components['schemas']['ListedDeveloper'];
export type ListedDeveloperList = components['schemas']['ListedDeveloperList'];
export type PendingKybDecision = components['schemas']['PendingKybDecision'];
export type KybDecisionEntry = components['schemas']['KybDecisionEntry'];
export type ShownDeveloper = components['schemas']['ShownDeveloper'];
export type OperatorOperation = components['schemas']['OperatorOperation'];
export type OperatorOperationList = components['schemas']['OperatorOperationList'];
export type CompensateRequest = components['schemas']['CompensateRequest'];
export type AdminWallet = components['schemas']['AdminWallet'];
export type AdminWalletList = components['schemas']['AdminWalletList'];
export type AdminAuditEntry = components['schemas']['AdminAuditEntry'];
export type AuditAnchorMismatch = components['schemas']['AuditAnchorMismatch'];
export type AuditAnchorState = components['schemas']['AuditAnchorState'];
export type AdminAuditEntryList = components['schemas']['AdminAuditEntryList'];
export type DueWorkHealth = components['schemas']['DueWorkHealth'];
export type OperationHealth = components['schemas']['OperationHealth'];
export type OutboxHealth = components['schemas']['OutboxHealth'];
export type NetworkHealth = components['schemas']['NetworkHealth'];
export type AdminHealth = components['schemas']['AdminHealth'];
export type WebhookReceipt = components['schemas']['WebhookReceipt'];
export type $defs = Record<string, never>;
export interface operations {
    getDashboardProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Developer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateDashboardProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDashboardProfileRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Developer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDashboardOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardOverview"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeveloper: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Developer"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerDeveloper: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeveloperRegisterRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredDeveloper"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignupRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signup"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCaptcha: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Captcha"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLoginOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginOptions"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendVerificationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentVerification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedEmail"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmailRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["VerifyEmailRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedEmail"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getKyb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybCase"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    submitKyb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KybCaseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybCase"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyKyb: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeveloperKybVerifyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KybVerification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordForgotRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedPasswordReset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readEmailedToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailedTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailedToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKeysByEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailedKeyRevocationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedKeys"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuthFailures: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthFailureList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                key_id?: string;
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                status?: string;
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedRequestList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateAccountPair: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedAccountPair"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testSignature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSignatureRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestSignature"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeviceAuthorizationRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["DeviceAuthorizationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceAuthorization"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collectDevicePair: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPendingDevice: {
        parameters: {
            query: {
                user_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingDeviceLogin"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceApprovalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logInWithGitHub: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GitHubOAuthRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityLoginResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginGitHubLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GitHubAuthorization"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logInWithGoogle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GoogleOAuthRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityLoginResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LoginProofRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logInWithSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorLoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeveloperLoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogoutRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshSessionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardSessionList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LoginProofRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpEnrollment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpConfirmRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpDisableRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProviderKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderKeysList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    saveProviderKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius" | "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderKeys"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeProviderKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius" | "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedProviderKeys"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyProviderKeysAudit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditVerification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                cursor?: string;
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDeletion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProjectUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProjectStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOverview"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewProjectDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDeletionPreview"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjectCharges: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                period?: string;
                provider?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pullEnv: {
        parameters: {
            query?: {
                environment?: string;
                format?: "json" | "dotenv" | "docker";
                names_only?: boolean;
                keys?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvBundle"];
                    "text/plain": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compareEnv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnvComparisonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvComparison"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVariables: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VariableSetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedVariable"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    browseCatalog: {
        parameters: {
            query?: {
                q?: string;
                category?: string;
                provider?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOperationById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjectAudit: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                chain?: "tenant" | "provider_keys";
                action?: string;
                subject_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAuditChain: {
        parameters: {
            query?: {
                chain?: "tenant" | "provider_keys";
                format?: "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditCheckpoints: {
        parameters: {
            query?: {
                chain?: "tenant" | "provider_keys";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckpointList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: {
                chain?: "tenant" | "provider_keys";
                since?: "checkpoint";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditVerification"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    attachPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentMethodAttachRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodAttachment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjectInvoices: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveOAuthRedirect: {
        parameters: {
            query: {
                state: string;
                code?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinishedLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveOAuthCallback: {
        parameters: {
            query: {
                state: string;
                code?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinishedLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServices: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AddServiceRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAddition"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateServiceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceRotation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceRemoval"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upgradeService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                service_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpgradeServiceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUpgrade"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createDeepLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                service_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeepLink"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPolicies: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PolicyUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPolicyVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rollBackPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyRollbackRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    evaluatePolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyEvaluateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyEvaluation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    backtestPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policy_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyBacktestRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentBudgets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentBudgets"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    suspendAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentStatusRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentStatusRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentStatusRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAgentKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getKyaToken: {
        parameters: {
            query: {
                audience: string;
            };
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KyaToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletCreateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                agent_id?: string;
                network?: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
                status?: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgentWallets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentWallets"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WalletUpdateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWalletBalance: {
        parameters: {
            query?: {
                refresh?: boolean;
            };
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletBalances"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWalletActivity: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletActivityList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    fundWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletFundRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletFunding"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    freezeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletFreezeRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    freezeWalletOnChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletFreezeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletFreezeReport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unfreezeWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WalletUnfreezeRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentOrSimulation"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    simulatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSimulation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "requires_approval" | "approved" | "queued" | "signing" | "submitted" | "confirmed" | "authorized" | "captured" | "voided" | "denied" | "rejected" | "expired" | "canceled" | "failed" | "dropped" | "refunded" | "partially_refunded";
                agent_id?: string;
                wallet_id?: string;
                project_id?: string;
                reference?: string;
                created_after?: string;
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    capturePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CapturePaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    voidPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoidPaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refundPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundPaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelPaymentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LinkAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBankAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiatAccountList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiatAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiatAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRate: {
        parameters: {
            query?: {
                source?: string;
                dest?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeRate"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    onRamp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OnRampRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    offRamp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OffRampRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConversions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "quoted" | "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "completed" | "undeliverable" | "returned" | "missing_return_policy" | "refund_in_flight" | "refunded" | "refund_failed" | "canceled" | "expired" | "failed";
                direction?: "on_ramp" | "off_ramp";
                wallet_id?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConversion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    executeConversion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelConversion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversion"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "pending" | "approved" | "denied" | "expired" | "canceled";
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: {
                wait_seconds?: number;
            };
            header?: never;
            path: {
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approveApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecideApprovalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    denyApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecideApprovalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listKillSwitches: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitchSummaryList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    triggerKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KillSwitchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitch"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kill_switch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitch"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reconcileKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kill_switch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KillSwitch"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                after?: string;
                type?: components["schemas"]["EventTypePattern"];
                subject_id?: string;
                project_id?: string;
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                type?: components["schemas"]["EventTypePattern"];
                subject_id?: string;
                project_id?: string;
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerTime"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logInAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminLoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminLoginChallenge"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishAdminLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminTotpRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logOutAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminIdentity"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDevelopers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                q?: string;
                kyb_status?: "unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedDeveloperList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showDeveloper: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                developer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownDeveloper"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    freezeWalletAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletFreezeRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unfreezeWalletAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WalletUnfreezeRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listStuckOperations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "needs_operator" | "running";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOperationList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOperation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compensateOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompensateRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOperation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchWallets: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                q?: string;
                frozen?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWalletList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAdminAudit: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                admin_id?: string;
                developer_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditEntryList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAdminHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminHealth"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveVendorWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vendor: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
export const EVENT_TYPE_PATTERNS: readonly EventTypePattern[] = ["*","developer.*","api_key.*","provider_key.*","audit.*","project.*","link.*","service.*","env.*","payment_method.*","charge.*","agent.*","policy.*","approval.*","wallet.*","payment.*","conversion.*","fiat_account.*","kill_switch.*","webhook.*","developer.email_verified","developer.kyb_updated","api_key.created","api_key.rotated","api_key.revoked","api_key.grace_ending","api_key.auth_failures_spike","provider_key.saved","provider_key.deleted","provider_key.verification_failed","provider_key.expiring","audit.anchor_mismatch","project.created","project.updated","project.deleted","project.cap_threshold_reached","project.cap_exceeded_blocked","link.completed","link.failed","link.expired","link.revoked","service.provisioning","service.active","service.failed","service.plan_changed","service.plan_change_scheduled","service.plan_change_canceled","service.plan_change_failed","service.rotated","service.rotation_pending","service.removed","service.resource_missing","service.resource_found","env.pulled","env.changed","payment_method.attached","payment_method.requires_action","charge.succeeded","charge.failed","charge.refunded","agent.created","agent.updated","agent.suspended","agent.resumed","agent.revoked","agent.expired","agent.kya_changed","policy.created","policy.updated","policy.rolled_back","approval.requested","approval.approved","approval.denied","approval.expired","approval.canceled","wallet.created","wallet.updated","wallet.deployed","wallet.deployment_failed","wallet.frozen","wallet.freeze_onchain_pending","wallet.freeze_onchain_confirmed","wallet.freeze_onchain_failed","wallet.freeze_onchain_lifted","wallet.unfrozen","wallet.deposit_received","payment.requires_approval","payment.queued","payment.submitted","payment.confirmed","payment.authorized","payment.captured","payment.voided","payment.denied","payment.expired","payment.canceled","payment.failed","payment.dropped","payment.refunded","payment.capture_refused","payment.void_refused","payment.refund_refused","conversion.quoted","conversion.awaiting_funds","conversion.in_review","conversion.funds_received","conversion.payment_submitted","conversion.completed","conversion.undeliverable","conversion.returned","conversion.missing_return_policy","conversion.refund_in_flight","conversion.refunded","conversion.refund_failed","conversion.canceled","conversion.expired","conversion.failed","fiat_account.verified","fiat_account.relink_required","fiat_account.disabled","kill_switch.triggered","kill_switch.reconciled","kill_switch.completed","kill_switch.blocked_pending","webhook.disabled"];
