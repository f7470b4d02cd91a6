import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import { isLiveAdminSession } from "../../modules/admins/log-in-admin.ts";
import { ADMIN_COOKIE, readCookie } from "./cookies.ts";
import type { AdminPrincipal } from "./principal.ts";
import { presentedToken } from "./request-headers.ts";
import { isSameOrigin } from "./same-origin.ts";

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
