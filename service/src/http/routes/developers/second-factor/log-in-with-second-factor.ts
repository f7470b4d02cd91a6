import { Type } from "typebox";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import { logInWithSecondFactor } from "../../../../modules/developers/second-factor/log-in-with-second-factor.ts";
import { SessionResource } from "../../../../modules/developers/sessions/session-resource.ts";
import { readCookie, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { SecondFactorCodeIn } from "../fields.ts";
import { replyWithSession } from "../sessions/session-reply.ts";

const SecondFactorLoginRequest = StrictObject("SecondFactorLoginRequest", {
  mfa_token: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "The `mfa_token` returned by the login.",
  }),
  code: SecondFactorCodeIn,
});

export const logInWithSecondFactorRoute = endpoint("POST /api/v1/svc/developers/login/totp", {
  operationId: "logInWithSecondFactor",
  sdk: "developers.logInWithSecondFactor",
  summary: "Complete a two-factor login",
  description:
    "Completes a login that returned `mfa_required`, with a code from the authenticator app or a recovery code. `mfa_token` is valid for five minutes and five attempts. Each code works once. Each account is limited to 20 TOTP codes per hour; recovery codes do not count. Every failure returns `authentication_failed`.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: SecondFactorLoginRequest,
  answers: { 200: SessionResource },
  errors: ["authentication_failed"],
  run: async (app, request, reply) => {
    const { mfa_token, code } = request.body;
    const client = clientInfoOf(request);
    const grant = await logInWithSecondFactor(app, {
      mfaToken: mfa_token,
      code,
      verificationToken: readCookie(request, app.settings, VERIFICATION_COOKIE),
      client,
    });
    return replyWithSession(app, reply, grant);
  },
});
