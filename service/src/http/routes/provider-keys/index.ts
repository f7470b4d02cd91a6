import { type Route, withTag } from "../../route.ts";
import { listProviderKeysRoute } from "./list-provider-keys.ts";
import { removeProviderKeysRoute } from "./remove-provider-keys.ts";
import { saveProviderKeysRoute } from "./save-provider-keys.ts";
import { verifyProviderKeysAuditRoute } from "./verify-provider-keys-audit.ts";

export const providerKeyRoutes: readonly Route[] = withTag("Provider keys", [
  listProviderKeysRoute,
  saveProviderKeysRoute,
  removeProviderKeysRoute,
  verifyProviderKeysAuditRoute,
]);
