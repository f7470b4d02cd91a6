import { listProviderKeys } from "../../../modules/provider-keys/list-provider-keys.ts";
import {
  ProviderKeysListResource,
  presentProviderKeysList,
} from "../../../modules/provider-keys/provider-keys-resource.ts";
import { scopeOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";

export const listProviderKeysRoute = endpoint("GET /api/v1/svc/developers/provider-keys", {
  operationId: "listProviderKeys",
  sdk: "developers.providerKeys.list",
  summary: "List provider keys",
  description:
    "Returns all five providers with the metadata of the keys that are saved for them in the caller's mode. `configured` is false if no keys are saved for a provider. The keys themselves are never returned.",
  auth: "tenant",
  scope: "provider_keys:read",
  answers: { 200: ProviderKeysListResource },
  run: async (app, request) => {
    const { statuses, auditHead } = await listProviderKeys(app, scopeOf(request));
    return presentProviderKeysList(statuses, auditHead);
  },
});
