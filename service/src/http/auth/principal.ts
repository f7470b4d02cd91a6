import type { FastifyRequest } from "fastify";
import { developerActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import type { AdminId, TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { Mode, Scope } from "../../foundation/vocabulary.ts";
import type { LoadedApiKey } from "../../modules/developers/keys/load-api-key.ts";
import type { TokenBucket } from "../../ports/fast-state.ts";
import { clientNetworkOf } from "./client-network.ts";
import { singleHeader } from "./request-headers.ts";

/**
 * The caller of a signed request. `apiKey` and `signature` come from the request. All permissions come from the
 * database.
 */
export interface KeyPrincipal
  extends Pick<LoadedApiKey, "tenantId" | "mode" | "keyId" | "scopes" | "agentIds" | "projectIds" | "emailVerified"> {
  readonly kind: "api_key";
  readonly keyHash: string;
  /** The API key as sent. Also the HMAC key of the `X-Svc-Signature` response header. */
  readonly apiKey: string;
  readonly signature: string;
  /** The timestamp of the request, in milliseconds. */
  readonly signedAtMs: number;
  readonly signatureExpiresAtMs: number;
  /** The key's rate limit. */
  readonly bucket: TokenBucket;
}

/**
 * The caller of a request with a dashboard access token. `mode` is null if the request has no valid `X-Svc-Mode`
 * header. Only `tenant` routes require this header.
 */
export interface SessionPrincipal {
  readonly kind: "session";
  readonly tenantId: TenantId;
  readonly mode: Mode | null;
  readonly sessionId: string;
  /** When the session started. Refreshing the session's tokens does not change this time. */
  readonly loggedInAt: Date;
  readonly emailVerified: boolean;
  /**
   * True if the token came in a cookie. The request must then pass `isSameOrigin`, because browsers also send cookies
   * with requests from other sites.
   */
  readonly byCookie: boolean;
}

export type Principal = KeyPrincipal | SessionPrincipal;

/** The caller of an admin route. */
export interface AdminPrincipal {
  readonly kind: "admin";
  readonly adminId: AdminId;
  readonly sessionId: string;
  readonly byCookie: boolean;
}

export function principalOf(request: FastifyRequest): Principal {
  invariant(request.principal !== null, "the route requires a developer's credential");
  return request.principal;
}

export function adminOf(request: FastifyRequest): AdminPrincipal {
  invariant(request.admin !== null, "the route requires an admin's credential");
  return request.admin;
}

/** Returns the filter for the rows that the caller can read. Agent ids are lowercased, as in the database. */
export function scopeOf(request: FastifyRequest): TenantScope {
  const principal = principalOf(request);
  const { tenantId, mode } = principal;
  invariant(mode !== null, "the route requires a mode");
  const bound = principal.kind === "api_key" ? principal : { agentIds: [], projectIds: [] };
  const agentIds = bound.agentIds.map((id) => id.toLowerCase());
  return { tenantId, mode, agentIds, projectIds: bound.projectIds };
}

/** Returns true if the principal has the scope. Dashboard sessions have all scopes (docs/rules/scopes.md). */
export function hasScope(principal: Principal, scope: Scope): boolean {
  return principal.kind === "session" || principal.scopes.includes(scope);
}

/** Returns true if the principal may decide approvals, and so may change which operations need one. */
export function mayDecideApprovals(principal: Principal): boolean {
  const isBound = principal.kind === "api_key" && principal.agentIds.length + principal.projectIds.length > 0;
  return hasScope(principal, "approvals:write") && !isBound;
}

export function actorOf(request: FastifyRequest, principal = principalOf(request)): Actor {
  return developerActor(principal, {
    network: clientNetworkOf(request.ip),
    requestId: request.id,
    ...(principal.kind === "api_key" ? { keyId: principal.keyId } : { sessionId: principal.sessionId }),
  });
}

/**
 * Returns the actor for an audit entry of a change to something that belongs to this agent. The actor is the agent if the
 * request has `X-Agent-ID` or its key is bound to agents, and else the developer. The caller must have checked that the
 * agent is the one in `X-Agent-ID`, and one of those that the key is bound to.
 */
export function agentActorOf(request: FastifyRequest, agentId: string): Actor {
  const developer = actorOf(request);
  if (!isAgentActing(request)) return developer;
  return { ...developer, actor: { ...developer.actor, type: "agent", id: agentId } };
}

function isAgentActing(request: FastifyRequest): boolean {
  if (singleHeader(request, "x-agent-id") !== "") return true;
  const principal = principalOf(request);
  return principal.kind === "api_key" && principal.agentIds.length > 0;
}
