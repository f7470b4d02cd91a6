import { Type } from "typebox";
import { AppError, authenticationFailed } from "../../../../foundation/errors.ts";
import { StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { logInWithSecondFactor } from "../../../../modules/developers/second-factor/log-in-with-second-factor.ts";
import {
  confirmTotp,
  disableTotp,
  RecoveryCodesResource,
  startTotpSetup,
  TotpEnrollmentResource,
  type TotpSetup,
} from "../../../../modules/developers/second-factor/totp-setup.ts";
import { SessionResource } from "../../../../modules/developers/sessions/session-resource.ts";
import { clearCookie, readCookie, SECOND_FACTOR_COOKIE, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import { actorOf } from "../../../auth/principal.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { LOGIN_PROOF, LoginProofRequest, loginProofOf, SecondFactorCodeIn, TotpCodeIn } from "../fields.ts";
import { replyWithSession } from "../sessions/sessions.ts";

const startTotpSetupRoute = endpoint("POST /api/v1/svc/developers/dashboard/mfa/totp", {
  operationId: "beginTotp",
  sdk: "developers.secondFactor.begin",
  summary: "Start the TOTP setup",
  description:
    "Creates a secret for an authenticator app and returns it once. Logins do not require a code until the secret is confirmed. A second call replaces an unconfirmed secret. Requires a login within the last 15 minutes, or the field `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `already_exists` if the account has a second factor.",
  auth: "dashboard",
  body: LoginProofRequest,
  answers: { 200: TotpEnrollmentResource },
  errors: ["already_exists", "reauthentication_required"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const proof = loginProofOf(request, request.body);
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: ({ secret, otpauthUrl }: TotpSetup) => ({ secret, otpauth_url: otpauthUrl }),
      },
      (saveResponse) => startTotpSetup(app, { actor, proof }, saveResponse),
    );
  },
});

const TotpConfirmRequest = Type.Object(
  { code: TotpCodeIn, ...LOGIN_PROOF },
  { $id: "TotpConfirmRequest", additionalProperties: false },
);

const confirmTotpRoute = endpoint("POST /api/v1/svc/developers/dashboard/mfa/totp/confirm", {
  operationId: "confirmTotp",
  sdk: "developers.secondFactor.confirm",
  summary: "Enable the second factor",
  description:
    "Enables the second factor with the first code from the authenticator app. Returns ten recovery codes, which are not shown again. Existing sessions continue. Requires a login within the last 15 minutes, or the field `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if no secret is waiting for confirmation, and with `validation_error` for a wrong code.",
  auth: "dashboard",
  body: TotpConfirmRequest,
  answers: { 200: RecoveryCodesResource },
  errors: ["conflict", "reauthentication_required", "validation_error"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { code } = request.body;
    const proof = loginProofOf(request, request.body);
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: (recoveryCodes: readonly string[]) => ({ recovery_codes: [...recoveryCodes] }),
      },
      (saveResponse) => confirmTotp(app, { actor, code, proof }, saveResponse),
    );
  },
});

const TotpDisableRequest = Type.Object(
  { code: SecondFactorCodeIn },
  { $id: "TotpDisableRequest", additionalProperties: false },
);

const disableTotpRoute = endpoint("POST /api/v1/svc/developers/dashboard/mfa/totp/disable", {
  operationId: "disableTotp",
  sdk: "developers.secondFactor.disable",
  summary: "Disable the second factor",
  description:
    "Disables the second factor and deletes its secret and recovery codes. Requires a code from the authenticator app or a recovery code. Fails with `conflict` if the account has no second factor, with `validation_error` for a wrong code, and with `rate_limited` after 20 TOTP codes within one hour.",
  auth: "dashboard",
  body: TotpDisableRequest,
  answers: { 204: Type.Null() },
  errors: ["conflict", "validation_error", "rate_limited"],
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { code } = request.body;
    return replyOnce(app, request, reply, { status: 204, present: () => null }, (saveResponse) =>
      disableTotp(app, { actor, code }, saveResponse),
    );
  },
});

const SecondFactorLoginRequest = StrictObject("SecondFactorLoginRequest", {
  mfa_token: Type.Optional(
    Text(
      "The `mfa_token` returned by the login. Default: the token in the cookie that a browser's login with an identity provider sets.",
      { minLength: 1, maxLength: 512 },
    ),
  ),
  code: SecondFactorCodeIn,
});

export const logInWithSecondFactorRoute = endpoint("POST /api/v1/svc/developers/login/totp", {
  operationId: "logInWithSecondFactor",
  sdk: "developers.logInWithSecondFactor",
  summary: "Complete a two-factor login",
  description:
    "Completes a login that returned `mfa_required`, with a code from the authenticator app or a recovery code. `mfa_token` is valid for five minutes and five attempts. Each code works once. Each account is limited to 20 TOTP codes per hour; recovery codes do not count. Every failure returns `authentication_failed`, except `cross_origin` if another site sent the cookie.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: SecondFactorLoginRequest,
  answers: { 200: SessionResource },
  errors: ["authentication_failed", "cross_origin"],
  run: async (app, request, reply) => {
    const { mfa_token: fromBody, code } = request.body;
    const mfaToken = fromBody ?? readCookie(request, app.settings, SECOND_FACTOR_COOKIE);
    if (mfaToken === undefined) throw authenticationFailed("missing mfa_token");
    if (fromBody === undefined && !isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
    const grant = await logInWithSecondFactor(app, {
      mfaToken,
      code,
      verificationToken: readCookie(request, app.settings, VERIFICATION_COOKIE),
      client: clientInfoOf(request),
    });
    if (fromBody === undefined) clearCookie(reply, app.settings, SECOND_FACTOR_COOKIE);
    return replyWithSession(app, reply, grant);
  },
});

export const secondFactorRoutes: readonly Route[] = [startTotpSetupRoute, confirmTotpRoute, disableTotpRoute];
