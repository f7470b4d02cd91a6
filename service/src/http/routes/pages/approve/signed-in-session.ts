import type { FastifyRequest } from "fastify";
import type { App } from "../../../../app.ts";
import { authenticateDashboardSession } from "../../../auth/authenticate.ts";
import { ACCESS_COOKIE, readCookie } from "../../../auth/cookies.ts";
import type { SessionPrincipal } from "../../../auth/principal.ts";
import { expectError } from "../page.ts";

/** Returns the session of the browser's access cookie, or undefined if the cookie is missing or invalid. */
export async function signedInSession(app: App, request: FastifyRequest): Promise<SessionPrincipal | undefined> {
  if (readCookie(request, app.settings, ACCESS_COOKIE) === undefined) return undefined;
  try {
    return await authenticateDashboardSession(app, request);
  } catch (thrown) {
    expectError(thrown, "authentication_failed");
    return undefined;
  }
}
