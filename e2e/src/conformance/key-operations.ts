import { bearerCaller } from "./callers.ts";
import { text } from "./context.ts";
import { authenticatedOperation } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const KEYS = "/developers/me/keys";
const SIGNED_REQUEST = { method: "GET", path: "/api/v1/svc/projects", timestamp: "1785000000" };

export const keyOperations: readonly Operation[] = [
  authenticatedOperation("GET /developers/me/keys", "tenant", 200, { method: "GET", path: KEYS }),
  authenticatedOperation(
    "POST /developers/me/keys",
    "tenant",
    200,
    { method: "POST", path: KEYS, body: { name: "conformance", mode: "test" } },
    { save: (response, { saved }) => saved.set("key", text(response, "key_id")) },
  ),
  authenticatedOperation("POST /developers/me/keys/{key_id}/test-signature", "tenant", 200, ({ recall }) => ({
    method: "POST",
    path: `${KEYS}/${recall("key")}/test-signature`,
    body: SIGNED_REQUEST,
  })),
  authenticatedOperation(
    "POST /developers/me/keys/{key_id}/rotate",
    "tenant",
    200,
    ({ recall }) => ({ method: "POST", path: `${KEYS}/${recall("key")}/rotate` }),
    { save: (response, { saved }) => saved.set("key", text(response, "key.key_id")) },
  ),
  authenticatedOperation("DELETE /developers/me/keys/{key_id}", "tenant", 200, ({ recall }) => ({
    method: "DELETE",
    path: `${KEYS}/${recall("key")}`,
  })),
  authenticatedOperation("GET /developers/me/auth-failures", "tenant", 200, {
    method: "GET",
    path: "/developers/me/auth-failures",
  }),
  authenticatedOperation("GET /limits", "tenant", 200, { method: "GET", path: "/limits" }),
  {
    name: "POST /developers/rotate-key",
    credential: "dashboard",
    status: 200,
    wrongCalls: authenticatedOperation("POST /developers/rotate-key", "dashboard", 200, {
      method: "POST",
      path: "/developers/rotate-key",
    }).wrongCalls,
    // Rotates the key of the developer who signed up in an earlier operation. Rotating the demo developer's key would
    // invalidate the old key, which later operations use.
    call: ({ baseUrl, recall }) =>
      bearerCaller(baseUrl, recall("newcomer's token"))({ method: "POST", path: "/developers/rotate-key" }),
  },
];
