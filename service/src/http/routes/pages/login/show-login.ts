import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../app.ts";
import { findVerification, parseUserCode, readProfile } from "../../../../modules/developers/index.ts";
import { singleHeader } from "../../../auth/request-headers.ts";
import type { Server } from "../../../route.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { sendLoginForm, sendSignedIn } from "./login-forms.ts";
import { clearLoginOutcome, readLoginOutcome } from "./login-outcome.ts";
import { reloadLoginPage } from "./login-pages.ts";
import { pendingUserCode, setPendingUserCode, userCodeIn } from "./pending-user-code.ts";
import { signedInSession } from "./signed-in-session.ts";
import { tokenIn } from "./token-in.ts";
import { verifyEmailPage } from "./verify-email-page.ts";

/**
 * Shows the login form, or the logged-in developer. With the token of a verification email, shows a button that verifies
 * the address. After a login that was started for a device, redirects to the
 * device page.
 */
export function showLoginRoute(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: "/login",
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const token = tokenIn(request.query, "verify");
      if (token !== "") {
        const page = verifyEmailPage(token, await findVerification(app, token));
        return reply.headers(FORM_PAGE_HEADERS).send(page);
      }
      const session = await signedInSession(app, request);
      if (session === undefined) return sendLoggedOut(app, request, reply);
      const userCode = pendingUserCode(request, app.settings);
      if (userCode !== undefined) {
        setPendingUserCode(request, reply, app.settings, undefined);
        return reply.redirect(`/device?user_code=${userCode}`, 303);
      }
      const notice = readLoginOutcome(request, app.settings)?.text ?? "";
      clearLoginOutcome(request, reply, app.settings);
      const developer = await readProfile(app.db, session.tenantId);
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
  const isVerified = tokenIn(request.query, "verified") === "1";
  return sendLoginForm(app, { request, reply }, { isVerified, alert });
}
