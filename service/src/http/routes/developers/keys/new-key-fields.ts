import { type Static, Type } from "typebox";
import { invalidField } from "../../../../foundation/errors.ts";
import { formatNetwork, parseNetwork } from "../../../../foundation/networks.ts";
import { SCOPES } from "../../../../foundation/vocabulary.ts";
import { Clearable, Metadata, STORABLE_TEXT, Timestamp } from "../../../../foundation/wire/fields.ts";
import { futureTime, WordsIn } from "../fields.ts";
import { signatureFields } from "./public-key.ts";

/** The request fields of a new API key, except its mode and its agents. */
export const newKeyFields = {
  name: { ...WordsIn(100), description: "A name for the key: up to 100 characters on one line." },
  ...signatureFields,
  scopes: Type.Optional(
    Type.Array(Type.Enum([...SCOPES], { type: "string" }), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description:
        "The scopes of the key. Default: the caller's scopes except `approvals:write`. If the new key is a test key, the default does not include `audit:read` either.",
    }),
  ),
  project_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 100, ...STORABLE_TEXT, description: "A project id." }), {
      maxItems: 50,
      uniqueItems: true,
      description:
        "Ids of the projects that the key is bound to. The projects must have the same mode as the key. Default: the `project_ids` of the calling key.",
    }),
  ),
  ip_allowlist: Type.Optional(
    Type.Array(Type.String({ maxLength: 50, examples: ["203.0.113.0/24"] }), {
      maxItems: 50,
      description:
        "Networks that requests must come from, as IPv4 or IPv6 CIDR blocks. Default: the `ip_allowlist` of the calling key.",
    }),
  ),
  expires_at: Type.Optional(
    Clearable({
      ...Timestamp,
      description:
        "When the key expires. Must be in the future. Send `null` for a key that never expires. Default: the `expires_at` of the calling key.",
    }),
  ),
  rate_limit_per_minute: Type.Optional(
    Clearable(
      Type.Integer({
        minimum: 1,
        maximum: 60_000,
        description:
          "Maximum requests per minute. Send `null` for the standard limit for API keys. Default: the `rate_limit_per_minute` of the calling key.",
      }),
    ),
  ),
  metadata: Type.Optional({
    ...Metadata,
    description: "Up to 50 key-value pairs that you choose.",
  }),
};

const RequestedKey = Type.Object(newKeyFields);

/** Returns the restrictions of a new key. Throws `validation_error` for a malformed network or a past expiry. */
export function keyRestrictionsOf(body: Static<typeof RequestedKey>, now: Date) {
  return {
    scopes: body.scopes && SCOPES.filter((scope) => body.scopes?.includes(scope)),
    projectIds: body.project_ids,
    ipAllowlist: body.ip_allowlist && parseNetworks(body.ip_allowlist),
    rateLimitPerMinute: body.rate_limit_per_minute,
    expiresAt: typeof body.expires_at === "string" ? futureTime(body.expires_at, now) : body.expires_at,
  };
}

/** Normalizes the networks and removes duplicates. */
function parseNetworks(sent: readonly string[]): string[] {
  const networks = sent.map((text, index) => {
    const network = parseNetwork(text);
    if (network !== undefined) return formatNetwork(network);
    const detail = "must be a network in CIDR notation, with zeros after the prefix";
    throw invalidField(`/body/ip_allowlist/${index}`, "network", detail);
  });
  return [...new Set(networks)];
}
