import { Type } from "typebox";
import { createChainVerifier } from "../../../audit/chains/chains.ts";
import { AuditVerificationResource, presentAuditVerification } from "../../../audit/chains/verification-resource.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { KEYED_PROVIDERS } from "../../../foundation/vocabulary.ts";
import {
  Clearable,
  Count,
  DISPLAY_TEXT,
  ModeName,
  OneOf,
  PRINTABLE_TEXT,
  STORABLE_TEXT,
  StrictObject,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { removeProviderKeys, saveProviderKeys } from "../../../modules/provider-keys/change-provider-keys.ts";
import { getKeyedProvider, listProviderKeys, PROVIDER_KINDS } from "../../../modules/provider-keys/provider-keys.ts";
import {
  ProviderKeysListResource,
  ProviderKeysResource,
  presentProviderKeys,
  presentProviderKeysList,
  RemovedProviderKeysResource,
} from "../../../modules/provider-keys/provider-keys-resource.ts";
import { actorOf, principalOf, scopeOf } from "../../auth/principal.ts";
import { endpoint, type Route } from "../../route.ts";

/** A provider in a path, by its name or its kind. */
const ProviderPath = Type.Object({
  provider: OneOf(
    [...KEYED_PROVIDERS, ...PROVIDER_KINDS],
    "The provider's name, or the kind of service it provides, such as `bundler`.",
  ),
});

const listProviderKeysRoute = endpoint("GET /api/v1/svc/developers/provider-keys", {
  operationId: "listProviderKeys",
  sdk: "developers.providerKeys.list",
  summary: "List provider keys",
  description:
    "Returns all five providers with the metadata of the keys that are saved for them in the caller's mode. `configured` is false if no keys are saved for a provider. The keys themselves are never returned.",
  auth: "tenant",
  scope: "provider_keys:read",
  answers: { 200: ProviderKeysListResource },
  run: async (app, request) => {
    const { statuses, auditHead } = await listProviderKeys(app, scopeOf(request));
    return presentProviderKeysList(statuses, auditHead);
  },
});

const VALUE_LENGTH_MAX = 8 * 1024;

/** One line of text, because most values are sent in headers and URLs. */
const UrlValue = Type.String({ minLength: 1, maxLength: VALUE_LENGTH_MAX, ...PRINTABLE_TEXT });
const LineValue = Type.String({ maxLength: VALUE_LENGTH_MAX, format: "credential" });
const PemValue = Type.String({
  maxLength: VALUE_LENGTH_MAX,
  format: "not-blank",
  ...STORABLE_TEXT,
});

/** The fields of all providers. `saveProviderKeys` checks which of them the provider accepts. */
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
        description: "Names or CAIP-2 ids of the networks that the keys are used for.",
      }),
    ),
    webhook_public_key: Type.Optional(PemValue),
    environment: Type.Optional(Type.Enum(["production", "sandbox"])),
    base_url: Type.Optional({
      ...UrlValue,
      description: "The vendor's API URL. Default: the vendor's public API.",
    }),
    rpc_url: Type.Optional({
      ...UrlValue,
      description: "The vendor's RPC URL. Default: the vendor's public endpoint.",
    }),
  },
  {
    additionalProperties: false,
    description:
      "The fields depend on the provider. `pimlico`: `api_key`; optional `sponsorship_policy_id`, `chains`. " +
      "`turnkey`: `organization_id`, `api_public_key`, `api_private_key`; optional `base_url`. " +
      "`fireblocks`: `api_key`, `api_secret_pem`; optional `vault_account_id`, `base_url`. " +
      "`bridge`: `api_key`; optional `webhook_public_key`, `environment`. `helius`: `api_key`; optional `rpc_url`. " +
      "Each value is at most 8 KiB. White space and quotes around a credential, and the indentation of a PEM file, are removed; the characters `\\n` in it become line breaks. URLs must point to the vendor's own hosts.",
  },
);

