export { type IssuedApiKey, issueApiKey } from "./issue-api-key.ts";
export { listOwnApiKeys } from "./list-own-api-keys.ts";
export { type LoadedApiKey, loadApiKey } from "./load-api-key.ts";
export {
  type ApiKey,
  type Developer,
  findLiveSession,
  getDeveloper,
  insertDeveloper,
  insertDeveloperEmail,
} from "./queries.ts";
export { type RevokedApiKey, revokeApiKey } from "./revoke-api-key.ts";
export { writeKeyUses } from "./write-key-uses.ts";
