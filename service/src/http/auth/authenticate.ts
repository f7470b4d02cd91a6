import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { AppError, authenticationFailed, missingScope } from "../../foundation/errors.ts";
import { isKybVerified } from "../../modules/developers/kyb/kyb-status.ts";
import { authenticateDashboardSession } from "./dashboard-session.ts";
import type { KeyPrincipal, Principal } from "./principal.ts";
import { recordAuthFailure } from "./record-auth-failure.ts";
import { singleHeader } from "./request-headers.ts";
import { isSameOrigin } from "./same-origin.ts";
import { createSignedRequestAuthenticator } from "./signed-request.ts";

/** The credential classes that authenticate a developer. */
type TenantClass = Exclude<FastifyContextConfig["auth"], "public" | "admin" | "vendor">;

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>;

/**
 * Authenticates developers by the kind of credential that the route requires. Ignores other credentials in the request
 * (docs/rules/credentials.md).
 */
export function createAuthenticator(app: App) {
  const signed = createSignedRequestAuthenticator(app);
  const dashboard = (request: FastifyRequest) => authenticateDashboardSession(app, request);

  const checks: Readonly<Record<TenantClass, Check>> = {
    signed,
    dashboard,
    tenant: async (request, reply) => {
      if (!isSessionCall(request)) return signed(request, reply);
      const session = await dashboard(request);
      if (session.mode !== null) return session;
      const { tenantId } = session;
      const failure = {
        keyHash: null,
        tenantId,
        reason: "mode_missing",
        skewSeconds: null,
      } as const;
      recordAuthFailure(app, request, failure);
      throw authenticationFailed("a dashboard token without X-Svc-Mode");
    },
  };
  return (auth: TenantClass, request: FastifyRequest, reply: FastifyReply): Promise<Principal> =>
    checks[auth](request, reply);
}

/** Returns true if a request to a `tenant` route uses a dashboard session. Such requests must send `X-Svc-Mode`. */
function isSessionCall(request: FastifyRequest): boolean {
  const header = singleHeader(request, "authorization");
  return header === "" || header.startsWith("Bearer ");
}

/**
 * Throws a 403 error for the first of these failures (docs/rules/requests.md): an API key whose binding to agents or
 * projects excludes the route, a missing scope, an unverified email address, a cookie in a request from another site,
 * or live mode on a route that is only for test mode.
 */
export function authorize(app: App, request: FastifyRequest, principal: Principal): void {
  const { config } = request.routeOptions;
  if (principal.kind === "api_key") checkKeyReach(config, principal);
  if (!principal.emailVerified && config.unverified !== "allowed") {
    throw new AppError("email_not_verified");
  }
  const byCookie = principal.kind === "session" && principal.byCookie;
  if (byCookie && !isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
  if (config.testOnly && principal.mode === "live") throw new AppError("live_wallet");
}

/** Throws `kyb_required` if the route requires a verified business in live mode, and the developer's is not. */
export async function requireKyb(
  { db, clock, settings }: App,
  request: FastifyRequest,
  { tenantId, mode }: Principal,
): Promise<void> {
  const { requiresKyb: use } = request.routeOptions.config;
  if (use === undefined || mode !== "live" || !settings.kybRequiredFor.includes(use)) return;
  if (await isKybVerified(db, tenantId, clock.now())) return;
  const url = `${settings.publicUrl}/dashboard/settings/kyb`;
  throw new AppError("kyb_required", { nextAction: { type: "complete_kyb", actor: "human", url } });
}

function checkKeyReach({ scope = null, agentBound, projectBound }: FastifyContextConfig, key: KeyPrincipal): void {
  // The binding comes first: with another scope, the key still could not call the route.
  if (key.agentIds.length > 0 && agentBound !== "allowed") throw outOfReach("agents");
  if (key.projectIds.length > 0 && projectBound !== "allowed") throw outOfReach("projects");
  if (scope !== null && !key.scopes.includes(scope)) throw missingScope(scope);
}

function outOfReach(bound: "agents" | "projects"): AppError {
  return new AppError("insufficient_scope", {
    detail: `This key is bound to ${bound}. Such keys cannot call this endpoint, whatever their scopes are. Use a key without ${bound === "agents" ? "agent_ids" : "project_ids"}, or the dashboard.`,
  });
}