const ProviderKeyRequest = StrictObject("ProviderKeyRequest", {
  credentials: Credentials,
  mode: Type.Optional({
    ...ModeName,
    description: "The mode of the keys. Must be the caller's mode. Default: the caller's mode.",
  }),
  label: Type.Optional(
    Clearable(
      Text("A name for this set of provider keys, without NUL characters. Default: no name.", {
        minLength: 1,
        maxLength: 100,
        ...DISPLAY_TEXT,
      }),
    ),
  ),
  verify: Type.Optional(
    OneOf(
      ["report", "required", "skip"],
      "Whether to verify the keys with one read-only call to the vendor. `report`: the keys are saved, and the result is in `verification.status`. `required`: the keys are saved only if the vendor accepts them. `skip`: the vendor is not called. Default: `report`.",
    ),
  ),
  expires_at: Type.Optional({
    ...Clearable(Timestamp),
    description:
      "When the keys expire at the vendor. The developer receives reminder emails 14 days, 7 days and 1 day before.",
  }),
  expected_version: Type.Optional(
    Count(
      "The current `version` of the keys, or 0 if no keys are configured. Any other value fails with `version_conflict`. Default: the version is not checked.",
      { minimum: 0, maximum: 2_147_483_647 },
    ),
  ),
});

const saveProviderKeysRoute = endpoint("PUT /api/v1/svc/developers/provider-keys/:provider", {
  operationId: "saveProviderKeys",
  sdk: "developers.providerKeys.save",
  summary: "Save provider keys",
  description:
    "Saves the developer's own keys for a provider, which is a vendor such as `helius`. There is one set of keys per provider and mode. A new set replaces the current one. The keys are encrypted and never returned. With `verify: required`, the call fails with `validation_error` if the vendor rejects the keys and with `provider_unavailable` if the vendor does not respond.",
  auth: "tenant",
  scope: "provider_keys:write",
  replayGuard: "always",
  params: ProviderPath,
  body: ProviderKeyRequest,
  answers: { 200: ProviderKeysResource },
  errors: ["validation_error", "provider_unavailable"],
  example: { credentials: { api_key: "YOUR_KEY" }, verify: "skip" },
  run: async (app, request) => {
    const { credentials, label, verify = "report", expires_at, ...rest } = request.body;
    const { mode } = scopeOf(request);
    if (rest.mode !== undefined && rest.mode !== mode) {
      throw invalidField("/body/mode", "const", `must be ${mode}, the caller's mode`);
    }
    const { keys, auditHead } = await saveProviderKeys(app, {
      actor: actorOf(request),
      provider: getKeyedProvider(request.params.provider),
      credentials,
      label: label ?? null,
      verify,
      expiresAt: expires_at == null ? null : new Date(expires_at),
      expectedVersion: rest.expected_version,
    });
    return presentProviderKeys(keys, auditHead);
  },
});

const removeProviderKeysRoute = endpoint("DELETE /api/v1/svc/developers/provider-keys/:provider", {
  operationId: "removeProviderKeys",
  sdk: "developers.providerKeys.remove",
  summary: "Delete provider keys",
  description:
    "Deletes the keys saved for a provider in the caller's mode. If no keys are saved, nothing changes and `deleted_at` is null.",
  auth: "tenant",
  scope: "provider_keys:write",
  replayGuard: "strict",
  params: ProviderPath,
  answers: { 200: RemovedProviderKeysResource },
  run: async (app, request) => {
    const provider = getKeyedProvider(request.params.provider);
    const removed = await removeProviderKeys(app, { actor: actorOf(request), provider });
    return toWire(RemovedProviderKeysResource, removed, { provider, configured: false });
  },
});

const CHAIN = "provider_keys";

const verifyProviderKeysAuditRoute: Route = (server, app, tag) => {
  const verifyChain = createChainVerifier(app);
  const add = endpoint("GET /api/v1/svc/developers/provider-keys/audit/verify", {
    operationId: "verifyProviderKeysAudit",
    sdk: "developers.providerKeys.verifyAudit",
    summary: "Verify the provider keys audit chain",
    description:
      "Recomputes the hashes of the `provider_keys` audit chain and compares the chain with its newest checkpoint in external storage (the anchor). All entries recorded before the call are checked. Equivalent to `GET /audit/verify?chain=provider_keys`.",
    auth: "tenant",
    scope: "audit:read",
    answers: { 200: AuditVerificationResource },
    run: async (_app, request) => {
      const { tenantId } = principalOf(request);
      return presentAuditVerification(CHAIN, await verifyChain({ tenantId, chain: CHAIN }));
    },
  });
  add(server, app, tag);
};

export const providerKeyRoutes: readonly Route[] = [
  listProviderKeysRoute,
  saveProviderKeysRoute,
  removeProviderKeysRoute,
  verifyProviderKeysAuditRoute,
];
