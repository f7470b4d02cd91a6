import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import { formatNetwork, parseNetwork } from "../../../../foundation/networks.ts";
import { SCOPES } from "../../../../foundation/vocabulary.ts";
import { AgentIdsIn, agentIdsOf } from "../../../../foundation/wire/agent-ids.ts";
import {
  Clearable,
  Metadata,
  ModeName,
  STORABLE_TEXT,
  Timestamp,
} from "../../../../foundation/wire/fields.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  type IssuedApiKey,
  IssuedApiKeyResource,
  presentIssuedApiKey,
} from "../../../../modules/developers/index.ts";
import { createApiKey } from "../../../../workflows/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { WordsIn } from "../fields.ts";
import { signatureFields, verifiedPublicKey } from "./public-key.ts";

const CreateApiKeyRequest = Type.Object(
  {
    name: { ...WordsIn(100), description: "A name for the key: up to 100 characters on one line." },
    mode: Type.Optional({
      ...ModeName,
      description:
        "The mode of the key. Default: the caller's mode. Test keys can only create test keys.",
    }),
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
    agent_ids: Type.Optional(
      AgentIdsIn(
        "UUIDs of the agents that the key is bound to. Default: the `agent_ids` of the calling key.",
      ),
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
  },
  { $id: "CreateApiKeyRequest", additionalProperties: false },
);

export function createApiKeyRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/me/keys",
    config: {
      auth: "tenant",
      scope: "keys:write",
      projectBound: "refused",
      sample: { sdk: "developers.keys.issue(BODY)", body: { name: "CI", mode: "test" } },
    },
    schema: {
      operationId: "createApiKey",
      tags: ["API keys"],
      summary: "Create an API key",
      description:
        "Creates a key pair. By default, the new key has the restrictions of the calling key and most of its scopes (see `scopes`). For a dashboard session, the defaults are those of a key with all scopes and no restrictions. Fails with `insufficient_scope` if the new key would have more permissions than the caller. The key and its secret are returned only in this response. If you lose the response, a retry with the same `Idempotency-Key` fails with `secret_already_issued`: revoke the key and create another. Fails with `conflict` if the account already has 100 active keys.",
      body: CreateApiKeyRequest,
      response: { 200: IssuedApiKeyResource, 409: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const actor = actorOf(request, principal);
      const { body } = request;
      const command = {
        actor,
        name: body.name,
        mode: body.mode ?? actor.mode,
        ...parseAuthority(body, app.clock.now()),
        metadata: body.metadata ?? {},
        publicKey: verifiedPublicKey(body, principal.tenantId),
      };
      const now = app.clock.now();
      const present = (issued: IssuedApiKey) => presentIssuedApiKey(issued, now);
      return replyOnce(
        app,
        request,
        reply,
        { status: 200, secret: true, present },
        (saveResponse) => createApiKey(app, command, saveResponse),
      );
    },
  });
}

function parseAuthority(body: Static<typeof CreateApiKeyRequest>, now: Date) {
  return {
    scopes: body.scopes && SCOPES.filter((scope) => body.scopes?.includes(scope)),
    agentIds: body.agent_ids && agentIdsOf(body.agent_ids),
    projectIds: body.project_ids,
    ipAllowlist: body.ip_allowlist && parseNetworks(body.ip_allowlist),
    rateLimitPerMinute: body.rate_limit_per_minute,
    expiresAt:
      typeof body.expires_at === "string" ? futureTime(body.expires_at, now) : body.expires_at,
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

function futureTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (time > now) return time;
  throw invalidField("/body/expires_at", "past", "must be in the future");
}
