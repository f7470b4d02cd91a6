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
export { removeProviderKeys } from "./remove-provider-keys.ts";
export { saveProviderKeys } from "./save-provider-keys.ts";
export { providerKeySealedColumns } from "./sealed-columns.ts";
