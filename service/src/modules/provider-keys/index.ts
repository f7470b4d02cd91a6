export { removeProviderKeys, saveProviderKeys } from "./change-provider-keys.ts";
export { listProviderKeys } from "./list-provider-keys.ts";
export { openProviderCredentials } from "./open-provider-credentials.ts";
export {
  ProviderKeysListResource,
  ProviderKeysResource,
  presentProviderKeys,
  presentProviderKeysList,
  presentRemovedProviderKeys,
  RemovedProviderKeysResource,
} from "./provider-keys-resource.ts";
export {
  getKeyedProvider,
  keyFieldsOf,
  PROVIDER_KINDS,
} from "./provider-kinds.ts";
export { remindOfExpiry } from "./remind-of-expiry.ts";
export { providerKeySealedColumns } from "./sealed-columns.ts";
