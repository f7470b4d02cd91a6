import type { FastifyReply, FastifyRequest } from "fastify";
import type { LoggedRequest } from "../call-limits/request-log.ts";
import { isUuid } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import { parseJson } from "../foundation/text.ts";
import { singleHeader } from "./auth/request-headers.ts";

/** Returns what the request log has about a request with an API key. Never its body, its query or values of its path. */
export function loggedRequestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  createdAtMs: number,
): LoggedRequest {
  const { authenticated, routeOptions } = request;
  invariant(authenticated !== null, "the request was authenticated with an API key");
  const { key, startedAtMs } = authenticated;
  const agentId = singleHeader(request, "x-agent-id");
  const { url = "" } = routeOptions;
  return {
    tenantId: key.tenantId,
    requestId: request.id,
    keyId: key.keyId,
    mode: key.mode,
    method: request.method,
    path: pathOfRoute(url),
    status: reply.statusCode,
    errorCode: reply.statusCode < 400 ? null : (request.errorCode ?? codeOf(payload)),
    durationMs: Math.max(0, createdAtMs - startedAtMs),
    agentId: agentId !== "" && isUuid(agentId) ? agentId : null,
    createdAtMs,
  };
}

/** Returns the code of a problem that was stored, and not thrown. */
function codeOf(payload: unknown): string | null {
  const { code } = Object(typeof payload === "string" ? parseJson(payload) : payload);
  return typeof code === "string" ? code : null;
}

/** The documented paths of the routes that were called, by the routes' paths. */
const paths = new Map<string, string>();

/** Returns the path of a route as in the API's documents: `/projects/{project_id}` for `/projects/:project_id`. */
export function pathOfRoute(url: string): string {
  const known = paths.get(url);
  if (known !== undefined) return known;
  const path = url.replace(/:([a-z_]+)/g, "{$1}");
  paths.set(url, path);
  return path;
}
