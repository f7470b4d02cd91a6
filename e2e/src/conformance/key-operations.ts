import { bearing } from "./callers.ts";
import type { Operation } from "./operation.ts";
import { guarded } from "./rows.ts";
import { text } from "./world.ts";

const KEYS = "/developers/me/keys";
const SIGNED_REQUEST = { method: "GET", path: "/api/v1/svc/projects", timestamp: "1785000000" };

export const keyOperations: readonly Operation[] = [
  guarded("GET /developers/me/keys", "tenant", 200, { method: "GET", path: KEYS }),
  guarded(
    "POST /developers/me/keys",
    "tenant",
    200,
    { method: "POST", path: KEYS, body: { name: "conformance", mode: "test" } },
    { keep: (answer, { kept }) => kept.set("key", text(answer, "key_id")) },
  ),
  guarded("POST /developers/me/keys/{key_id}/test-signature", "tenant", 200, ({ recall }) => ({
    method: "POST",
    path: `${KEYS}/${recall("key")}/test-signature`,
    body: SIGNED_REQUEST,
  })),
  guarded(
    "POST /developers/me/keys/{key_id}/rotate",
    "tenant",
    200,
    ({ recall }) => ({ method: "POST", path: `${KEYS}/${recall("key")}/rotate` }),
    { keep: (answer, { kept }) => kept.set("key", text(answer, "key.key_id")) },
  ),
  guarded("DELETE /developers/me/keys/{key_id}", "tenant", 200, ({ recall }) => ({
    method: "DELETE",
    path: `${KEYS}/${recall("key")}`,
  })),
  guarded("GET /developers/me/auth-failures", "tenant", 200, {
    method: "GET",
    path: "/developers/me/auth-failures",
  }),
  guarded("GET /limits", "tenant", 200, { method: "GET", path: "/limits" }),
  {
    name: "POST /developers/rotate-key",
    credential: "dashboard",
    status: 200,
    wrong: guarded("POST /developers/rotate-key", "dashboard", 200, {
      method: "POST",
      path: "/developers/rotate-key",
    }).wrong,
    // Rotates the newcomer's key, because later rows sign with the demo developer's key.
    call: ({ baseUrl, recall }) =>
      bearing(
        baseUrl,
        recall("newcomer's token"),
      )({ method: "POST", path: "/developers/rotate-key" }),
  },
];
