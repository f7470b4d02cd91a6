import type { Operation } from "./operation.ts";
import { guarded } from "./rows.ts";

const PROVIDER = "/developers/provider-keys/helius";

export const providerKeyOperations: readonly Operation[] = [
  guarded("PUT /developers/provider-keys/{provider}", "tenant", 200, {
    method: "PUT",
    path: PROVIDER,
    body: { credentials: { api_key: "sandbox-ada" } },
  }),
  guarded("GET /developers/provider-keys", "tenant", 200, {
    method: "GET",
    path: "/developers/provider-keys",
  }),
  guarded("DELETE /developers/provider-keys/{provider}", "tenant", 200, {
    method: "DELETE",
    path: PROVIDER,
  }),
  guarded("GET /developers/provider-keys/audit/verify", "tenant", 200, {
    method: "GET",
    path: "/developers/provider-keys/audit/verify",
  }),
];
