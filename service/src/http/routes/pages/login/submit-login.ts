import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { normalizeEmail } from "../../../../foundation/text/email-address.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { logIn } from "../../../../modules/developers/index.ts";
import { verificationCookieOf } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { setSessionTokens } from "../../developers/sessions/session-reply.ts";
import { useCsrfToken } from "../csrf-token.ts";
import { LOGIN_FORM, STALE_FORM, sendLoginForm, sendSecondFactorForm } from "./login-forms.ts";

const LoginFields = Type.Object(
  {
    once: Type.String({ maxLength: 200 }),
    email: Type.String({ maxLength: 254, ...STORABLE_TEXT }),
    password: Type.String({ maxLength: 512, ...STORABLE_TEXT }),
    captcha_token: Type.Optional(Type.String({ maxLength: 8_192 })),
  },
  { additionalProperties: false },
);

/** Logs in with the form's email address and password, like `POST /developers/login`. */
export function submitLoginRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/login",
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: LoginFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, email, password, captcha_token = "" } = request.body;
      const context = { request, reply };
      if (!(await useCsrfToken(app, request, { form: LOGIN_FORM, value: once }))) {
        return sendLoginForm(app, { request, reply: reply.code(422) }, { email, alert: STALE_FORM });
      }
      try {
        const login = await logIn(app, {
          email: normalizeEmail(email),
          password,
          captchaToken: captcha_token === "" ? undefined : captcha_token,
          code: undefined,
          verificationToken: verificationCookieOf(request, app.settings),
          client: clientInfoOf(request),
        });
        if ("mfaToken" in login) return sendSecondFactorForm(app, context, login);
        setSessionTokens(app, reply, login);
        return reply.redirect("/login", 303);
      } catch (thrown) {
        return sendError(app, context, { email, thrown });
      }
    },
  });
}

/** Shows the form again with an alert. Throws errors that the visitor cannot correct. */
async function sendError(
  app: App,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { email, thrown }: { readonly email: string; readonly thrown: unknown },
): Promise<FastifyReply> {
  if (!(thrown instanceof AppError)) throw thrown;
  const context = { request, reply: reply.code(thrown.status) };
  if (thrown.code === "authentication_failed") {
    request.server.countFailure(request.ip);
    return sendLoginForm(app, context, { email, alert: WRONG });
  }
  if (thrown.code !== "validation_error") throw thrown;
  const challenge = await app.captcha.challenge(app.clock.now());
  if (challenge === undefined) return sendLoginForm(app, context, { email, alert: WAIT });
  return sendLoginForm(app, context, { email, alert: SOLVE, challenge });
}

const WRONG = "The email address or the password is wrong.";
const SOLVE =
  "Too many failed logins from your network. Enter the password again. Your browser solves a captcha before it sends the form, which takes about a second and needs JavaScript. Without JavaScript, wait 15 minutes or set a new password.";
const WAIT =
  "Too many failed logins from your network. Wait 15 minutes, set a new password, or log in through the API with a captcha.";
