import { Type } from "typebox";
import { normalizeEmail } from "../../../../foundation/text/email-address.ts";
import { resendVerification } from "../../../../modules/developers/email-verification/verification-emails.ts";
import {
  presentResentVerification,
  ResentVerificationResource,
} from "../../../../modules/developers/email-verification/verify-email.ts";
import { networkOf } from "../../../auth/client-network.ts";
import { endpoint } from "../../../route.ts";
import { EmailIn, IgnoredCaptchaToken } from "../fields.ts";

const ResendVerificationRequest = Type.Object(
  {
    email: EmailIn,
    captcha_token: IgnoredCaptchaToken,
  },
  { $id: "ResendVerificationRequest", additionalProperties: false },
);

export const resendVerificationRoute = endpoint("POST /api/v1/svc/developers/resend-verification", {
  config: { auth: "public" },
  schema: {
    operationId: "resendVerification",
    summary: "Resend the verification email",
    description:
      "Sends another verification email if the email address is not verified yet. The response is the same for every address. The URLs in earlier emails remain valid. At most three emails per hour are sent to one address. Fails with `rate_limited` after three calls per minute from one network.",
    body: ResendVerificationRequest,
    response: { 200: ResentVerificationResource },
  },
  handler: async (app, request) => {
    const email = normalizeEmail(request.body.email);
    await resendVerification(app, { email, network: networkOf(request.ip) });
    return presentResentVerification();
  },
});
