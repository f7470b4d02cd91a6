import { asNewcomer } from "./account-operations.ts";
import type { Operation } from "./operation.ts";
import { row } from "./row.ts";

/** Operations on keys of the API, and on keys of providers in the vault. */
export const keyOperations: readonly Operation[] = [
  row("GET /developers/me/keys"),
  row("POST /developers/me/keys", {
    request: { body: { name: "conformance", mode: "test" } },
    save: { key_id: "key_id" },
  }),
  row("POST /developers/me/keys/{key_id}/test-signature", {
    request: { body: { method: "GET", path: "/api/v1/svc/projects", timestamp: "1785000000" } },
  }),
  row("POST /developers/me/keys/{key_id}/rotate", {
    request: { body: { grace_period_seconds: 3_600 } },
    save: { key_id: "key.key_id" },
  }),
  row("DELETE /developers/me/keys/{key_id}"),
  row("GET /developers/me/auth-failures"),
  row("GET /developers/me/requests"),
  row("GET /limits"),
  // Rotating the demo developer's key would invalidate the old key, which later operations use.
  row("POST /developers/rotate-key", { as: asNewcomer }),
  row("PUT /developers/provider-keys/{provider}", { request: { body: { credentials: { api_key: "sandbox-ada" } } } }),
  row("GET /developers/provider-keys"),
  row("DELETE /developers/provider-keys/{provider}"),
  row("GET /developers/provider-keys/audit/verify"),
];
