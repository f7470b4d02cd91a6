import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { responseSignature } from "../../../crypto/signing.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { Flag, OneOf, Text } from "../../../foundation/wire/fields.ts";
import { EnvBundleResource, presentEnvBundle } from "../../../modules/env/bundle/env-bundle-resource.ts";
import { ENV_FORMATS, type PulledEnv } from "../../../modules/env/pull-env.ts";
import { pullEnv } from "../../../workflows/pull-env.ts";
import { actorOf, agentActorOf, principalOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { endpoint } from "../../route.ts";
import { boundAgentOf } from "../agents/acting-agent.ts";
import { formatDocker, formatDotenv, formatDotenvNames } from "./format-dotenv.ts";
import { EnvironmentName } from "./project-fields.ts";
import { projectKeyOf } from "./project-key.ts";

const EnvQuery = Type.Object(
  {
    environment: Type.Optional({
      ...EnvironmentName,
      description:
        "The environment to read. Default: `development`, or the project's first environment if it has no `development`. An unknown environment fails with 422.",
    }),
    format: Type.Optional(
      OneOf(
        ENV_FORMATS,
        "The response format. `dotenv` returns the sorted lines of a `.env` file as `text/plain`: `NAME='value'`, or `NAME=\"value\"` for values with a single quote. `docker` returns lines for `docker --env-file`: `NAME=value`, without quotes; fails with 422 if a value has a line break. Default: `json`.",
      ),
    ),
    names_only: Type.Optional(
      Flag(
        "Whether to omit the values. If true, `env` is null, and `dotenv` and `docker` return lines of the form `NAME=`.",
      ),
    ),
    keys: Type.Optional(
      Text(
        "The variables to return, in any case, separated by commas. Names that are not set are listed in `warnings`. Default: all variables.",
        { maxLength: 16_384, pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}(,[A-Za-z_][A-Za-z0-9_]{0,127})*$" },
      ),
    ),
  },
  { additionalProperties: false },
);

export const pullEnvRoute = endpoint("GET /api/v1/svc/projects/:project_id/env", {
  operationId: "pullEnv",
  sdk: "projects.env.pull",
  summary: "Pull an env bundle",
  description:
    "Returns an env bundle, which contains all variables of one environment: those set in the project and those of its services. Accepts signed requests only. `X-Svc-Signature` is the HMAC-SHA256 of the response body in lowercase hexadecimal; the HMAC key is the text of the API key. Every call writes an audit entry, even if the response is 304. If the key is bound to agents, the agent that acts must be active and a member of the project, and its policies decide about `env.pull`: otherwise fails with `agent_suspended`, `policy_denied` or `kya_required`.",
  auth: "signed",
  scope: "env:read",
  agentBound: "allowed",
  replayGuard: "strict",
  responseHeaders: ["ETag", "X-Svc-Dotenv-Warnings", "X-Svc-Signature"],
  query: EnvQuery,
  headers: Type.Object({
    "if-none-match": Type.Optional(
      Text("The `ETag` of an earlier response. If the bundle has not changed, the response is 304."),
    ),
  }),
  answers: {
    200: {
      description: "The bundle as JSON, or the lines of a .env file if `format` is `dotenv` or `docker`.",
      content: {
        "application/json": { schema: EnvBundleResource },
        "text/plain": { schema: Type.Unsafe<Buffer>({ type: "string" }) },
      },
    },
    304: Type.Null({ description: "The bundle has not changed." }),
  },
  errors: ["agent_suspended", "policy_denied", "kya_required"],
  run: async (app, request, reply) => {
    const pulled = await pull(app, request, {
      projectId: request.params.project_id,
      query: request.query,
      onSize: (bytes) => request.server.unsentBytes.hold(request, reply, bytes),
    });
    return sendBundle(request, reply, request.query, pulled);
  },
});

function pull(
  app: App,
  request: FastifyRequest,
  {
    projectId,
    query,
    onSize,
  }: {
    readonly projectId: string;
    readonly query: Static<typeof EnvQuery>;
    readonly onSize: (bytes: number) => void;
  },
): Promise<PulledEnv> {
  const agentId = boundAgentOf(request);
  return pullEnv(app, {
    actor: agentId === null ? actorOf(request) : agentActorOf(request, agentId),
    agentId,
    key: projectKeyOf(request, projectId, agentId),
    environment: query.environment,
    names: query.keys?.split(","),
    format: query.format ?? "json",
    namesOnly: query.names_only ?? false,
    knownTags: tagsIn(singleHeader(request, "if-none-match")),
    onSize,
  });
}

/** Returns the tags of an `If-None-Match` header, for weak comparison (RFC 9110, section 13.1.2). */
function tagsIn(header: string): string[] {
  return header
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .filter((tag) => tag !== "");
}

const FORMATTERS = { dotenv: formatDotenv, docker: formatDocker } as const;

/** The most names in a header. */
const WARNED_NAMES_MAX = 20;

/** Returns the first names and how many more there are: `A, B, +3`. */
function summaryOf(names: readonly string[]): string {
  const more = names.length - WARNED_NAMES_MAX;
  const first = names.slice(0, WARNED_NAMES_MAX);
  return [...first, ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

/**
 * Sends the bundle with its signature. The signature covers the exact bytes of the body, so the body must not be
 * serialized again or compressed.
 */
function sendBundle(
  request: FastifyRequest,
  reply: FastifyReply,
  { format, names_only: namesOnly = false }: Static<typeof EnvQuery>,
  pulled: PulledEnv,
): FastifyReply {
  // The tag is weak, because `pulled_at` and `audit_id` differ between pulls of the same variables.
  reply.header("etag", `W/${pulled.entityTag}`);
  if (pulled.isKnown) return reply.code(304).send();

  const principal = principalOf(request);
  invariant(principal.kind === "api_key", "the route accepts signed requests only");
  const isJson = format === undefined || format === "json";
  const bytes = Buffer.from(
    isJson
      ? canonicalJson(presentEnvBundle(pulled, namesOnly))
      : (namesOnly ? formatDotenvNames : FORMATTERS[format])(pulled.env),
    "utf8",
  );
  if (format === "dotenv" && !namesOnly && pulled.unportableNames.length > 0) {
    reply.header("x-svc-dotenv-warnings", summaryOf(pulled.unportableNames));
  }
  return reply
    .code(200)
    .header("content-type", `${isJson ? "application/json" : "text/plain"}; charset=utf-8`)
    .header("x-svc-signature", responseSignature(principal.apiKey, bytes))
    .send(bytes);
}
