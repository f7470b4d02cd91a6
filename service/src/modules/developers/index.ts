export { isCommonPassword } from "./common-passwords.ts";
export { isCountry } from "./countries.ts";
export { resendVerification } from "./email-verification/resend-verification.ts";
export { verifyEmail } from "./email-verification/verify-email.ts";
export { insertVerifiedDeveloper } from "./insert-verified-developer.ts";
export { issueApiKey } from "./keys/issue-api-key.ts";
export { listOwnApiKeys } from "./keys/list-own-api-keys.ts";
export { type LoadedApiKey, loadApiKey } from "./keys/load-api-key.ts";
export type { ApiKey } from "./keys/queries.ts";
export { revokeApiKey } from "./keys/revoke-api-key.ts";
export { writeKeyUses } from "./keys/write-key-uses.ts";
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
export { beginTotp } from "./second-factor/begin-totp.ts";
export { confirmTotp } from "./second-factor/confirm-totp.ts";
export { disableTotp } from "./second-factor/disable-totp.ts";
export { logInWithSecondFactor } from "./second-factor/log-in-with-second-factor.ts";
export { beginSession, type MfaPending } from "./sessions/begin-session.ts";
export { endSession } from "./sessions/end-session.ts";
export { listSessions } from "./sessions/list-sessions.ts";
export { logIn } from "./sessions/log-in.ts";
export { logOut } from "./sessions/log-out.ts";
export type { SessionGrant } from "./sessions/open-session.ts";
export { refreshSession } from "./sessions/refresh-session.ts";
export { signUp } from "./sign-up.ts";
export { updateProfile } from "./update-profile.ts";
export type { Visitor } from "./visitor.ts";
