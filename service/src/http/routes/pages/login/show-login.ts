import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../app.ts";
import { parseUserCode, readProfile } from "../../../../modules/developers/index.ts";
import { singleHeader } from "../../../auth/request-headers.ts";
import type { Server } from "../../../route.ts";
import { PAGE_HEADERS } from "../html-page.ts";
import { sendLoginForm, sendSignedIn } from "./login-forms.ts";
import { clearLoginOutcome, readLoginOutcome } from "./login-outcome.ts";
import { reloadLoginPage, type VerificationResult } from "./login-pages.ts";
import { pendingUserCode, setPendingUserCode, userCodeIn } from "./pending-user-code.ts";
import { signedInSession } from "./signed-in-session.ts";

/**
 * Shows the login form, or the logged-in developer. After a login that was started for a device, redirects to the
 * device page.
 */
export function showLoginRoute(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: "/login",
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const session = await signedInSession(app, request);
      if (session === undefined) return sendLoggedOut(app, request, reply);
      const userCode = pendingUserCode(request, app.settings);
      if (userCode !== undefined) {
        setPendingUserCode(request, reply, app.settings, undefined);
        return reply.redirect(`/device?user_code=${userCode}`, 303);
      }
      const notice = readLoginOutcome(request, app.settings)?.text ?? "";
      clearLoginOutcome(request, reply, app.settings);
      const developer = await readProfile(app, session.tenantId);
      return sendSignedIn(app, { request, reply }, { developer, notice });
    },
  });
}

function sendLoggedOut(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const outcome = readLoginOutcome(request, app.settings);
  // After a redirect from an identity provider, the browser withholds `SameSite=Strict` cookies. `reloadLoginPage`
  // loads the login page again, and the browser then sends the cookies.
  if (outcome?.isLoggedIn && singleHeader(request, "sec-fetch-site") === "cross-site") {
    return reply.headers(PAGE_HEADERS).send(reloadLoginPage);
  }
  if (outcome === undefined) {
    // Stores the URL's user code in a cookie, or clears the cookie if the URL has no user code. An old cookie could
    // come from a URL on another site, and would redirect this login to the device page.
    setPendingUserCode(request, reply, app.settings, parseUserCode(userCodeIn(request.query)));
  }
  clearLoginOutcome(request, reply, app.settings);
  const alert = outcome?.text ?? "";
  return sendLoginForm(
    app,
    { request, reply },
    { verification: verificationOf(request.query), alert },
  );
}

function verificationOf(query: unknown): VerificationResult {
  const named = typeof query === "object" && query !== null ? Reflect.get(query, "verified") : "";
  if (named === "1") return "verified";
  return named === "0" ? "failed" : "none";
}
