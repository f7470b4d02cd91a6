import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { logInWithSecondFactor } from "../../../../modules/developers/index.ts";
import { verificationCookieOf } from "../../../auth/cookies.ts";
import { clearPageCookie, readPageCookie } from "../../../auth/page-cookie.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { setSessionTokens } from "../../developers/sessions/session-reply.ts";
import { useCsrfToken } from "../csrf-token.ts";
import { SECOND_FACTOR_COOKIE, SECOND_FACTOR_FORM, STALE_FORM, sendSecondFactorForm } from "./login-forms.ts";

const SecondFactorFields = Type.Object(
  {
    once: Type.String({ maxLength: 200 }),
    mfa_token: Type.String({ maxLength: 512 }),
    code: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);

/**
 * Serves the second step of a login, like `POST /developers/login/totp`. Redirects to the login page if the first step
 * is missing.
 */
export function submitSecondFactorRoute(server: Server, app: App): void {
  const url = "/login/code";
  server.route({
    method: ["GET", "HEAD"],
    url,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const mfaToken = readPageCookie(request, app.settings, SECOND_FACTOR_COOKIE);
      if (mfaToken === undefined) return reply.redirect("/login", 303);
      return sendSecondFactorForm(app, { request, reply }, { mfaToken });
    },
  });
  server.route({
    method: "POST",
    url,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: SecondFactorFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, mfa_token: mfaToken, code } = request.body;
      if (!(await useCsrfToken(app, request, { form: SECOND_FACTOR_FORM, value: once }))) {
        const context = { request, reply: reply.code(422) };
        return sendSecondFactorForm(app, context, { mfaToken, alert: STALE_FORM });
      }
      try {
        const command = {
          mfaToken,
          code,
          verificationToken: verificationCookieOf(request, app.settings),
          client: clientInfoOf(request),
        };
        setSessionTokens(app, reply, await logInWithSecondFactor(app, command));
        clearPageCookie(request, reply, app.settings, SECOND_FACTOR_COOKIE);
        return reply.redirect("/login", 303);
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "authentication_failed") throw thrown;
        request.server.countFailure(request.ip);
        const context = { request, reply: reply.code(thrown.status) };
        return sendSecondFactorForm(app, context, { mfaToken, alert: WRONG });
      }
    },
  });
}

/**
 * The text is the same for a wrong code and for a used one, so it does not reveal whether the code was used before. A
 * login allows five attempts within five minutes.
 */
const WRONG = "The code is wrong or was used before. After five attempts or five minutes, start again.";
