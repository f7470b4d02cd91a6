import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { MODES, type Mode } from "../../foundation/vocabulary.ts";
import { useSession } from "../../modules/developers/sessions/live-session.ts";
import { ACCESS_COOKIE, readCookie } from "./cookies.ts";
import type { SessionPrincipal } from "./principal.ts";
import { countHeader, presentedToken, singleHeader } from "./request-headers.ts";

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
