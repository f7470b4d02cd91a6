import { type Route, withTag } from "../../route.ts";
import { listAuthFailuresRoute } from "./auth-failures/list-auth-failures.ts";
import { collectDevicePairRoute } from "./device-login/collect-device-pair.ts";
import { decideDeviceLoginRoute } from "./device-login/decide-device-login.ts";
import { startDeviceLoginRoute } from "./device-login/start-device-login.ts";
import { resendVerificationRoute } from "./email-verification/resend-verification.ts";
import { verifyEmailRoutes } from "./email-verification/verify-email.ts";
import { getCaptchaRoute } from "./get-captcha.ts";
import { getDashboardProfileRoute } from "./get-dashboard-profile.ts";
import { getDeveloperRoute } from "./get-developer.ts";
import { gitHubStateRoute } from "./identities/github-state.ts";
import { listIdentitiesRoute } from "./identities/list-identities.ts";
import { logInWithGitHubRoute } from "./identities/log-in-with-github.ts";
import { logInWithGoogleRoute } from "./identities/log-in-with-google.ts";
import { unlinkIdentityRoute } from "./identities/unlink-identity.ts";
import { createApiKeyRoute } from "./keys/create-api-key.ts";
import { listApiKeysRoute } from "./keys/list-api-keys.ts";
import { revokeApiKeyRoute } from "./keys/revoke-api-key.ts";
import { rotateAccountPairRoute } from "./keys/rotate-account-pair.ts";
import { rotateApiKeyRoute } from "./keys/rotate-api-key.ts";
import { testSignatureRoute } from "./keys/test-signature.ts";
import { verifyKybRoute } from "./kyb/verify-kyb.ts";
import { requestPasswordResetRoute } from "./password-reset/request-password-reset.ts";
import { resetPasswordRoute } from "./password-reset/reset-password.ts";
import { registerDeveloperRoute } from "./register-developer.ts";
import { confirmTotpRoute } from "./second-factor/confirm-totp.ts";
import { disableTotpRoute } from "./second-factor/disable-totp.ts";
import { logInWithSecondFactorRoute } from "./second-factor/log-in-with-second-factor.ts";
import { startTotpSetupRoute } from "./second-factor/start-totp-setup.ts";
import { endSessionRoute } from "./sessions/end-session.ts";
import { listSessionsRoute } from "./sessions/list-sessions.ts";
import { logInRoute } from "./sessions/log-in.ts";
import { logOutRoute } from "./sessions/log-out.ts";
import { refreshSessionRoute } from "./sessions/refresh-session.ts";
import { signUpRoute } from "./sign-up.ts";
import { updateDashboardProfileRoute } from "./update-dashboard-profile.ts";

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
