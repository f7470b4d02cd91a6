import type { FastifyRequest } from "fastify";
import { developerActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import type { AdminId, ApiKeyId, TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import type { Mode, Scope } from "../../foundation/vocabulary.ts";
import type { TokenBucket } from "../../ports/fast-state.ts";
import { networkOf } from "./client-network.ts";

/** A request under an API key. Everything in it comes from the key, nothing from the request. */
export interface KeyPrincipal {
  readonly kind: "api_key";
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly keyId: ApiKeyId;
  readonly keyHash: string;
  /** The key's own text, under which an environment bundle is signed. */
  readonly apiKey: string;
  readonly signature: string;
  readonly signatureExpiresAtMs: number;
  readonly scopes: readonly Scope[];
  /** Empty: the key is bound to no agent. */
  readonly agentIds: readonly string[];
  /** Empty: the key reaches every project. */
  readonly projectIds: readonly string[];
  readonly emailVerified: boolean;
  /** What its requests are counted in. */
  readonly bucket: TokenBucket;
}

/** A request under a dashboard session. `mode` is null on routes that have none (profile, register). */
export interface SessionPrincipal {
  readonly kind: "session";
  readonly tenantId: TenantId;
  readonly mode: Mode | null;
  readonly sessionId: string;
  /** When the session began, however often its tokens were refreshed since. */
  readonly loggedInAt: Date;
  readonly emailVerified: boolean;
  /** Whether the token came in a cookie, which browsers send along on anybody's behalf. */
  readonly byCookie: boolean;
}

export type Principal = KeyPrincipal | SessionPrincipal;

/** A request under an admin's session. It is nobody's tenant, so it stands apart from those that are. */
export interface AdminPrincipal {
  readonly kind: "admin";
  readonly adminId: AdminId;
  readonly sessionId: string;
  readonly byCookie: boolean;
}

/** Returns the rows that the principal may read. Agent ids are in lower case, as they are stored. */
export function scopeOf(principal: Principal): TenantScope {
  const { tenantId, mode } = principal;
  invariant(mode !== null, "a handler that needs a mode stands on a route that demands one");
  const bound = principal.kind === "api_key" ? principal : { agentIds: [], projectIds: [] };
  const agentIds = bound.agentIds.map((id) => id.toLowerCase());
  return { tenantId, mode, agentIds, projectIds: bound.projectIds };
}

/** Whether the principal has the scope. Dashboard sessions have every scope (contract, section 11). */
export function hasScope(principal: Principal, scope: Scope): boolean {
  return principal.kind === "session" || principal.scopes.includes(scope);
}

/** Who the audit trail says it was. */
export function actorOf(request: FastifyRequest, principal: Principal): Actor {
  return developerActor(principal, {
    network: networkOf(request.ip),
    requestId: request.id,
    ...(principal.kind === "api_key"
      ? { keyId: principal.keyId }
      : { sessionId: principal.sessionId }),
  });
}
