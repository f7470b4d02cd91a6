import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { isSafePublicKey, verifyProofOfPossession } from "../../../../crypto/ed25519.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import { formatNetwork, parseNetwork } from "../../../../foundation/networks.ts";
import { type Mode, SCOPES } from "../../../../foundation/vocabulary.ts";
import {
  Clearable,
  Count,
  Metadata,
  OneOf,
  STORABLE_TEXT,
  Text,
  Timestamp,
} from "../../../../foundation/wire/fields.ts";
import { requestedMode } from "../../../auth/authenticate.ts";
import type { Principal } from "../../../auth/principal.ts";
import { countHeader } from "../../../auth/request-headers.ts";
import { futureTime, WordsIn } from "../fields.ts";

/**
 * Returns the modes of the keys that the caller can access: both modes for live keys and dashboard sessions, only
 * `test` for test keys (docs/rules/conventions.md).
 */
export function keyModesOf(principal: Principal): readonly Mode[] {
  return principal.kind === "api_key" && principal.mode === "test" ? ["test"] : ["live", "test"];
}

/**
 * Returns the mode of an API key that is issued with a dashboard session: the value of the `X-Svc-Mode` header, or
 * `live` if the header is missing (docs/rules/conventions.md). Throws `validation_error` if the value is not a mode.
 */
export function requestedModeOrLive(request: FastifyRequest): Mode {
  if (countHeader(request, "x-svc-mode") === 0) return "live";
  const mode = requestedMode(request);
  if (mode !== null) return mode;
  throw invalidField("/headers/x-svc-mode", "enum", "must be live or test");
}

/** The request fields that choose a new key's signature algorithm. */
export const signatureFields = {
  signature_alg: Type.Optional(
    OneOf(["hmac-sha256", "ed25519"], "The signature algorithm for requests. Default: `hmac-sha256`."),
  ),
  public_key: Type.Optional(
    Text("The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key.", {
      maxLength: 100,
    }),
  ),
  proof: Type.Optional(
    Text(
      "An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`.",
      { maxLength: 200 },
    ),
  ),
};

interface SignatureFields {
  readonly signature_alg?: "hmac-sha256" | "ed25519";
  readonly public_key?: string;
  readonly proof?: string;
}

/**
 * Returns the public key after checking the proof of possession. Returns undefined for an HMAC key. Throws
 * `validation_error` if a field is missing, invalid, or not allowed for the signature algorithm.
 */
export function verifiedPublicKey(
  { signature_alg = "hmac-sha256", public_key, proof }: SignatureFields,
  holderId: string,
): string | undefined {
  if (signature_alg === "hmac-sha256") {
    for (const [field, value] of Object.entries({ public_key, proof })) {
      if (value !== undefined)
        throw invalidKeyField(field, "unexpected", "must be absent unless signature_alg is ed25519");
    }
    return undefined;
  }
  if (public_key === undefined)
    throw invalidKeyField("public_key", "required", "is required if signature_alg is ed25519");
  if (!isSafePublicKey(public_key)) {
    throw invalidKeyField("public_key", "public_key", "must be a valid Ed25519 public key");
  }
  if (proof === undefined) throw invalidKeyField("proof", "required", "is required if signature_alg is ed25519");
  if (!verifyProofOfPossession(public_key, proof, { holderId })) {
    throw invalidKeyField("proof", "proof", "must be a valid signature over the text given in the API reference");
  }
  return public_key;
}

function invalidKeyField(field: string, code: string, detail: string) {
  return invalidField(`/body/${field}`, code, detail);
}

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
    Type.Array(Text("A project id.", { maxLength: 100, ...STORABLE_TEXT }), {
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
      Count(
        "Maximum requests per minute. Send `null` for the standard limit for API keys. Default: the `rate_limit_per_minute` of the calling key.",
        { minimum: 1, maximum: 60_000 },
      ),
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

function parseNetworks(sent: readonly string[]): string[] {
  const networks = sent.map((text, index) => {
    const network = parseNetwork(text);
    if (network !== undefined) return formatNetwork(network);
    const detail = "must be a network in CIDR notation, with zeros after the prefix";
    throw invalidField(`/body/ip_allowlist/${index}`, "network", detail);
  });
  return [...new Set(networks)];
}
