import type { App } from "../../../app.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import {
  listProviderKeys,
  ProviderKeysListResource,
  presentProviderKeysList,
} from "../../../modules/provider-keys/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";

export function listProviderKeysRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/provider-keys",
    config: {
      auth: "tenant",
      scope: "provider_keys:read",
      projectBound: "refused",
      sample: { sdk: "developers.providerKeys.list()" },
    },
    schema: {
      operationId: "listProviderKeys",
      tags: ["Provider keys"],
      summary: "List provider keys",
      description:
        "Returns all five providers with the metadata of the keys that are saved for them in the caller's mode. `configured` is false if no keys are saved for a provider. The keys themselves are never returned.",
      response: {
        200: ProviderKeysListResource,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { statuses, auditHead } = await listProviderKeys(app, scopeOf(principalOf(request)));
      return presentProviderKeysList(statuses, auditHead);
    },
  });
}
