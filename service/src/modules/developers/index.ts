export {
  ListedDeveloperResource,
  presentListedDeveloper,
  presentShownDeveloper,
  ShownDeveloperResource,
} from "./admin-view.ts";
export { AuthFailureResource, presentAuthFailure } from "./auth-failures/auth-failure-resource.ts";
export { listAuthFailures, writeAuthFailures } from "./auth-failures/write-auth-failures.ts";
export { CaptchaResource, presentCaptcha } from "./captcha.ts";
export { isCommonPassword } from "./common-passwords.ts";
export { OWNERSHIP_CONFIRMATION_SECONDS } from "./confirm-ownership.ts";
export { isCountry } from "./countries.ts";
export { DeveloperResource, presentDeveloper } from "./developer-resource.ts";
export { parseUserCode, USER_CODE_PATTERN } from "./device-login/codes.ts";
export { collectDevicePair } from "./device-login/collect-device-pair.ts";
export {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  denyDeviceLogin,
  requirePendingDevice,
} from "./device-login/decide-device-login.ts";
export {
  DeviceAuthorizationResource,
  DeviceLoginResource,
  DeviceTokenResource,
  presentDeviceAuthorization,
  presentDeviceLogin,
  presentDeviceToken,
} from "./device-login/device-login-resources.ts";
export type { DeviceLogin } from "./device-login/queries.ts";
export { revokeUncollectedKeys } from "./device-login/revoke-uncollected-keys.ts";
export { startDeviceLogin } from "./device-login/start-device-login.ts";
export { resendVerification } from "./email-verification/verification-emails.ts";
export {
  findVerification,
  presentResentVerification,
  presentVerifiedEmail,
  ResentVerificationResource,
  VERIFIED_PAGE,
  type Verification,
  VerifiedEmailResource,
  verifyEmail,
} from "./email-verification/verify-email.ts";
export {
  GitHubAuthorizationResource,
  IdentityListResource,
  IdentityLoginResultResource,
  presentGitHubAuthorization,
  presentIdentities,
  presentIdentityLogin,
} from "./identities/identity-resources.ts";
export { unlinkIdentity } from "./identities/link-identity.ts";
export type { IdentityLogin } from "./identities/log-in-as-identity.ts";
export { logInWithGoogle } from "./identities/log-in-with-google.ts";
export { listIdentities } from "./identities/queries.ts";
export { logInByRedirect, startProviderLogin } from "./identities/redirect-login.ts";
export { insertVerifiedDeveloper } from "./insert-verified-developer.ts";
export {
  ApiKeyResource,
  IssuedApiKeyResource,
  presentApiKey,
  presentIssuedApiKey,
  presentRevokedApiKey,
  presentRotatedAccountPair,
  presentRotatedApiKey,
  RevokedApiKeyResource,
  RotatedAccountPairResource,
  RotatedApiKeyResource,
} from "./keys/api-key-resource.ts";
export { changeKeys, type KeyChange } from "./keys/change-keys.ts";
export { describeSignature, presentTestSignature, TestSignatureResource } from "./keys/describe-signature.ts";
export {
  type KeysOfEmailedToken,
  listKeysOfEmailedToken,
  revokeKeysByEmail,
} from "./keys/emailed-keys.ts";
export { type GrantApiKey, grantApiKey } from "./keys/grant-api-key.ts";
export { type IssuedApiKey, issueApiKey } from "./keys/issue-api-key.ts";
export { listOwnApiKeys } from "./keys/list-own-api-keys.ts";
export { type LoadedApiKey, loadApiKey } from "./keys/load-api-key.ts";
export { notifyGraceEndings } from "./keys/notify-grace-endings.ts";
export { revokeApiKey } from "./keys/revoke-api-key.ts";
export { type RotatedAccountPair, type RotatedApiKey, rotateAccountPair, rotateApiKey } from "./keys/rotate-api-key.ts";
export { listAgentKeys, withdrawAgentKeys, withdrawMatchingKeys } from "./keys/withdraw-keys.ts";
export { writeKeyUses } from "./keys/write-key-uses.ts";
export { expireKyb } from "./kyb/expire-kyb.ts";
export {
  type KybDecision,
  KybVerificationResource,
  presentKybVerification,
  readPendingDecision,
  verifyKyb,
} from "./kyb/verify-kyb.ts";
export { requestPasswordReset } from "./password-reset/request-password-reset.ts";
export {
  PasswordResetResource,
  presentPasswordReset,
  presentRequestedPasswordReset,
  RequestedPasswordResetResource,
  resetPassword,
} from "./password-reset/reset-password.ts";
export {
  type DeveloperProfile,
  findTenantByEmail,
  getDeveloper,
  insertDeveloper,
  readProfile,
  searchDevelopers,
} from "./queries.ts";
export {
  presentRegisteredDeveloper,
  type RegisteredDeveloper,
  RegisteredDeveloperResource,
  registerDeveloper,
} from "./register-developer.ts";
export { developerSealedColumns } from "./sealed-columns.ts";
export { logInWithSecondFactor } from "./second-factor/log-in-with-second-factor.ts";
export {
  confirmTotp,
  disableTotp,
  presentRecoveryCodes,
  presentTotpEnrollment,
  RecoveryCodesResource,
  startTotpSetup,
  TotpEnrollmentResource,
} from "./second-factor/totp-setup.ts";
export { endSession, logOut } from "./sessions/end-session.ts";
export { useSession } from "./sessions/live-session.ts";
export { logIn } from "./sessions/log-in.ts";
export { listSessions } from "./sessions/queries.ts";
export { refreshSession } from "./sessions/refresh-session.ts";
export { isRecentLogin, type LoginProof } from "./sessions/require-recent-login.ts";
export {
  DashboardSessionResource,
  LoginResultResource,
  presentDashboardSession,
  presentMfaRequired,
  presentSession,
  SessionResource,
} from "./sessions/session-resource.ts";
export type { SessionGrant } from "./sessions/start-session.ts";
export { type MfaPending, startSession } from "./sessions/start-session.ts";
export { presentSignup, SignupResource, signUp } from "./sign-up.ts";
export { updateProfile } from "./update-profile.ts";
