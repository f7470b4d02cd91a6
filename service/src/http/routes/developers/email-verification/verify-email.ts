import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { normalizeEmail } from "../../../../foundation/text.ts";
import { StrictObject } from "../../../../foundation/wire/fields.ts";
import { OWNERSHIP_CONFIRMATION_SECONDS } from "../../../../modules/developers/confirm-ownership.ts";
import {
  ResentVerificationResource,
  resendVerification,
  VERIFIED_PAGE,
  VerifiedEmailResource,
  verifyEmail,
} from "../../../../modules/developers/email-verification/email-verification.ts";
import { acceptsMediaType } from "../../../accepted-types.ts";
import { clientNetworkOf } from "../../../auth/client-network.ts";
import { setCookie, VERIFICATION_COOKIE } from "../../../auth/cookies.ts";
import { endpoint, type Route } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { EmailIn, IgnoredCaptchaToken } from "../fields.ts";

const ResendVerificationRequest = StrictObject("ResendVerificationRequest", {
  email: EmailIn,
  captcha_token: IgnoredCaptchaToken,
});

const resendVerificationRoute = endpoint("POST /api/v1/svc/developers/resend-verification", {
  operationId: "resendVerification",
  sdk: "developers.resendVerification",
  summary: "Resend the verification email",
  description:
    "Sends another verification email if the email address is not verified yet. The response is the same for every address. The URLs in earlier emails remain valid. At most three emails per hour are sent to one address. Fails with `rate_limited` after three calls per minute from one network.",
  auth: "public",
  body: ResendVerificationRequest,
  answers: { 200: ResentVerificationResource },
  errors: ["rate_limited"],
  run: async (app, request) => {
    const email = normalizeEmail(request.body.email);
    await resendVerification(app, { email, network: clientNetworkOf(request.ip) });
    return { status: "accepted" as const };
  },
});

const PATH = "/api/v1/svc/developers/verify-email";
const TOKEN = {
  minLength: 1,
  maxLength: 512,
  description: "The token from the verification email.",
};
const EFFECT =
  "The token is valid for 24 hours and can be used once. Fails with `invalid_token` if the token is unknown, used or expired. If there are several signups for the address, the account gets the password and profile of the signup that the token belongs to. Verifying the address ends the account's sessions. Sets a cookie for 15 minutes. A password login from the same browser during this time confirms ownership of the account: a later password reset then keeps the account's API keys and second factor (see `POST /developers/password/reset`).";
const config = {
  auth: "public",
  responseHeaders: ["Referrer-Policy", "Set-Cookie", "Vary"],
} as const;

const answers = {
  200: VerifiedEmailResource,
  303: Type.Null({ description: "Browsers are redirected to the login page." }),
};

const VerifyEmailRequest = Type.Object(
  { token: Type.String(TOKEN) },
  { $id: "VerifyEmailRequest", additionalProperties: false },
);

const verifyEmailRoutes: readonly Route[] = [
  endpoint(`GET ${PATH}`, {
    operationId: "verifyEmail",
    sdk: "developers.verifyEmail",
    summary: "Verify an email address",
    description: `Verifies an email address with the token from the verification email. Changes nothing for a browser (\`Accept: text/html\`), because email scanners open URLs too: it is redirected with 303 to the login page, where a button verifies the address. ${EFFECT}`,
    ...config,
    query: Type.Object({ token: Type.String(TOKEN) }, { additionalProperties: false }),
    answers,
    errors: ["invalid_token"],
    run: async (app, request, reply) => {
      const { token } = request.query;
      if (acceptsMediaType(request, "text/html")) {
        return withoutReferrer(reply).redirect(verifyPage(token), 303);
      }
      return verify(app, { request, reply }, token);
    },
  }),
  endpoint(`POST ${PATH}`, {
    operationId: "confirmEmail",
    sdk: "developers.confirmEmail",
    summary: "Confirm an email address",
    description: `Verifies an email address with the token from the verification email. The button of the login page calls it; browsers (\`Accept: text/html\`) are redirected back to that page with 303. ${EFFECT}`,
    ...config,
    bodyFormat: "form_or_json",
    body: VerifyEmailRequest,
    answers,
    errors: ["invalid_token"],
    run: async (app, request, reply) => {
      const token = request.body.token.trim();
      if (!acceptsMediaType(request, "text/html")) return verify(app, { request, reply }, token);
      try {
        await verify(app, { request, reply }, token);
        return reply.redirect(VERIFIED_PAGE, 303);
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "invalid_token") throw thrown;
        return reply.redirect(verifyPage(token), 303);
      }
    },
  }),
];

/** Verifies the address, and lets the next password login from this browser confirm the account's ownership. */
async function verify(
  app: App,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  token: string,
) {
  withoutReferrer(reply);
  await verifyEmail(app, { token, client: clientInfoOf(request) });
  setCookie(reply, app.settings, VERIFICATION_COOKIE, { value: token, seconds: OWNERSHIP_CONFIRMATION_SECONDS });
  return { status: "verified", redirect_url: VERIFIED_PAGE } as const;
}

/** The URL can contain the token. `no-referrer` prevents browsers from sending the URL as `Referer`. */
function withoutReferrer(reply: FastifyReply): FastifyReply {
  return reply.header("referrer-policy", "no-referrer").header("vary", "accept");
}

function verifyPage(token: string): string {
  return `/login?verify=${encodeURIComponent(token)}`;
}

export const emailVerificationRoutes: readonly Route[] = [resendVerificationRoute, ...verifyEmailRoutes];
