import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { AppError, authenticationFailed, missingScope } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { MODES, type Mode } from "../../foundation/vocabulary.ts";
import { isLiveAdminSession } from "../../modules/admins/log-in-admin.ts";
import { isKybVerified } from "../../modules/developers/kyb/kyb-status.ts";
import { useSession } from "../../modules/developers/sessions/live-session.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorEvent, VerifiedWebhook } from "../../ports/vendor-webhooks.ts";
import { ACCESS_COOKIE, ADMIN_COOKIE, readCookie } from "./cookies.ts";
import type { AdminPrincipal, KeyPrincipal, Principal, SessionPrincipal } from "./principal.ts";
import { recordAuthFailure } from "./record-auth-failure.ts";
import { countHeader, presentedToken, singleHeader } from "./request-headers.ts";
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

/** Returns the mode in the `X-Svc-Mode` header, or null if it is missing or invalid. */
export function requestedMode(request: FastifyRequest): Mode | null {
  const named = singleHeader(request, "x-svc-mode");
  return MODES.find((mode) => mode === named) ?? null;
}

/**
 * Throws `account_changed` if the request names another developer: its page was loaded before the browser's cookies became
 * those of another account.
 */
function throwIfOtherAccount(request: FastifyRequest, tenantId: TenantId): void {
  const header = "x-svc-developer";
  if (countHeader(request, header) > 0 && singleHeader(request, header) !== tenantId) {
    throw new AppError("account_changed");
  }
}

/**
 * Authenticates a developer by a dashboard access token. Reads the session from the database, so that an ended session
 * is rejected immediately. Throws `authentication_failed` if there is no valid token or its session has ended, and
 * `account_changed`.
 */
export async function authenticateDashboardSession(app: App, request: FastifyRequest): Promise<SessionPrincipal> {
  const presented = presentedToken(request, readCookie(request, app.settings, ACCESS_COOKIE));
  if (presented === undefined) throw authenticationFailed("missing or repeated dashboard token");
  const at = app.clock.now();
  const claims = await app.accessTokens.verify(presented.token, at);
  if (claims === undefined) throw authenticationFailed("invalid dashboard token");
  const { subject: tenantId, ...token } = claims;
  const session = await withDeadline(
    useSession(app.db, { tenantId, ...token, at }),
    app.settings.storeTimeoutMs,
    "loading a session",
  );
  if (session === undefined) throw authenticationFailed("session ended or access token replaced");
  throwIfOtherAccount(request, tenantId);
  return {
    kind: "session",
    tenantId,
    sessionId: token.sessionId,
    loggedInAt: session.createdAt,
    mode: requestedMode(request),
    emailVerified: session.emailVerifiedAt !== null,
    byCookie: presented.byCookie,
  };
}

/**
 * Authenticates an admin by an access token. Admin tokens have a separate signing key, so a developer's token is never
 * accepted. Throws `authentication_failed` if there is no valid token or its session has ended. Throws `cross_origin`
 * if a page of another origin sent an unsafe request with the admin's cookie.
 */
export async function authenticateAdmin(app: App, request: FastifyRequest): Promise<AdminPrincipal> {
  const presented = presentedToken(request, readCookie(request, app.settings, ADMIN_COOKIE));
  if (presented === undefined) throw authenticationFailed("missing or repeated admin token");
  const { token, byCookie } = presented;
  const claims = await app.adminTokens.verify(token, app.clock.now());
  if (claims === undefined) throw authenticationFailed("invalid admin token");
  const { subject: adminId, sessionId } = claims;
  const isLive = await withDeadline(
    isLiveAdminSession(app, { adminId, sessionId }),
    app.settings.storeTimeoutMs,
    "loading an admin's session",
  );
  if (!isLive) throw authenticationFailed("admin session ended");
  if (byCookie && !isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
  return { kind: "admin", adminId, sessionId, byCookie };
}

/**
 * Verifies a vendor's webhook by the vendor's own scheme. Throws `not_found` if the vendor in the path sends no webhooks,
 * `authentication_failed` if the webhook is not from the vendor, and `provider_unavailable` if the vendor does not say which
 * keys are its own.
 */
export async function verifyVendorWebhook(
  { vendorWebhooks, clock }: Pick<App, "vendorWebhooks" | "clock">,
  { params, rawBody, headers }: FastifyRequest,
): Promise<VendorEvent | null> {
  const { vendor } = params as { readonly vendor: string };
  const webhooks = vendorWebhooks.get(vendor);
  if (webhooks === undefined) throw new AppError("not_found");
  let verified: VerifiedWebhook | undefined;
  try {
    verified = await webhooks.verify({ rawBody, headers, receivedAt: clock.now() });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    throw new AppError("provider_unavailable", { internal: error.message, cause: error });
  }
  if (verified === undefined) throw authenticationFailed(`invalid webhook from ${vendor}`);
  return verified.event;
}
