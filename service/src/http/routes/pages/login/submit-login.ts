import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text/email-address.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { logIn } from "../../../../modules/developers/sessions/log-in.ts";
import { readCookie, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { setSessionTokens } from "../../developers/sessions/session-reply.ts";
import { STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { expectError, form, type Visit } from "../page.ts";
import { LOGIN_FORM, sendLoginForm, sendSecondFactorForm } from "./login-forms.ts";

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
