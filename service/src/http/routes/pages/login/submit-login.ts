import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { parseUserCode } from "../../../../modules/developers/device-login/device-login.ts";
import { findVerification } from "../../../../modules/developers/email-verification/email-verification.ts";
import { readProfile } from "../../../../modules/developers/queries.ts";
import { logIn } from "../../../../modules/developers/sessions/log-in.ts";
import { endSession } from "../../../../modules/developers/sessions/sessions.ts";
import { clearSessionCookies, readCookie, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import { actorOf, type SessionPrincipal } from "../../../auth/principal.ts";
import { singleHeader } from "../../../auth/request-headers.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { setSessionTokens } from "../../developers/sessions/sessions.ts";
import { STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { expectError, form, page, textInQuery, type Visit } from "../page.ts";
import { LOGIN_FORM, LOGOUT_FORM, sendLoginForm, sendSecondFactorForm, sendSignedIn } from "./login-forms.ts";
import { readLoginOutcome } from "./login-outcome.ts";
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
  const notice = readLoginOutcome(request)?.text ?? "";
  return sendSignedIn(visit, await readProfile(app.db, session.tenantId), notice);
});

function sendLoggedOut(visit: Visit): FastifyReply {
  const { request, reply } = visit;
  const outcome = readLoginOutcome(request);
  // After a redirect from an identity provider, the browser withholds `SameSite=Strict` cookies. `reloadLoginPage`
  // loads the login page again, and the browser then sends the cookies.
  if (outcome?.isLoggedIn && singleHeader(request, "sec-fetch-site") === "cross-site") {
    return reply.headers(PAGE_HEADERS).send(reloadLoginPage(outcome.path));
  }
  if (outcome === undefined) {
    // Stores the URL's user code in a cookie, or clears the cookie if the URL has no user code. An old cookie could
    // come from a URL on another site, and would redirect this login to the device page.
    setPendingUserCode(visit, parseUserCode(userCodeIn(request)));
  }
  const alert = outcome?.text ?? "";
  const isVerified = textInQuery(request, "verified") === "1";
  return sendLoginForm(visit, { isVerified, alert });
}

/** Logs in with the form's email address and password, like `POST /developers/login`. */
export const submitLoginRoute = form({
  url: "/login",
  fields: {
    email: Type.String({ maxLength: 254, ...STORABLE_TEXT }),
    password: Type.String({ maxLength: 512, ...STORABLE_TEXT }),
    captcha_token: Type.Optional(Type.String({ maxLength: 8_192 })),
  },
  submit: async (visit, { once, email, password, captcha_token = "" }) => {
    const { app, request, reply } = visit;
    if (!(await useCsrfToken(visit, LOGIN_FORM, once))) {
      reply.code(422);
      return sendLoginForm(visit, { email, alert: STALE_FORM });
    }
    try {
      const login = await logIn(app, {
        email: normalizeEmail(email),
        password,
        captchaToken: captcha_token === "" ? undefined : captcha_token,
        code: undefined,
        verificationToken: readCookie(request, app.settings, VERIFICATION_COOKIE),
        client: clientInfoOf(request),
      });
      if ("mfaToken" in login) return sendSecondFactorForm(visit, login);
      setSessionTokens(app, reply, login);
      return reply.redirect("/login", 303);
    } catch (thrown) {
      return sendError(visit, email, thrown);
    }
  },
});

/** Shows the form again with an alert. Throws errors that the visitor cannot correct. */
async function sendError(visit: Visit, email: string, thrown: unknown): Promise<FastifyReply> {
  const { app, request, reply } = visit;
  const { code, status } = expectError(thrown, "authentication_failed", "validation_error");
  reply.code(status);
  if (code === "authentication_failed") {
    request.server.countFailure(request.ip);
    return sendLoginForm(visit, { email, alert: WRONG });
  }
  const challenge = await app.captcha.challenge(app.clock.now());
  if (challenge === undefined) return sendLoginForm(visit, { email, alert: WAIT });
  return sendLoginForm(visit, { email, alert: SOLVE, challenge });
}

const WRONG = "The email address or the password is wrong.";
const SOLVE =
  "Too many failed logins from your network. Enter the password again. Your browser solves a captcha before it sends the form, which takes about a second and needs JavaScript. Without JavaScript, wait 15 minutes or set a new password.";
const WAIT =
  "Too many failed logins from your network. Wait 15 minutes, set a new password, or log in through the API with a captcha.";

/**
 * Ends the session that the access cookie belongs to. The refresh cookie cannot be used, because browsers do not send
 * it to this path.
 */
export const logOutPageRoute = form({
  url: "/login/out",
  fields: {},
  submit: async (visit, { once }) => {
    const { app, request, reply } = visit;
    const session = await signedInSession(app, request);
    if (session !== undefined) {
      if (!(await useCsrfToken(visit, LOGOUT_FORM, once))) {
        reply.code(422);
        return sendSignedIn(visit, await readProfile(app.db, session.tenantId), STALE_FORM);
      }
      await endIfLive(visit, session);
    }
    clearSessionCookies(reply, app.settings);
    return reply.redirect("/login", 303);
  },
});

async function endIfLive({ app, request }: Visit, session: SessionPrincipal): Promise<void> {
  try {
    await endSession(app, { actor: actorOf(request, session), sessionId: session.sessionId });
  } catch (thrown) {
    // Another request has already ended the session.
    expectError(thrown, "session_not_found");
  }
}
