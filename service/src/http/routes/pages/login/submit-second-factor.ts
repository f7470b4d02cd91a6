import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { logInWithSecondFactor } from "../../../../modules/developers/index.ts";
import { verificationCookieOf } from "../../../auth/cookies.ts";
import { clearPageCookie, readPageCookie } from "../../../auth/page-cookie.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { setSessionTokens } from "../../developers/sessions/session-reply.ts";
import { clientInfoOf } from "../../developers/visitor.ts";
import { useOneTimeField } from "../one-time-field.ts";
import {
  SECOND_FACTOR_COOKIE,
  SECOND_FACTOR_FORM,
  STALE_FORM,
  sendSecondFactorForm,
} from "./login-forms.ts";

const SecondFactorFields = Type.Object(
  {
    once: Type.String({ maxLength: 200 }),
    mfa_token: Type.String({ maxLength: 512 }),
    code: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);

/** The second step of a login: as `POST /developers/login/totp`, for people. Without the first one it redirects to the login. */
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
      if (!(await useOneTimeField(app, request, { form: SECOND_FACTOR_FORM, value: once }))) {
        const asked = { request, reply: reply.code(422) };
        return sendSecondFactorForm(app, asked, { mfaToken, alert: STALE_FORM });
      }
      try {
        // People copy the blanks around a code along.
        const command = {
          mfaToken,
          code: code.trim(),
          verificationToken: verificationCookieOf(request, app.settings),
          client: clientInfoOf(request),
        };
        setSessionTokens(app, reply, await logInWithSecondFactor(app, command));
        clearPageCookie(request, reply, app.settings, SECOND_FACTOR_COOKIE);
        return reply.redirect("/login", 303);
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "authentication_failed") throw thrown;
        request.server.countFailure(request.ip);
        const asked = { request, reply: reply.code(thrown.status) };
        return sendSecondFactorForm(app, asked, { mfaToken, alert: WRONG });
      }
    },
  });
}

/** What it was, nobody is told: each is good for five tries in five minutes. */
const WRONG =
  "The code is not right, or was used before. After a few tries, or five minutes, begin again.";
