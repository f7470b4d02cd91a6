export { isCommonPassword } from "./common-passwords.ts";
export { isCountry } from "./countries.ts";
export { resendVerification } from "./email-verification/resend-verification.ts";
export { verifyEmail } from "./email-verification/verify-email.ts";
export { insertVerifiedDeveloper } from "./insert-verified-developer.ts";
export { issueApiKey } from "./issue-api-key.ts";
export { listOwnApiKeys } from "./list-own-api-keys.ts";
export { type LoadedApiKey, loadApiKey } from "./load-api-key.ts";
export {
  type ApiKey,
  type Developer,
  findLiveSession,
  findTenantByEmail,
  getDeveloper,
  insertDeveloper,
  insertDeveloperEmail,
} from "./queries.ts";
export { registerDeveloper } from "./register-developer.ts";
export { revokeApiKey } from "./revoke-api-key.ts";
export { logIn } from "./sessions/log-in.ts";
export { logOut } from "./sessions/log-out.ts";
export type { SessionGrant } from "./sessions/open-session.ts";
export { refreshSession } from "./sessions/refresh-session.ts";
export { signUp } from "./sign-up.ts";
export { updateProfile } from "./update-profile.ts";
export type { Visitor } from "./visitor.ts";
export { writeKeyUses } from "./write-key-uses.ts";
