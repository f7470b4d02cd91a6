export { listAuthFailures } from "./auth-failures/list-auth-failures.ts";
export { purgeAuthFailures } from "./auth-failures/purge-auth-failures.ts";
export type { AuthFailure } from "./auth-failures/queries.ts";
export { writeAuthFailures } from "./auth-failures/write-auth-failures.ts";
export { isCommonPassword } from "./common-passwords.ts";
export { isCountry } from "./countries.ts";
export {
  approveDeviceLogin,
  type DecidedDeviceLogin,
} from "./device-login/approve-device-login.ts";
export { beginDeviceLogin } from "./device-login/begin-device-login.ts";
export { parseUserCode, USER_CODE_PATTERN } from "./device-login/codes.ts";
export { collectDevicePair } from "./device-login/collect-device-pair.ts";
export { denyDeviceLogin } from "./device-login/deny-device-login.ts";
export { purgeDeviceLogins } from "./device-login/purge-device-logins.ts";
export type { DeviceLogin } from "./device-login/queries.ts";
export { requirePendingDevice } from "./device-login/require-pending-device.ts";
export { purgeEmailTokens } from "./email-verification/purge-email-tokens.ts";
export { resendVerification } from "./email-verification/resend-verification.ts";
export { verifyEmail } from "./email-verification/verify-email.ts";
export { beginProviderLogin } from "./identities/begin-provider-login.ts";
export { listIdentities } from "./identities/list-identities.ts";
export type { IdentityLogin } from "./identities/log-in-as-identity.ts";
export { logInByRedirect } from "./identities/log-in-by-redirect.ts";
export { logInWithGoogle } from "./identities/log-in-with-google.ts";
export { PROVIDER_NAMES } from "./identities/provider-names.ts";
export { purgeLoginStates } from "./identities/purge-login-states.ts";
export { unlinkIdentity } from "./identities/unlink-identity.ts";
export { insertVerifiedDeveloper } from "./insert-verified-developer.ts";
export { describeSignature } from "./keys/describe-signature.ts";
export { type GrantApiKey, grantApiKey } from "./keys/grant-api-key.ts";
export { type IssuedApiKey, issueApiKey } from "./keys/issue-api-key.ts";
export { type KeysOfMailedToken, listKeysOfMailedToken } from "./keys/list-keys-of-mailed-token.ts";
export { listOwnApiKeys } from "./keys/list-own-api-keys.ts";
export { type LoadedApiKey, loadApiKey } from "./keys/load-api-key.ts";
export { notifyGraceEndings } from "./keys/notify-grace-endings.ts";
export type { ApiKey } from "./keys/queries.ts";
export { revokeApiKey } from "./keys/revoke-api-key.ts";
export { revokeKeysByMail } from "./keys/revoke-keys-by-mail.ts";
export { rotateAccountPair } from "./keys/rotate-account-pair.ts";
export { ROTATION_REASONS, rotateApiKey } from "./keys/rotate-api-key.ts";
export { writeKeyUses } from "./keys/write-key-uses.ts";
export { expireKyb } from "./kyb/expire-kyb.ts";
export { kybStatusAt } from "./kyb/kyb-status-at.ts";
export type { KybDecisionRow } from "./kyb/queries.ts";
export { readPendingDecision } from "./kyb/read-pending-decision.ts";
export { type KybDecision, verifyKyb } from "./kyb/verify-kyb.ts";
export { requestPasswordReset } from "./password-reset/request-password-reset.ts";
export { resetPassword } from "./password-reset/reset-password.ts";
export { PROOF_SECONDS } from "./prove-account.ts";
export {
  type Developer,
  type DeveloperProfile,
  findLiveSession,
  findTenantByEmail,
  getDeveloper,
  insertDeveloper,
  insertDeveloperEmail,
} from "./queries.ts";
export { readProfile } from "./read-profile.ts";
export { registerDeveloper } from "./register-developer.ts";
export { developerSealedColumns } from "./sealed-columns.ts";
export { searchDevelopers } from "./search-developers.ts";
export { beginTotp } from "./second-factor/begin-totp.ts";
export { confirmTotp } from "./second-factor/confirm-totp.ts";
export { disableTotp } from "./second-factor/disable-totp.ts";
export { logInWithSecondFactor } from "./second-factor/log-in-with-second-factor.ts";
export { purgeChallenges } from "./second-factor/purge-challenges.ts";
export { beginSession, type MfaPending } from "./sessions/begin-session.ts";
export { endSession } from "./sessions/end-session.ts";
export { listSessions } from "./sessions/list-sessions.ts";
export { logIn } from "./sessions/log-in.ts";
export { logOut } from "./sessions/log-out.ts";
export type { SessionGrant } from "./sessions/open-session.ts";
export { purgeEndedSessions } from "./sessions/purge-ended-sessions.ts";
export { refreshSession } from "./sessions/refresh-session.ts";
export { isRecentLogin, type LoginProof } from "./sessions/require-recent-login.ts";
export { signUp } from "./sign-up.ts";
export { updateProfile } from "./update-profile.ts";
