import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { listOwnApiKeys } from "../../../modules/developers/index.ts";
import { principalOf, type Server } from "../../route.ts";
import { credentialErrors } from "../../schemas/errors.ts";
import { keyModesOf } from "./key-modes.ts";
import { ApiKeyOut, presentApiKey } from "./presenter.ts";

export function listApiKeysRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/me/keys",
    config: { auth: "tenant", scope: "keys:read", projectBound: "refused" },
    schema: {
      operationId: "listApiKeys",
      tags: ["Developers"],
      summary: "All API keys of the developer, newest first, the revoked ones among them",
      response: {
        200: Type.Object({
          object: Type.Literal("list"),
          data: Type.Array(ApiKeyOut),
          has_more: Type.Literal(false),
        }),
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { tenantId } = principal;
      const keys = await listOwnApiKeys(app, { tenantId, modes: keyModesOf(principal) });
      const now = app.clock.now();
      return {
        object: "list" as const,
        data: keys.map((key) => presentApiKey(key, now)),
        has_more: false as const,
      };
    },
  });
}
