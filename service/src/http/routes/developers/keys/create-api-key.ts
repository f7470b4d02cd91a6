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
} from "../../../../foundation/wire/common.ts";
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
import { provenPublicKey, signatureFields } from "./public-key.ts";

const CreateApiKeyRequest = Type.Object(
  {
    name: WordsIn(100),
    mode: Type.Optional({ ...ModeName, description: "The caller's, unless it is said." }),
    ...signatureFields,
    scopes: Type.Optional(
      Type.Array(Type.Enum([...SCOPES], { type: "string" }), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
        description:
          "Not given: all of the caller's but approvals:write and, for a test key, audit:read.",
      }),
    ),
    agent_ids: Type.Optional(AgentIdsIn("Agents that the key is bound to. UUIDs.")),
    project_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 100, ...STORABLE_TEXT }), {
        maxItems: 50,
        uniqueItems: true,
        description: "Projects that the key is bound to, of its own mode.",
      }),
    ),
    ip_allowlist: Type.Optional(
      Type.Array(Type.String({ maxLength: 50, examples: ["203.0.113.0/24"] }), {
        maxItems: 50,
        description: "Networks in CIDR form, IPv4 or IPv6, that requests must come from.",
      }),
    ),
    expires_at: Type.Optional(Clearable(Timestamp)),
    rate_limit_per_minute: Type.Optional(Clearable(Type.Integer({ minimum: 1, maximum: 60_000 }))),
    metadata: Type.Optional(Metadata),
  },
  { $id: "CreateApiKeyRequest", additionalProperties: false },
);

export function createApiKeyRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/me/keys",
    config: { auth: "tenant", scope: "keys:write", projectBound: "refused" },
    schema: {
      operationId: "createApiKey",
      tags: ["Developers"],
      summary: "Issue an API key, which may do no more than the caller",
      description:
        "Both texts are in this answer and nowhere else. What is not said of the key's reach, limits and end is as the calling key's.",
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
        ...authorityIn(body, app.clock.now()),
        metadata: body.metadata ?? {},
        publicKey: provenPublicKey(body, principal.tenantId),
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

function authorityIn(body: Static<typeof CreateApiKeyRequest>, now: Date) {
  return {
    scopes: body.scopes && SCOPES.filter((scope) => body.scopes?.includes(scope)),
    agentIds: body.agent_ids && agentIdsOf(body.agent_ids),
    projectIds: body.project_ids,
    ipAllowlist: body.ip_allowlist && networksIn(body.ip_allowlist),
    rateLimitPerMinute: body.rate_limit_per_minute,
    expiresAt:
      typeof body.expires_at === "string" ? futureTime(body.expires_at, now) : body.expires_at,
  };
}

/** Each network once, in the one way in which we write it. */
function networksIn(sent: readonly string[]): string[] {
  const networks = sent.map((text, index) => {
    const network = parseNetwork(text);
    if (network !== undefined) return formatNetwork(network);
    const detail = "is not a network in CIDR form, or has bits behind its prefix";
    throw invalidField(`/body/ip_allowlist/${index}`, "network", detail);
  });
  return [...new Set(networks)];
}

function futureTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (time > now) return time;
  throw invalidField("/body/expires_at", "past", "is not in the future");
}
