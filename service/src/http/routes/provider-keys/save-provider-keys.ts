import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import {
  Clearable,
  ModeName,
  PRINTABLE_TEXT,
  STORABLE_TEXT,
  Timestamp,
} from "../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import {
  ProviderKeysResource,
  presentProviderKeys,
  providerNamed,
  saveProviderKeys,
} from "../../../modules/provider-keys/index.ts";
import { actorOf, scopeOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { ProviderPath } from "./provider-path.ts";

const VALUE_LENGTH_MAX = 8 * 1024;

/** On one line: most of them travel in headers and addresses. */
const LineValue = Type.String({
  minLength: 1,
  maxLength: VALUE_LENGTH_MAX,
  ...PRINTABLE_TEXT,
});
const PemValue = Type.String({
  minLength: 1,
  maxLength: VALUE_LENGTH_MAX,
  ...STORABLE_TEXT,
});

/** The fields of all providers. Which of them are one provider's is said in the description, and checked by the operation. */
const Credentials = Type.Object(
  {
    api_key: Type.Optional(LineValue),
    api_public_key: Type.Optional(LineValue),
    api_private_key: Type.Optional(LineValue),
    api_secret_pem: Type.Optional(PemValue),
    organization_id: Type.Optional(LineValue),
    vault_account_id: Type.Optional(LineValue),
    sponsorship_policy_id: Type.Optional(LineValue),
    chains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100, ...PRINTABLE_TEXT }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
      }),
    ),
    webhook_public_key: Type.Optional(PemValue),
    environment: Type.Optional(Type.Enum(["production", "sandbox"])),
    base_url: Type.Optional(LineValue),
    rpc_url: Type.Optional(LineValue),
  },
  {
    additionalProperties: false,
    description:
      "pimlico: api_key, optional sponsorship_policy_id, chains. turnkey: organization_id, api_public_key, " +
      "api_private_key, optional base_url. fireblocks: api_key, api_secret_pem, optional vault_account_id, base_url. " +
      "bridge: api_key, optional webhook_public_key, environment. helius: api_key, optional rpc_url. " +
      "Each value takes at most 8 KiB; addresses are the vendor's own.",
  },
);

const ProviderKeyRequest = Type.Object(
  {
    credentials: Credentials,
    mode: Type.Optional({ ...ModeName, description: "Where sent, the caller's own." }),
    label: Type.Optional(
      Clearable(Type.String({ minLength: 1, maxLength: 100, ...STORABLE_TEXT })),
    ),
    verify: Type.Optional(
      Type.Enum(["report", "required", "skip"], {
        default: "report",
        description:
          "Whether to ask the vendor if the keys work, by one call that changes nothing.",
      }),
    ),
    expires_at: Type.Optional({
      ...Clearable(Timestamp),
      description: "When the vendor ends them: their owner is reminded 14, 7 and 1 day before.",
    }),
    expected_version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description:
          "The version that is to be replaced; 0 where none may be configured. Another is 409.",
      }),
    ),
  },
  { $id: "ProviderKeyRequest", additionalProperties: false },
);

export function saveProviderKeysRoute(server: Server, app: App): void {
  server.route({
    method: "PUT",
    url: "/api/v1/svc/developers/provider-keys/:provider",
    config: {
      auth: "tenant",
      scope: "provider_keys:write",
      projectBound: "refused",
      sample: {
        sdk: 'developers.providerKeys.save("helius", BODY)',
        body: { credentials: { api_key: "YOUR_KEY" }, verify: "skip" },
      },
    },
    schema: {
      operationId: "saveProviderKeys",
      tags: ["Developers"],
      summary:
        "Save a provider's keys, in the place of those before them; no value ever comes back",
      params: ProviderPath,
      body: ProviderKeyRequest,
      response: { 200: ProviderKeysResource, 409: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { credentials, label, verify = "report", expires_at, ...rest } = request.body;
      const { mode } = scopeOf(principal);
      if (rest.mode !== undefined && rest.mode !== mode) {
        throw invalidField("/body/mode", "const", `must be ${mode}, the mode of this call`);
      }
      const { keys, auditHead } = await saveProviderKeys(app, {
        actor: actorOf(request, principal),
        provider: providerNamed(request.params.provider),
        credentials,
        label: label ?? null,
        verify,
        expiresAt: expires_at == null ? null : new Date(expires_at),
        expectedVersion: rest.expected_version,
      });
      return presentProviderKeys(keys, auditHead);
    },
  });
}
