import { presentRevokedApiKey, RevokedApiKeyResource } from "../../../../modules/developers/keys/api-key-resource.ts";
import { revokeApiKey } from "../../../../modules/developers/keys/revoke-api-key.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { endpoint } from "../../../route.ts";
import { keyModesOf } from "./key-modes.ts";

export const revokeApiKeyRoute = endpoint("DELETE /api/v1/svc/developers/me/keys/:key_id", {
  operationId: "revokeApiKey",
  sdk: "developers.keys.revoke",
  summary: "Revoke an API key",
  description:
    "Revokes the key, which stops working immediately. If the key replaced another key that is still in its grace period, that key is revoked too. Revoking a revoked key changes nothing. `warnings` contains `last_live_key` if no live key is left. Fails with `api_key_not_found` for an unknown key.",
  auth: "tenant",
  scope: "keys:write",
  replayGuard: "strict",
  answers: { 200: RevokedApiKeyResource },
  errors: ["api_key_not_found"],
  run: async (app, request) => {
    const principal = principalOf(request);
    const revoked = await revokeApiKey(app, {
      actor: actorOf(request),
      keyId: request.params.key_id,
      modes: keyModesOf(principal),
    });
    return presentRevokedApiKey(revoked, app.clock.now());
  },
});
