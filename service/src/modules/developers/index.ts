export {
  ListedDeveloperResource,
  presentListedDeveloper,
} from "./admin-view/listed-developer-resource.ts";
export { searchDevelopers } from "./admin-view/search-developers.ts";
export {
  presentShownDeveloper,
  ShownDeveloperResource,
} from "./admin-view/shown-developer-resource.ts";
export { AuthFailureResource, presentAuthFailure } from "./auth-failures/auth-failure-resource.ts";
export { listAuthFailures } from "./auth-failures/list-auth-failures.ts";
export type { AuthFailure } from "./auth-failures/queries.ts";
export { writeAuthFailures } from "./auth-failures/write-auth-failures.ts";
export { CaptchaResource, presentCaptcha } from "./captcha-resource.ts";
export { isCommonPassword } from "./common-passwords.ts";
export { OWNERSHIP_CONFIRMATION_SECONDS } from "./confirm-ownership.ts";
export { isCountry } from "./countries.ts";
export { DeveloperResource, presentDeveloper } from "./developer-resource.ts";
export {
  approveDeviceLogin,
  type DecidedDeviceLogin,
} from "./device-login/approve-device-login.ts";
export { parseUserCode, USER_CODE_PATTERN } from "./device-login/codes.ts";
export { collectDevicePair } from "./device-login/collect-device-pair.ts";
export { denyDeviceLogin } from "./device-login/deny-device-login.ts";
export {
  DeviceAuthorizationResource,
  presentDeviceAuthorization,
} from "./device-login/device-authorization-resource.ts";
export { DeviceLoginResource, presentDeviceLogin } from "./device-login/device-login-resource.ts";
export { DeviceTokenResource, presentDeviceToken } from "./device-login/device-token-resource.ts";
export type { DeviceLogin } from "./device-login/queries.ts";
export { requirePendingDevice } from "./device-login/require-pending-device.ts";
export { revokeUncollectedKeys } from "./device-login/revoke-uncollected-keys.ts";
export { startDeviceLogin } from "./device-login/start-device-login.ts";
export {
  presentResentVerification,
  presentVerifiedEmail,
  ResentVerificationResource,
  VERIFIED_PAGE,
  VerifiedEmailResource,
} from "./email-verification/email-verification-resource.ts";
export { findVerification, type Verification } from "./email-verification/find-verification.ts";
export { resendVerification } from "./email-verification/resend-verification.ts";
export { verifyEmail } from "./email-verification/verify-email.ts";
export {
  GitHubAuthorizationResource,
  presentGitHubAuthorization,
} from "./identities/github-authorization-resource.ts";
export {
  IdentityLoginResultResource,
  presentIdentityLogin,
} from "./identities/identity-login-resource.ts";
export { IdentityListResource, presentIdentities } from "./identities/identity-resource.ts";
export { listIdentities } from "./identities/list-identities.ts";
export type { IdentityLogin } from "./identities/log-in-as-identity.ts";
export { logInByRedirect } from "./identities/log-in-by-redirect.ts";
export { logInWithGoogle } from "./identities/log-in-with-google.ts";
export { PROVIDER_NAMES } from "./identities/provider-names.ts";
export { startProviderLogin } from "./identities/start-provider-login.ts";
export { unlinkIdentity } from "./identities/unlink-identity.ts";
export { insertVerifiedDeveloper } from "./insert-verified-developer.ts";
export {
  ApiKeyResource,
  IssuedApiKeyResource,
  presentApiKey,
  presentIssuedApiKey,
  presentRevokedApiKey,
  RevokedApiKeyResource,
} from "./keys/api-key-resource.ts";
export { changeKeys, type KeyChange } from "./keys/change-keys.ts";
export { describeSignature } from "./keys/describe-signature.ts";
export { type GrantApiKey, grantApiKey } from "./keys/grant-api-key.ts";
export { type IssuedApiKey, issueApiKey } from "./keys/issue-api-key.ts";
export {
  type KeysOfEmailedToken,
  listKeysOfEmailedToken,
} from "./keys/list-keys-of-emailed-token.ts";
export { listOwnApiKeys } from "./keys/list-own-api-keys.ts";
export { type LoadedApiKey, loadApiKey } from "./keys/load-api-key.ts";
export { notifyGraceEndings } from "./keys/notify-grace-endings.ts";
export { revokeApiKey } from "./keys/revoke-api-key.ts";
export { revokeKeysByEmail } from "./keys/revoke-keys-by-email.ts";
export { type RotatedAccountPair, rotateAccountPair } from "./keys/rotate-account-pair.ts";
export { type RotatedApiKey, rotateApiKey } from "./keys/rotate-api-key.ts";
export {
  presentRotatedAccountPair,
  presentRotatedApiKey,
  RotatedAccountPairResource,
  RotatedApiKeyResource,
} from "./keys/rotated-api-key-resource.ts";
export { presentTestSignature, TestSignatureResource } from "./keys/test-signature-resource.ts";
export { withdrawMatchingKeys } from "./keys/withdraw-account-keys.ts";
export { listAgentKeys, withdrawAgentKeys } from "./keys/withdraw-agent-keys.ts";
export { writeKeyUses } from "./keys/write-key-uses.ts";
export { expireKyb } from "./kyb/expire-kyb.ts";
export {
  KybVerificationResource,
  presentKybVerification,
} from "./kyb/kyb-verification-resource.ts";
export { readPendingDecision } from "./kyb/read-pending-decision.ts";
export { type KybDecision, verifyKyb } from "./kyb/verify-kyb.ts";
export {
  PasswordResetResource,
  presentPasswordReset,
  presentRequestedPasswordReset,
  RequestedPasswordResetResource,
} from "./password-reset/password-reset-resource.ts";
export { requestPasswordReset } from "./password-reset/request-password-reset.ts";
export { resetPassword } from "./password-reset/reset-password.ts";
export {
  type DeveloperProfile,
  findTenantByEmail,
  getDeveloper,
  insertDeveloper,
  insertDeveloperEmail,
} from "./queries.ts";
export { readProfile } from "./read-profile.ts";
export { type RegisteredDeveloper, registerDeveloper } from "./register-developer.ts";
export {
  presentRegisteredDeveloper,
  RegisteredDeveloperResource,
} from "./registered-developer-resource.ts";
export { developerSealedColumns } from "./sealed-columns.ts";
export { confirmTotp } from "./second-factor/confirm-totp.ts";
export { disableTotp } from "./second-factor/disable-totp.ts";
export { logInWithSecondFactor } from "./second-factor/log-in-with-second-factor.ts";
export {
  presentRecoveryCodes,
  RecoveryCodesResource,
} from "./second-factor/recovery-codes-resource.ts";
export { startTotpSetup } from "./second-factor/start-totp-setup.ts";
export {
  presentTotpEnrollment,
  TotpEnrollmentResource,
} from "./second-factor/totp-enrollment-resource.ts";
export {
  DashboardSessionResource,
  presentDashboardSession,
} from "./sessions/dashboard-session-resource.ts";
export { endSession } from "./sessions/end-session.ts";
export { listSessions } from "./sessions/list-sessions.ts";
export { logIn } from "./sessions/log-in.ts";
export { logOut } from "./sessions/log-out.ts";
export type { SessionGrant } from "./sessions/open-session.ts";
export { refreshSession } from "./sessions/refresh-session.ts";
export { isRecentLogin, type LoginProof } from "./sessions/require-recent-login.ts";
export {
  LoginResultResource,
  presentMfaRequired,
  presentSession,
  SessionResource,
} from "./sessions/session-resource.ts";
export { type MfaPending, startSession } from "./sessions/start-session.ts";
export { useSession } from "./sessions/use-session.ts";
export { signUp } from "./sign-up.ts";
export { presentSignup, SignupResource } from "./signup-resource.ts";
export { updateProfile } from "./update-profile.ts";
