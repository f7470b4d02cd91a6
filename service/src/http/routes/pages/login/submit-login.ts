import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/common.ts";
import { logIn } from "../../../../modules/developers/index.ts";
import { verificationCookieOf } from "../../../auth/cookies.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { setSessionTokens } from "../../developers/sessions/session-reply.ts";
import { clientInfoOf } from "../../developers/visitor.ts";
import { useOneTimeField } from "../one-time-field.ts";
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

/** Logs in with the form's address and password: as `POST /developers/login` does, for people. */
export function submitLoginRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/login",
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: LoginFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, email, password, captcha_token = "" } = request.body;
      const asked = { request, reply };
      if (!(await useOneTimeField(app, request, { form: LOGIN_FORM, value: once }))) {
        return sendLoginForm(
          app,
          { request, reply: reply.code(422) },
          { email, alert: STALE_FORM },
        );
      }
      try {
        const begun = await logIn(app, {
          email: email.toLowerCase(),
          password,
          captchaToken: captcha_token === "" ? undefined : captcha_token,
          code: undefined,
          verificationToken: verificationCookieOf(request, app.settings),
          client: clientInfoOf(request),
        });
        if ("mfaToken" in begun) return sendSecondFactorForm(app, asked, begun);
        setSessionTokens(app, reply, begun);
        return reply.redirect("/login", 303);
      } catch (thrown) {
        return sendRefusal(app, asked, { email, thrown });
      }
    },
  });
}

/** The form once more, with what went wrong. What people can do nothing about is thrown on. */
async function sendRefusal(
  app: App,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { email, thrown }: { readonly email: string; readonly thrown: unknown },
): Promise<FastifyReply> {
  if (!(thrown instanceof AppError)) throw thrown;
  const asked = { request, reply: reply.code(thrown.status) };
  if (thrown.code === "authentication_failed") {
    request.server.countFailure(request.ip);
    return sendLoginForm(app, asked, { email, alert: WRONG });
  }
  if (thrown.code !== "validation_error") throw thrown;
  const challenge = await app.captcha.challenge(app.clock.now());
  if (challenge === undefined) return sendLoginForm(app, asked, { email, alert: WAIT });
  return sendLoginForm(app, asked, { email, alert: SOLVE, challenge });
}

const WRONG = "The address or the password is not right.";
const SOLVE =
  "There were too many wrong tries from here. Enter the password once more: before it is sent, your browser works for a second, so that machines tire of guessing. Without JavaScript, wait 15 minutes, or set a new password.";
const WAIT =
  "There were too many wrong tries from here. Wait 15 minutes, set a new password, or log in through the API with a captcha.";
