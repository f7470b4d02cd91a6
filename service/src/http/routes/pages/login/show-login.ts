import type { FastifyReply } from "fastify";
import { parseUserCode } from "../../../../modules/developers/device-login/codes.ts";
import { findVerification } from "../../../../modules/developers/email-verification/verify-email.ts";
import { readProfile } from "../../../../modules/developers/queries.ts";
import { singleHeader } from "../../../auth/request-headers.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { page, textInQuery, type Visit } from "../page.ts";
import { sendLoginForm, sendSignedIn } from "./login-forms.ts";
import { clearLoginOutcome, readLoginOutcome } from "./login-outcome.ts";
import { reloadLoginPage, verifyEmailPage } from "./login-pages.ts";
import { pendingUserCode, setPendingUserCode, userCodeIn } from "./pending-user-code.ts";
import { signedInSession } from "./signed-in-session.ts";

/**
 * Shows the login form, or the logged-in developer. With the token of a verification email, shows a button that verifies
 * the address. After a login that was started for a device, redirects to the
 * device page.
 */
export const showLoginRoute = page("/login", async (visit) => {
  const { app, request, reply } = visit;
  const token = textInQuery(request, "verify");
  if (token !== "") {
    const verifyPage = verifyEmailPage(token, await findVerification(app, token));
    return reply.headers(FORM_PAGE_HEADERS).send(verifyPage);
  }
  const session = await signedInSession(app, request);
  if (session === undefined) return sendLoggedOut(visit);
  const userCode = pendingUserCode(visit);
  if (userCode !== undefined) {
    setPendingUserCode(visit, undefined);
    return reply.redirect(`/device?user_code=${userCode}`, 303);
  }
  const notice = readLoginOutcome(request, app.settings)?.text ?? "";
  clearLoginOutcome(reply, app.settings);
  return sendSignedIn(visit, await readProfile(app.db, session.tenantId), notice);
});

function sendLoggedOut(visit: Visit): FastifyReply {
  const { app, request, reply } = visit;
  const outcome = readLoginOutcome(request, app.settings);
  // After a redirect from an identity provider, the browser withholds `SameSite=Strict` cookies. `reloadLoginPage`
  // loads the login page again, and the browser then sends the cookies.
  if (outcome?.isLoggedIn && singleHeader(request, "sec-fetch-site") === "cross-site") {
    return reply.headers(PAGE_HEADERS).send(reloadLoginPage);
  }
  if (outcome === undefined) {
    // Stores the URL's user code in a cookie, or clears the cookie if the URL has no user code. An old cookie could
    // come from a URL on another site, and would redirect this login to the device page.
    setPendingUserCode(visit, parseUserCode(userCodeIn(request)));
  }
  clearLoginOutcome(reply, app.settings);
  const alert = outcome?.text ?? "";
  const isVerified = textInQuery(request, "verified") === "1";
  return sendLoginForm(visit, { isVerified, alert });
}
