import { type Static, Type } from "typebox";
import { invariant } from "../../../foundation/invariant.ts";
import { AGENT_BOUND_SCOPES, PROJECT_BOUND_SCOPES, SCOPES, type Scope } from "../../../foundation/vocabulary.ts";
import { ListOf, ModeName, Nullable, OneOf, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { IssuedApiKey } from "./api-keys.ts";
import type { ApiKey } from "./queries.ts";
import type { RotatedAccountPair, RotatedApiKey } from "./rotate-api-key.ts";
import type { RevokedApiKey } from "./withdraw-keys.ts";

/** An API key, without its secret (docs/rules/api-keys.md). */
export const ApiKeyResource = Type.Object(
  {
    object: Type.Literal("api_key"),
    key_id: Text("The key's id, with the prefix `key_`."),
    name: Text("The key's name, set by the developer."),
    mode: ModeName,
    key_prefix: Text("The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode."),
    key_hint: Text("The last four characters of `api_key`, preceded by an ellipsis."),
    signature_alg: OneOf(["hmac-sha256", "ed25519"], "The signature algorithm for requests (docs/rules/signing.md)."),
    status: OneOf(
      ["active", "rotating", "expired", "revoked", "disabled"],
      "Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`.",
    ),
    scopes: ListOf(
      Type.Enum([...SCOPES]),
      "The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use.",
    ),
    agent_ids: ListOf(
      Type.String(),
      "UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents.",
    ),
    project_ids: ListOf(
      Type.String(),
      "Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects.",
    ),
    ip_allowlist: ListOf(
      Type.String(),
      "The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network.",
    ),
    rate_limit_per_minute: Nullable(
      Type.Integer(),
      "Maximum requests per minute. `null` means the standard limit for API keys.",
    ),
    metadata: Type.Record(Type.String(), Type.String(), {
      description: "Key-value pairs set by the developer.",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: Text("The id of the developer who created the key."),
    expires_at: Nullable(Timestamp, "When the key expires. `null` if it never expires."),
    last_used_at: Nullable(
      Timestamp,
      "When the last request with the key was accepted. `null` if the key has never been used.",
    ),
    last_used_ip: Nullable(
      Type.String(),
      "The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used.",
    ),
    rotated_from: Nullable(Type.String(), "The id of the key that this key replaced. Null if it replaced none."),
    replaced_by: Nullable(
      Type.String(),
      "The id of the key that replaced this key. Null if this key was not replaced.",
    ),
    grace_expires_at: Nullable(
      Timestamp,
      "When the key stops working, if it was replaced with a grace period. Null in all other cases.",
    ),
    revoked_at: Nullable(Timestamp),
    revoke_reason: Nullable(
      Type.String(),
      "Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked.",
    ),
  },
  { $id: "ApiKey", description: "An API key, without its secret." },
);

/** A new key and its secret. They are returned only once, in the response to the request that creates the key. */
export const pairFields = {
  api_key: Text("The API key to send with each request. It is returned only in this response: store it now."),
  api_secret: Nullable(
    Type.String(),
    "The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key.",
  ),
};

/** A new API key, including its key pair. */
export const IssuedApiKeyResource = Type.Object(
  { ...ApiKeyResource.properties, ...pairFields },
  {
    $id: "IssuedApiKey",
    description: "The properties of a new API key and its key pair. The key pair is shown only once.",
  },
);

export const RevokedApiKeyResource = Type.Object(
  {
    ...ApiKeyResource.properties,
    warnings: Type.Optional(
      ListOf(
        Type.Enum(["last_live_key"]),
        "Contains `last_live_key` if a live key was revoked and the account now has no live key that works. Absent in all other cases.",
      ),
    ),
  },
  { $id: "RevokedApiKey", description: "A revoked API key." },
);

export function presentApiKey(key: ApiKey, now: Date): Static<typeof ApiKeyResource> {
  return toWire(ApiKeyResource, key, {
    key_prefix: `svc_sk_${key.mode}_`,
    status: statusOf(key, now),
    scopes: usableScopesOf(key),
    last_used_ip: key.lastUsedNetwork,
  });
}

function usableScopesOf({ scopes, agentIds, projectIds }: ApiKey): Scope[] {
  return scopes.filter(
    (scope) =>
      (agentIds.length === 0 || AGENT_BOUND_SCOPES.includes(scope)) &&
      (projectIds.length === 0 || PROJECT_BOUND_SCOPES.includes(scope)),
  );
}

function statusOf(key: ApiKey, now: Date): Static<typeof ApiKeyResource>["status"] {
  if (key.revokedAt !== null) return "revoked";
  const isExpired = [key.expiresAt, key.graceExpiresAt].some((end) => end !== null && end <= now);
  if (isExpired) return "expired";
  return key.graceExpiresAt === null ? "active" : "rotating";
}

export function presentPair({ apiKey, apiSecret }: Pick<IssuedApiKey, "apiKey" | "apiSecret">): {
  api_key: string;
  api_secret: string | null;
} {
  return { api_key: apiKey, api_secret: apiSecret };
}

export function presentIssuedApiKey({ key, ...pair }: IssuedApiKey, now: Date): Static<typeof IssuedApiKeyResource> {
  return { ...presentApiKey(key, now), ...presentPair(pair) };
}

export function presentRevokedApiKey(
  { key, wasLastLiveKey }: RevokedApiKey,
  now: Date,
): Static<typeof RevokedApiKeyResource> {
  return { ...presentApiKey(key, now), ...(wasLastLiveKey && { warnings: ["last_live_key"] }) };
}

const { key_id, status, grace_expires_at } = ApiKeyResource.properties;

const ReplacedApiKeyResource = Type.Object(
  { key_id, status, grace_expires_at },
  { $id: "ReplacedApiKey", description: "The old API key, which the new one replaces." },
);

/** The successor of an API key, including its key pair. */
export const RotatedApiKeyResource = Type.Object(
  { key: ApiKeyResource, ...pairFields, previous_key: ReplacedApiKeyResource },
  {
    $id: "RotatedApiKey",
    description:
      "The properties of the new API key, its key pair, and the properties of the old API key that it replaces. The key pair is shown only once.",
  },
);

const ReplacedAccountPairResource = Type.Object(
  { key_id, revoked_at: Timestamp },
  { $id: "ReplacedAccountPair", description: "The old key pair, which the new one replaces." },
);

export const RotatedAccountPairResource = Type.Object(
  {
    ...pairFields,
    key: ApiKeyResource,
    previous_key: Nullable(
      ReplacedAccountPairResource,
      "The old key pair, which the new one replaces. Null if the account had no key pair in this mode.",
    ),
  },
  { $id: "RotatedAccountPair", description: "The account's new key pair. It is shown only once." },
);

export function presentRotatedApiKey(
  { key, previous, ...pair }: RotatedApiKey,
  now: Date,
): Static<typeof RotatedApiKeyResource> {
  const replaced = presentApiKey(previous, now);
  return {
    key: presentApiKey(key, now),
    ...presentPair(pair),
    previous_key: {
      key_id: replaced.key_id,
      status: replaced.status,
      grace_expires_at: replaced.grace_expires_at,
    },
  };
}

export function presentRotatedAccountPair(
  { key, previous, ...pair }: RotatedAccountPair,
  now: Date,
): Static<typeof RotatedAccountPairResource> {
  return {
    ...presentPair(pair),
    key: presentApiKey(key, now),
    previous_key: previous && presentReplacedPair(previous),
  };
}

function presentReplacedPair({ keyId, revokedAt }: ApiKey): Static<typeof ReplacedAccountPairResource> {
  invariant(revokedAt !== null, "a replaced account pair is revoked");
  return { key_id: keyId, revoked_at: revokedAt.toISOString() };
}
