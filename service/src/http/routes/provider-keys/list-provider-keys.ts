import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { keyShapeOf, listProviderKeys } from "../../../modules/provider-keys/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { NoProviderKeysOut, ProviderKeysOut, presentKeySet } from "./provider-keys-out.ts";

export function listProviderKeysRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/provider-keys",
    config: { auth: "tenant", scope: "provider_keys:read", projectBound: "refused" },
    schema: {
      operationId: "listProviderKeys",
      tags: ["Developers"],
      summary: "Which providers' keys are configured: everything about them but their values",
      response: {
        200: Type.Object({
          object: Type.Literal("list"),
          data: Type.Array(Type.Union([ProviderKeysOut, NoProviderKeysOut])),
          has_more: Type.Literal(false),
        }),
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { statuses, auditHead } = await listProviderKeys(app, scopeOf(principalOf(request)));
      return {
        object: "list" as const,
        data: statuses.map(({ provider, keys }) =>
          keys === null
            ? { provider, kind: keyShapeOf(provider).kind, configured: false as const }
            : presentKeySet(keys, auditHead),
        ),
        has_more: false as const,
      };
    },
  });
}
