import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { Problem, publicErrors } from "../../../../foundation/wire/problem.ts";
import { LoginResultResource, logIn } from "../../../../modules/developers/index.ts";
import { verificationCookieOf } from "../../../auth/cookies.ts";
import type { Server } from "../../../route.ts";
import { EmailIn, PasswordIn } from "../fields.ts";
import { clientInfoOf } from "../visitor.ts";
import { answerLogin } from "./session-reply.ts";

const DeveloperLoginRequest = Type.Object(
  {
    email: EmailIn,
    password: PasswordIn,
    captcha_token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        description: "Needed after five failures for this address from one network.",
      }),
    ),
    totp_code: Type.Optional(
      Type.String({
        pattern: "^\\d{6}$",
        description: "Six digits. For accounts with a second factor; the others need none.",
      }),
    ),
  },
  { $id: "DeveloperLoginRequest", additionalProperties: false },
);

export function logInRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/login",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "logIn",
      tags: ["Developers"],
      summary: "Log in with an address and a password",
      description:
        "The tokens are in the body for programs, and in HttpOnly cookies for browsers. An account with a second factor is asked for it: with `totp_code` here, or at /developers/login/totp.",
      body: DeveloperLoginRequest,
      response: { 200: LoginResultResource, 401: Problem, ...publicErrors },
    },
    handler: async (request, reply) => {
      const { email, password, captcha_token, totp_code } = request.body;
      const begun = await logIn(app, {
        email: email.toLowerCase(),
        password,
        captchaToken: captcha_token,
        code: totp_code,
        verificationToken: verificationCookieOf(request, app.settings),
        client: clientInfoOf(request),
      });
      return answerLogin(app, reply, begun);
    },
  });
}
