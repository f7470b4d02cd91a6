import { removeProviderKeys } from "../../../modules/provider-keys/change-provider-keys.ts";
import {
  presentRemovedProviderKeys,
  RemovedProviderKeysResource,
} from "../../../modules/provider-keys/provider-keys-resource.ts";
import { getKeyedProvider } from "../../../modules/provider-keys/provider-kinds.ts";
import { actorOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";
import { ProviderPath } from "./provider-path.ts";

export const removeProviderKeysRoute = endpoint("DELETE /api/v1/svc/developers/provider-keys/:provider", {
  operationId: "removeProviderKeys",
  sdk: "developers.providerKeys.remove",
  summary: "Delete provider keys",
  description:
    "Deletes the keys saved for a provider in the caller's mode. If no keys are saved, nothing changes and `deleted_at` is null.",
  auth: "tenant",
  scope: "provider_keys:write",
  replayGuard: "strict",
  params: ProviderPath,
  answers: { 200: RemovedProviderKeysResource },
  run: async (app, request) => {
    const provider = getKeyedProvider(request.params.provider);
    const removed = await removeProviderKeys(app, {
      actor: actorOf(request),
      provider,
    });
    return presentRemovedProviderKeys(provider, removed);
  },
});
