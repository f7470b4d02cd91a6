import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { KEYED_PROVIDERS } from "../../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { providerNamed, removeProviderKeys } from "../../../modules/provider-keys/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { ProviderPath } from "./provider-keys-out.ts";

const RemovedProviderKeysOut = Type.Object(
  {
    provider: Type.Enum([...KEYED_PROVIDERS]),
    configured: Type.Literal(false),
    deleted_at: Nullable(Timestamp),
    audit_id: Nullable(
      Type.String({ description: "Both are null where there was nothing to remove." }),
    ),
  },
  { $id: "RemovedProviderKeys" },
);

export function removeProviderKeysRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/developers/provider-keys/:provider",
    config: { auth: "tenant", scope: "provider_keys:write", projectBound: "refused" },
    schema: {
      operationId: "removeProviderKeys",
      tags: ["Developers"],
      summary: "Destroy a provider's keys",
      params: ProviderPath,
      response: { 200: RemovedProviderKeysOut, ...credentialErrors },
    },
    handler: async (request) => {
      const provider = providerNamed(request.params.provider);
      const { deletedAt, auditId } = await removeProviderKeys(app, {
        actor: actorOf(request, principalOf(request)),
        provider,
      });
      return {
        provider,
        configured: false as const,
        deleted_at: deletedAt?.toISOString() ?? null,
        audit_id: auditId,
      };
    },
  });
}
