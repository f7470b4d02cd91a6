import type { App } from "../../../app.ts";
import { publicErrors } from "../../../foundation/wire/problem.ts";
import { CaptchaResource, presentCaptcha } from "../../../modules/developers/index.ts";
import type { Server } from "../../route.ts";

export function getCaptchaRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/captcha",
    config: { auth: "public" },
    schema: {
      operationId: "getCaptcha",
      tags: ["Developers"],
      summary: "Get a captcha challenge",
      description:
        'Returns an ALTCHA challenge, version 2, which is valid for ten minutes and once. The `captcha_token` of a call is the Base64 of the JSON `{"challenge","solution"}`. If the installation uses Turnstile or hCaptcha, returns `kind` and `site_key` (and `action` for Turnstile) for the vendor\'s widget, whose response is the `captcha_token`.',
      response: {
        200: CaptchaResource,
        ...publicErrors,
      },
    },
    handler: async () => {
      const { captcha, clock } = app;
      const challenge = await captcha.challenge(clock.now());
      return presentCaptcha(challenge, captcha.widget);
    },
  });
}
