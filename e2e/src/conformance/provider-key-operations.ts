import { authenticatedOperation } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const PROVIDER = "/developers/provider-keys/helius";

export const providerKeyOperations: readonly Operation[] = [
  authenticatedOperation("PUT /developers/provider-keys/{provider}", "tenant", 200, {
    method: "PUT",
    path: PROVIDER,
    body: { credentials: { api_key: "sandbox-ada" } },
  }),
  authenticatedOperation("GET /developers/provider-keys", "tenant", 200, {
    method: "GET",
    path: "/developers/provider-keys",
  }),
  authenticatedOperation("DELETE /developers/provider-keys/{provider}", "tenant", 200, {
    method: "DELETE",
    path: PROVIDER,
  }),
  authenticatedOperation("GET /developers/provider-keys/audit/verify", "tenant", 200, {
    method: "GET",
    path: "/developers/provider-keys/audit/verify",
  }),
];
