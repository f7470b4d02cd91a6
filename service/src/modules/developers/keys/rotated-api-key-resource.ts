import { type Static, Type } from "typebox";
import { invariant } from "../../../foundation/invariant.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import { ApiKeyResource, pairFields, presentApiKey, presentPair } from "./api-key-resource.ts";
import type { ApiKey } from "./queries.ts";
import type { RotatedAccountPair } from "./rotate-account-pair.ts";
import type { RotatedApiKey } from "./rotate-api-key.ts";

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
    previous_key: {
      ...Nullable(ReplacedAccountPairResource),
      description: "The old key pair, which the new one replaces. Null if the account had no key pair in this mode.",
    },
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
