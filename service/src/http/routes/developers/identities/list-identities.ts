import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { IDENTITY_PROVIDERS } from "../../../../foundation/vocabulary.ts";
import { Timestamp } from "../../../../foundation/wire/common.ts";
import { credentialErrors } from "../../../../foundation/wire/problem.ts";
import { listIdentities } from "../../../../modules/developers/index.ts";
import { principalOf, type Server } from "../../../route.ts";

const IdentityOut = Type.Object(
  {
    object: Type.Literal("identity"),
    provider: Type.Enum([...IDENTITY_PROVIDERS]),
    email: Type.String({ description: "As the provider named it at the last login." }),
    linked_at: Timestamp,
    last_used_at: Timestamp,
  },
  { $id: "Identity" },
);

export function listIdentitiesRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/dashboard/identities",
    config: { auth: "dashboard", unverified: "allowed" },
    schema: {
      operationId: "listIdentities",
      tags: ["Developers"],
      summary: "The GitHub and Google accounts that log in to this account",
      response: {
        200: Type.Object({
          object: Type.Literal("list"),
          data: Type.Array(IdentityOut),
          has_more: Type.Literal(false),
        }),
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const identities = await listIdentities(app, principalOf(request).tenantId);
      return {
        object: "list" as const,
        data: identities.map(({ provider, email, linkedAt, lastUsedAt }) => ({
          object: "identity" as const,
          provider,
          email,
          linked_at: linkedAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
        })),
        has_more: false as const,
      };
    },
  });
}
