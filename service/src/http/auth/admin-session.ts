import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { AppError, authenticationFailed } from "../../foundation/errors.ts";
import { isLiveAdminSession } from "../../modules/admins/index.ts";
import { presentedToken } from "./bearer-token.ts";
import { adminCookieOf } from "./cookies.ts";
import type { AdminPrincipal } from "./principal.ts";
import { isSameOrigin } from "./same-origin.ts";

/**
 * Lets an admin's request in: a token of the admins' own kind, whose session goes on. A developer's token is none, whatever
 * it claims, since another key signs them. By cookie, only our own pages may change anything.
 */
export async function admitAdmin(app: App, request: FastifyRequest): Promise<AdminPrincipal> {
  const presented = presentedToken(request, adminCookieOf(request, app.settings));
  if (presented === undefined) throw authenticationFailed("no admin's token, or several");
  const { token, byCookie } = presented;
  const claims = await app.adminTokens.verify(token, app.clock.now());
  if (claims === undefined) throw authenticationFailed("an admin's token that is not good");
  const { subject: adminId, sessionId } = claims;
  const isLive = await withDeadline(
    isLiveAdminSession(app, { adminId, sessionId }),
    app.settings.storeTimeoutMs,
    "loading an admin's session",
  );
  if (!isLive) throw authenticationFailed("an admin's session that is over");
  if (byCookie && !isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
  return { kind: "admin", adminId, sessionId, byCookie };
}
