import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  OWNERSHIP_CONFIRMATION_SECONDS,
  presentVerifiedEmail,
  VERIFIED_PAGE,
  VerifiedEmailResource,
  verifyEmail,
} from "../../../../modules/developers/index.ts";
import { acceptsMediaType } from "../../../accepted-types.ts";
import { setVerificationCookie } from "../../../auth/cookies.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";

const NOT_VERIFIED_PAGE = "/login?verified=0";

export function verifyEmailRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/verify-email",
    config: { auth: "public", responseHeaders: ["Referrer-Policy", "Set-Cookie", "Vary"] },
    schema: {
      operationId: "verifyEmail",
      tags: ["Developers"],
      summary: "Verify an email address",
      description:
        "Verifies an email address with the token from the verification email. The token is valid for 24 hours and can be used once. Fails with `invalid_token` if the token is unknown, used or expired. Browsers (`Accept: text/html`) are redirected to the login page with 303, whether or not the token is valid. If there are several signups for the address, the account gets the password and profile of the signup that the token belongs to. Verifying the address ends the account's sessions. Sets a cookie for 15 minutes. A password login from the same browser during this time confirms ownership of the account: a later password reset then keeps the account's API keys and second factor (see `POST /developers/password/reset`).",
      querystring: Type.Object(
        {
          token: Type.String({
            minLength: 1,
            maxLength: 512,
            description: "The token from the verification email.",
          }),
        },
        { additionalProperties: false },
      ),
      response: {
        200: VerifiedEmailResource,
        303: Type.Null({ description: "Browsers are redirected to the login page." }),
        ...publicErrors,
      },
    },
    handler: async (request, reply) => {
      const { token } = request.query;
      const isBrowser = acceptsMediaType(request, "text/html");
      // The URL contains the token. `no-referrer` prevents browsers from sending the URL as `Referer`.
      reply.header("referrer-policy", "no-referrer").header("vary", "accept");
      try {
        await verifyEmail(app, { token, client: clientInfoOf(request) });
      } catch (thrown) {
        const isRefusal = thrown instanceof AppError && thrown.code === "invalid_token";
        if (isBrowser && isRefusal) return reply.redirect(NOT_VERIFIED_PAGE, 303);
        throw thrown;
      }
      setVerificationCookie(reply, app.settings, {
        token,
        maxAgeSeconds: OWNERSHIP_CONFIRMATION_SECONDS,
      });
      if (isBrowser) return reply.redirect(VERIFIED_PAGE, 303);
      return reply.send(presentVerifiedEmail());
    },
  });
}
