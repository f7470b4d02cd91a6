import { Type } from "typebox";
import { logInWithSecondFactor } from "../../../../modules/developers/second-factor/log-in-with-second-factor.ts";
import { clearSentCookie, readCookie, SECOND_FACTOR_COOKIE, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import type { Route } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { setSessionTokens } from "../../developers/sessions/sessions.ts";
import { STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { expectError, form, page } from "../page.ts";
import { SECOND_FACTOR_FORM, sendSecondFactorForm } from "./login-forms.ts";

const PATH = "/login/code";

/**
 * Serves the second step of a login, like `POST /developers/login/totp`. Redirects to the login page if the first step
 * is missing.
 */
export const secondFactorPageRoutes: readonly Route[] = [
  page(PATH, (visit) => {
    const mfaToken = readCookie(visit.request, visit.app.settings, SECOND_FACTOR_COOKIE);
    return mfaToken === undefined ? visit.reply.redirect("/login", 303) : sendSecondFactorForm(visit, { mfaToken });
  }),
  form({
    url: PATH,
    fields: { mfa_token: Type.String({ maxLength: 512 }), code: Type.String({ maxLength: 64 }) },
    submit: async (visit, { once, mfa_token: mfaToken, code }) => {
      const { app, request, reply } = visit;
      if (!(await useCsrfToken(visit, SECOND_FACTOR_FORM, once))) {
        reply.code(422);
        return sendSecondFactorForm(visit, { mfaToken }, STALE_FORM);
      }
      try {
        const command = {
          mfaToken,
          code,
          verificationToken: readCookie(request, app.settings, VERIFICATION_COOKIE),
          client: clientInfoOf(request),
        };
        setSessionTokens(app, reply, await logInWithSecondFactor(app, command));
        clearSentCookie(reply, app.settings, SECOND_FACTOR_COOKIE);
        return reply.redirect("/login", 303);
      } catch (thrown) {
        const { status } = expectError(thrown, "authentication_failed");
        request.server.countFailure(request.ip);
        reply.code(status);
        return sendSecondFactorForm(visit, { mfaToken }, WRONG);
      }
    },
  }),
];

/**
 * The text is the same for a wrong code and for a used one, so it does not reveal whether the code was used before. A
 * login allows five attempts within five minutes.
 */
const WRONG = "The code is wrong or was used before. After five attempts or five minutes, start again.";
