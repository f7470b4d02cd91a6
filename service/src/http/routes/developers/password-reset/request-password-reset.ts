import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text/email-address.ts";
import { requestPasswordReset } from "../../../../modules/developers/password-reset/request-password-reset.ts";
import {
  presentRequestedPasswordReset,
  RequestedPasswordResetResource,
} from "../../../../modules/developers/password-reset/reset-password.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { EmailIn, IgnoredCaptchaToken } from "../fields.ts";

const PasswordForgotRequest = Type.Object(
  {
    email: EmailIn,
    captcha_token: IgnoredCaptchaToken,
  },
  { $id: "PasswordForgotRequest", additionalProperties: false },
);

export const requestPasswordResetRoute = endpoint("POST /api/v1/svc/developers/password/forgot", {
  config: { auth: "public" },
  schema: {
    operationId: "requestPasswordReset",
    summary: "Request a password reset",
    description:
      "Sends an email with a URL to choose a new password, if the email address has an account. The response is the same for every address. At most three emails per hour are sent to one address. Fails with `rate_limited` after five calls per minute from one network.",
    body: PasswordForgotRequest,
    response: { 200: RequestedPasswordResetResource },
  },
  handler: async (app, request) => {
    const email = normalizeEmail(request.body.email);
    await requestPasswordReset(app, { email, client: clientInfoOf(request) });
    return presentRequestedPasswordReset();
  },
});
