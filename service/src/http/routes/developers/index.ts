import { type Route, withTag } from "../../route.ts";
import { listAuthFailuresRoute } from "./auth-failures/list-auth-failures.ts";
import { collectDevicePairRoute } from "./device-login/collect-device-pair.ts";
import { decideDeviceLoginRoute } from "./device-login/decide-device-login.ts";
import { startDeviceLoginRoute } from "./device-login/start-device-login.ts";
import { resendVerificationRoute, verifyEmailRoutes } from "./email-verification/verify-email.ts";
import { getCaptchaRoute } from "./get-captcha.ts";
import { listIdentitiesRoute, unlinkIdentityRoute } from "./identities/linked-identities.ts";
import { gitHubStateRoute, logInWithGitHubRoute } from "./identities/log-in-with-github.ts";
import { logInWithGoogleRoute } from "./identities/log-in-with-google.ts";
import { createApiKeyRoute } from "./keys/create-api-key.ts";
import { listApiKeysRoute } from "./keys/list-api-keys.ts";
import { revokeApiKeyRoute } from "./keys/revoke-api-key.ts";
import { rotateAccountPairRoute } from "./keys/rotate-account-pair.ts";
import { rotateApiKeyRoute } from "./keys/rotate-api-key.ts";
import { testSignatureRoute } from "./keys/test-signature.ts";
import { verifyKybRoute } from "./kyb/verify-kyb.ts";
import { requestPasswordResetRoute, resetPasswordRoute } from "./password-reset/reset-password.ts";
import { getDashboardProfileRoute, getDeveloperRoute, updateDashboardProfileRoute } from "./profile.ts";
import { registerDeveloperRoute } from "./register-developer.ts";
import { logInWithSecondFactorRoute } from "./second-factor/log-in-with-second-factor.ts";
import { confirmTotpRoute, disableTotpRoute, startTotpSetupRoute } from "./second-factor/set-up-totp.ts";
import { endSessionRoute, listSessionsRoute } from "./sessions/dashboard-sessions.ts";
import { logInRoute } from "./sessions/log-in.ts";
import { logOutRoute } from "./sessions/log-out.ts";
import { refreshSessionRoute } from "./sessions/refresh-session.ts";
import { signUpRoute } from "./sign-up.ts";

export const developerRoutes: readonly Route[] = [
  ...withTag("Developers", [
    getDashboardProfileRoute,
    updateDashboardProfileRoute,
    getDeveloperRoute,
    registerDeveloperRoute,
    signUpRoute,
    getCaptchaRoute,
  ]),
  ...withTag("API keys", [listAuthFailuresRoute]),
  ...withTag("Device login", [startDeviceLoginRoute, collectDevicePairRoute, decideDeviceLoginRoute]),
  ...withTag("Developers", [resendVerificationRoute, ...verifyEmailRoutes]),
  ...withTag("Identities", [
    logInWithGitHubRoute,
    gitHubStateRoute,
    logInWithGoogleRoute,
    listIdentitiesRoute,
    unlinkIdentityRoute,
  ]),
  ...withTag("API keys", [
    listApiKeysRoute,
    createApiKeyRoute,
    revokeApiKeyRoute,
    rotateApiKeyRoute,
    rotateAccountPairRoute,
    testSignatureRoute,
  ]),
  ...withTag("Developers", [verifyKybRoute, requestPasswordResetRoute, resetPasswordRoute]),
  ...withTag("Sessions", [logInWithSecondFactorRoute]),
  ...withTag("Second factor", [startTotpSetupRoute, confirmTotpRoute, disableTotpRoute]),
  ...withTag("Sessions", [logInRoute, logOutRoute, refreshSessionRoute, listSessionsRoute, endSessionRoute]),
];
